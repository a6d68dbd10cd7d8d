// SPDX-License-Identifier: Apache-2.0
// Presents an ACP agent's permission requests, questions and plans as asks of the hub. Reads the kind of an option, never the
// name. Loop thread only.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "parlance/driver/acp/settings.h"
#include "parlance/driver/acp/updates.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::driver {

// The next prompt of the same turn: a plan to carry out, or the person's words without a place in ACP's answers.
struct FollowUp {
  enum class What : std::uint8_t { carry_out, reply } what = What::reply;
  hub::Mode mode = hub::Mode::default_;  // of carry_out
  std::string words{};                   // of reply: feedback about a plan, or the reason of a rejection
};

class AcpAsks {
 public:
  AcpAsks(AcpUpdates& updates, const AcpAgentSettings& settings)
      : updates_(updates),
        agent_name_(settings.name),
        runner_(settings.runner),
        keeps_always_(settings.flavour == acp::Flavour::iflow) {}

  Task<Result<acp::PermissionReply>> permission(hub::Turn& turn, acp::RequestPermission asked);
  Task<Result<acp::ElicitationReply>> form(hub::Turn& turn, acp::CreateElicitation asked);
  Task<Result<acp::iflow::Answers>> questions(hub::Turn& turn, acp::iflow::Questions asked);
  Task<Result<acp::iflow::PlanDecision>> plan_exit(hub::Turn& turn, acp::iflow::PlanExit asked);

  void turn_begins() {
    plan_asked_ = false;
    stopped_ = false;
    follow_up_.reset();
  }
  bool plan_was_asked() const { return plan_asked_; }
  bool stopped() const { return stopped_; }  // the person rejected a request and stopped the turn
  // The mode chosen with a plan. Empty: no new mode since the last call.
  std::optional<hub::Mode> take_mode() { return std::exchange(mode_, std::nullopt); }
  std::optional<FollowUp> take_follow_up() { return std::exchange(follow_up_, std::nullopt); }
  // Call after a turn without a further prompt. Returns a notice with the person's words that did not reach the agent. Empty:
  // no words.
  std::optional<hub::event::Notice> take_undelivered();

 private:
  Task<Result<acp::PermissionReply>> answer_questions(hub::Turn& turn, const acp::RequestPermission& asked, std::string call,
                                                      std::vector<hub::Question> questions);
  Task<Result<acp::PermissionReply>> plan(hub::Turn& turn, const acp::RequestPermission& asked, const std::string& call);
  Task<Result<hub::AskAnswer>> ask_plan(hub::Turn& turn, std::string plan);
  void follow(const hub::AskAnswer& answer);
  void reject(const std::string& call, const hub::AskAnswer& answer);
  std::string wants_this(const hub::SessionSetup& setup) const;
  std::optional<hub::Reason> works_as() const;

  AcpUpdates& updates_;
  std::string agent_name_;
  std::optional<AcpRunner> runner_;  // set for the agent of a runner: the runner judges each action and sends the verdict
  bool keeps_always_ = false;        // clients of iFlow expect iFlow's own options
  bool plan_asked_ = false;
  bool stopped_ = false;
  std::optional<FollowUp> follow_up_;
  std::optional<hub::Mode> mode_;
};

// iFlow in plan mode may end a turn with a plan in the text alone. No request waits in this case: the person sends another
// prompt.
hub::event::Notice plan_in_words();

// The chosen option, if the agent offered the option. Otherwise the agent's smallest option with the same effect. Without an answer
// no option: the agent must not act.
acp::PermissionReply permission_reply(const hub::AskAnswer& answer, const std::vector<acp::PermissionOption>& offered);

// The effect of a call, for policy and for the person. Blocks briefly to resolve paths.
hub::ToolIntent acp_intent(const AcpUpdates::Call& call, const hub::SessionSetup& setup);
// The same for a runner's agent with files on another machine. The runner's `meta_json` can only make the verdict stricter than
// the path names do. Without `meta_json` the effect is unknown.
hub::ToolIntent reported_intent(const AcpUpdates::Call& call, std::string_view meta_json, const hub::SessionSetup& setup);

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// What an ACP agent wants to be allowed or to know, as asks of the hub: options by their kind, never by their name. Loop thread only.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "parlance/driver/acp/settings.h"
#include "parlance/driver/acp/updates.h"
#include "parlance/hub/agent.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::driver {

// The next prompt of the same turn: a plan to carry out, or words of the person for which ACP's answers have no place.
struct FollowUp {
  enum class What : std::uint8_t { carry_out, tell } what = What::tell;
  hub::Mode mode = hub::Mode::default_;  // of carry_out
  std::string words{};                   // of tell: feedback about a plan, or the reason of a rejection
};

class AcpAsks {
 public:
  AcpAsks(AcpUpdates& updates, const AcpAgentSettings& settings)
      : updates_(updates),
        agent_name_(settings.name),
        place_(settings.place),
        of_gateway_(settings.gateway != nullptr),
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
  bool stopped() const { return stopped_; }  // the person refused, and wants the turn to end
  // The mode that a person chose with a plan; nothing: none since the last look.
  std::optional<hub::Mode> take_mode() { return std::exchange(mode_, std::nullopt); }
  std::optional<FollowUp> take_follow_up() { return std::exchange(follow_up_, std::nullopt); }
  // After a turn that no prompt can follow: tells the person which words the agent did not get. Nothing: there are none.
  std::optional<hub::event::Notice> take_untold();

 private:
  // It has been judged where it comes from, and what is chosen counts there.
  Task<Result<acp::PermissionReply>> hand_on(hub::Turn& turn, const acp::RequestPermission& asked, const std::string& call);
  Task<Result<acp::PermissionReply>> answer_questions(hub::Turn& turn, const acp::RequestPermission& asked, std::string call,
                                                      std::vector<hub::Question> questions);
  Task<Result<acp::PermissionReply>> plan(hub::Turn& turn, const acp::RequestPermission& asked, const std::string& call);
  Task<Result<hub::AskAnswer>> ask_plan(hub::Turn& turn, std::string plan);
  void follow(const hub::AskAnswer& answer);
  void reject(const std::string& call, const hub::AskAnswer& answer);
  std::string wants_this(const hub::Conversation& conversation) const;
  std::optional<hub::Reason> works_as() const;

  AcpUpdates& updates_;
  std::string agent_name_;
  std::optional<AcpPlace> place_;  // what it would do is judged there, and told to us
  bool of_gateway_ = false;
  bool keeps_always_ = false;  // clients in place of iFlow's own expect its options
  bool plan_asked_ = false;
  bool stopped_ = false;
  std::optional<FollowUp> follow_up_;
  std::optional<hub::Mode> mode_;
};

// iFlow in plan mode may end its turn with a plan in its text alone. No request waits then: what follows is another prompt.
hub::event::Notice plan_in_words();

// What a call would do, for policy and for the person. Blocks for a moment: it looks where paths lead.
hub::ToolIntent acp_intent(const AcpUpdates::Call& call, const hub::Conversation& conversation);
// The same for a runner's agent, whose files are on another machine. The runner's word (`meta_json`) can only make the verdict stricter than
// the names of its places do; without its word the effect is unknown.
hub::ToolIntent told_intent(const AcpUpdates::Call& call, std::string_view meta_json, const hub::Conversation& conversation);

}  // namespace parlance::driver

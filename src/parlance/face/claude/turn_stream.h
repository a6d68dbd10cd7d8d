// SPDX-License-Identifier: Apache-2.0
// Reports the turns of a conversation to a Claude Code host at the host's pace, and ends each turn with one result. Loop thread
// only; all arguments must outlive the object.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "parlance/async/scope.h"
#include "parlance/async/task.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/claude/answers.h"
#include "parlance/face/claude/calls.h"
#include "parlance/face/claude/host_hooks.h"
#include "parlance/face/claude/host_questions.h"
#include "parlance/face/claude/host_tools.h"
#include "parlance/face/claude/lines.h"
#include "parlance/face/claude/outbox.h"
#include "parlance/face/claude/session.h"
#include "parlance/face/claude/turn.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class ClaudeTurnStream {
 public:
  struct Parts {
    hub::UserHub hub;
    const ClaudeFrontendSettings& settings;
    ClaudeSession& session;
    ClaudeAnswers& answers;
    ClaudeOutbox& outbox;
    ClaudeLines& lines;
    HostHooks& hooks;
    HostTools& tools;
    HostQuestions& questions;
  };
  // `finished`: called after the result of the running prompt.
  ClaudeTurnStream(Loop& loop, Parts parts, std::function<void()> finished);
  ~ClaudeTurnStream() { scope_.cancel(); }
  ClaudeTurnStream(const ClaudeTurnStream&) = delete;
  ClaudeTurnStream& operator=(const ClaudeTurnStream&) = delete;

  Task<void> follow();  // until the conversation ends

  // A prompt of the host runs until its result.
  void begin(std::string prompt_uuid);
  bool running() const { return running_; }
  void finish(claude::TurnResult result);
  const std::optional<Error>& lost() const { return lost_; }  // why the conversation ended
  bool last_failed() const { return last_failed_; }           // the last result was an error
  // Input of a running call; null: not reported to the host.
  const json::Value* input_of(const std::string& call);

 private:
  // The overloads name every kind of event: a new kind does not compile without a decision.
  template <hub::ForPagesAlone Kind>
  void report(const Kind&) {}
  void report(const hub::event::TurnStart& start);
  void report(const hub::event::UserMessage& message);  // the host knows its own prompts
  void report(const hub::event::Text& text) { parts_.answers.piece("text", text.text); }
  void report(const hub::event::ThinkingContent& thought) { parts_.answers.piece("thinking", thought.text); }
  void report(const hub::event::ThinkingEnd&) { parts_.lines.end_block(); }
  void report(const hub::event::ToolStart& start);
  void report(const hub::event::ToolUpdate& update) { calls_.update(update, parts_.session.folder()); }
  void report(const hub::event::ToolOutput& output);
  void report(const hub::event::ToolEnd& end);
  void report(const hub::event::ToolConfirmation& asked) { ask(asked.ask); }
  void report(const hub::event::UserQuestion& asked) { ask(asked.ask); }
  void report(const hub::event::PlanApproval& asked) { ask(asked.ask); }
  void report(const hub::event::AskSettled& settled) { parts_.questions.withdraw(settled.ask); }
  void report(const hub::event::Plan& plan);
  void report(const hub::event::Usage& usage);
  void report(const hub::event::ModeChanged& changed) { parts_.session.mode_changed(changed.mode); }
  void report(const hub::event::OptionChanged&) {}  // options of agents do not exist in Claude Code's protocol
  void report(const hub::event::Commands&) {}       // part of the answer to `initialize`
  void report(const hub::event::Cleared&) { parts_.lines.cleared(); }
  void report(const hub::event::Failure& failure);
  void report(const hub::event::Notice& notice) {
    if (!hub::is_own_act(notice)) parts_.answers.inform(notice.text);
  }
  void report(const hub::event::TurnEnd& end);
  void ask(const hub::Ask& ask);

  Task<void> end_turn(hub::StopReason stop);
  Task<bool> continue_turn(ClaudeTurnEnd& end);
  Task<std::optional<std::string>> stop_hooks(ClaudeTurnEnd& end);
  std::uint32_t rounds_left() const;

  Loop& loop_;
  Parts parts_;
  std::function<void()> finished_;
  hub::Follower follower_;
  std::optional<Error> lost_;
  std::string prompt_uuid_;
  bool running_ = false;
  bool stop_hook_active_ = false;  // a Stop hook continued the turn
  bool cut_in_tool_ = false;
  bool last_failed_ = false;
  ReportedCalls calls_;
  ClaudeTurn turn_;
  Scope scope_;
};

}  // namespace parlance::face

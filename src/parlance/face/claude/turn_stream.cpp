// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/turn_stream.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/toolbox/claude_tool_names.h"

namespace parlance::face {
namespace {

std::uint64_t end_of_log(const hub::UserHub& hub, const std::string& conversation) {
  const hub::Conversation* const found = hub.find(conversation);
  return found != nullptr ? found->last_seq : 0;
}

}  // namespace

ClaudeTurnStream::ClaudeTurnStream(Loop& loop, Parts parts, std::function<void()> finished)
    : loop_(loop),
      parts_(parts),
      finished_(std::move(finished)),
      follower_(parts.hub, parts.settings.conversation, end_of_log(parts.hub, parts.settings.conversation)),
      scope_(loop) {}

Task<void> ClaudeTurnStream::follow() {
  for (;;) {
    const auto batch = co_await follower_.next();
    if (!batch) {
      lost_ = batch.error();
      if (running_) finish(ClaudeTurn::without_turn("error_during_execution", lost_->message, parts_.lines.rounds()));
      co_return;
    }
    for (const hub::EventPtr& event : batch->events) {
      parts_.lines.at(event->seq);
      std::visit([this](const auto& body) { report(body); }, event->body);
      co_await parts_.outbox.sent();
    }
  }
}

void ClaudeTurnStream::begin(std::string prompt_uuid) {
  running_ = true;
  prompt_uuid_ = std::move(prompt_uuid);
}

void ClaudeTurnStream::finish(claude::TurnResult result) {
  if (std::string native = parts_.answers.take_result(); !native.empty()) {
    last_failed_ = json::parse_or_null(native).boolean_or("is_error", false);
    parts_.outbox.send(std::move(native));
  } else {
    turn_.complete(result, parts_.settings.session_id, loop_.now(), parts_.lines.usage);
    if (!prompt_uuid_.empty()) result.user_message_uuid = prompt_uuid_;
    last_failed_ = result.is_error;
    parts_.lines.send("result", result);
  }
  parts_.tools.turn_ends();
  running_ = false;
  finished_();
}

const json::Value* ClaudeTurnStream::input_of(const std::string& call) {
  const ReportedCall* const reported = calls_.find(call);
  return reported == nullptr ? nullptr : &reported->input;
}

// ---- events of a turn

void ClaudeTurnStream::report(const hub::event::TurnStart&) {
  if (stop_hook_active_) return;  // the continued turn keeps its counters
  turn_.begin(loop_.now());
  parts_.lines.usage = {};
  parts_.lines.begin_turn(parts_.session.model());
  parts_.answers.turn_begins();
}

void ClaudeTurnStream::report(const hub::event::UserMessage& message) {
  if (running_) return;
  std::string text = message.by ? *message.by + ": " : "";
  text += message.text;
  for (const hub::AttachmentInfo& attachment : message.attachments.value_or(std::vector<hub::AttachmentInfo>{}))
    text += "\n[" + attachment.name + "]";
  parts_.lines.user(text, true);
}

void ClaudeTurnStream::report(const hub::event::ToolStart& start) {
  const hub::ToolCall call =
      toolbox::claude_call({.tool = start.tool, .arguments_json = start.input_json}, parts_.session.folder());
  json::Value input = json::parse_or_null(call.arguments_json);
  if (input.object() == nullptr) input = json::Object{};
  ReportedCall reported{.tool = call.tool, .input = std::move(input), .parent = start.parent};
  parts_.answers.tool_use(start.call, reported);
  calls_.begin(start.call, std::move(reported));
  parts_.tools.reported(start.call);
}

void ClaudeTurnStream::report(const hub::event::ToolOutput& output) {
  parts_.lines.end_message("tool_use");
  if (output.progress.value_or(false)) return;
  if (ReportedCall* const call = calls_.find(output.call)) call->output += output.text;
}

void ClaudeTurnStream::report(const hub::event::ToolEnd& end) {
  const std::optional<ReportedCall> call = calls_.end(end.call);
  if (!call) return;
  parts_.lines.end_message("tool_use");
  const bool cut = end.state == hub::ToolEndState::cancelled;
  cut_in_tool_ = cut_in_tool_ || cut;
  if (end.state == hub::ToolEndState::rejected || (cut && call->asked))
    turn_.denied(call->tool, end.call, parts_.tools.input_that_ran(end.call, call->input));
  parts_.answers.tool_end(end, *call);
}

void ClaudeTurnStream::report(const hub::event::Plan& plan) {
  if (!calls_.has_plan_call()) parts_.answers.plan(plan.entries);
}

void ClaudeTurnStream::report(const hub::event::Usage& usage) {
  parts_.lines.add(claude_usage(usage));
  turn_.used(usage, parts_.session.model());
}

void ClaudeTurnStream::report(const hub::event::Failure& failure) {
  turn_.failed(failure);
  if (failure.code == "not_shown") parts_.lines.inform(failure.message + " " + failure.detail);
}

void ClaudeTurnStream::ask(const hub::Ask& ask) {
  parts_.lines.end_message("tool_use");
  if (ReportedCall* const call = calls_.find(ask.call.value_or(""))) call->asked = true;
  parts_.questions.ask(ask);
}

// ---- end of a turn

void ClaudeTurnStream::report(const hub::event::TurnEnd& end) {
  parts_.answers.turn_ends();
  scope_.start(end_turn(end.stop_reason));
}

Task<void> ClaudeTurnStream::end_turn(hub::StopReason stop) {
  ClaudeTurnEnd end{.stop = stop,
                    .hook_stopped = parts_.tools.take_stopped(),
                    .in_tool = std::exchange(cut_in_tool_, false),
                    .of_claude_code = parts_.answers.of_claude_code()};
  end.in_tool = parts_.questions.take_interrupt() || end.in_tool;
  if (stop == hub::StopReason::cancelled) {
    parts_.lines.cut_message();
    parts_.answers.cut(end.in_tool);
  } else {
    parts_.lines.end_message(stop == hub::StopReason::end_turn  ? "end_turn"
                             : stop == hub::StopReason::refusal ? "refusal"
                                                                : "max_tokens");
  }
  if (stop == hub::StopReason::end_turn && !end.hook_stopped && co_await continue_turn(end)) co_return;
  stop_hook_active_ = false;
  if (stop == hub::StopReason::error && turn_.failure())
    parts_.answers.instead_of_answer(api_error_text(*turn_.failure()), api_error_kind(*turn_.failure()));
  if (stop == hub::StopReason::refusal) parts_.answers.instead_of_answer(std::string(refusal_text), "invalid_request");
  finish(turn_.result(end, parts_.lines, parts_.settings.options.most_rounds, parts_.settings.output));
}

// Continues an ending turn if a host's hook requires it, or if the answer does not fit the host's schema.
Task<bool> ClaudeTurnStream::continue_turn(ClaudeTurnEnd& end) {
  std::optional<std::string> more = co_await stop_hooks(end);
  if (end.stop_hook_stopped) co_return false;
  if (!more) {
    more = toolbox::ask_on(parts_.settings.output);
    if (!more) co_return false;
    parts_.lines.one_round_more();
  }
  hub::PromptOptions same = parts_.session.options();
  if (same.most_rounds) same.most_rounds = rounds_left();  // the host counts a single turn
  if (same.most_rounds == 0U) {
    end.stop = hub::StopReason::max_turns;
    co_return false;
  }
  stop_hook_active_ = true;
  if (co_await parts_.hub.submit(parts_.settings.conversation,
                                 hub::SendPrompt{.text = *std::move(more), .options = std::move(same)}))
    co_return true;
  co_return false;
}

// The text of the Stop hooks for the agent.
Task<std::optional<std::string>> ClaudeTurnStream::stop_hooks(ClaudeTurnEnd& end) {
  if (!parts_.hooks.wants("Stop")) co_return std::nullopt;
  json::Object input = parts_.session.hook_input("Stop");
  input.set("stop_hook_active", stop_hook_active_);
  input.set("last_assistant_message", parts_.lines.last_text());
  const HostHooks::Verdict verdict = co_await parts_.hooks.run("Stop", "", std::move(input), "");
  end.stop_hook_stopped = verdict.stops;
  if (verdict.stops || verdict.decision != "deny") co_return std::nullopt;
  std::string more = "Stop hook feedback:\n" + verdict.reason;
  parts_.lines.user(more, true);
  co_return more;
}

std::uint32_t ClaudeTurnStream::rounds_left() const {
  const auto done = static_cast<std::uint32_t>(parts_.lines.answers());
  return std::max(*parts_.settings.options.most_rounds, done) - done;
}

}  // namespace parlance::face

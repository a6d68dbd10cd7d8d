// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/prompt_feed.h"

#include <string>
#include <utility>

#include "parlance/adapter/claude/content.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"

namespace parlance::face {

void PromptFeed::take(std::string_view line) {
  auto message = json::from_text<claude::UserMessage>(line, {.known_utf8 = true});
  if (!message || message->message.role != "user") return;
  if (parts_.settings.replay_user_messages) {
    json::Value again = json::parse_or_null(line);
    again.object()->set("isReplay", true);
    again.object()->set("session_id", parts_.settings.session_id);
    parts_.outbox.send(json::to_text(again));
  }
  if (!waiting_.push(*message, line.size())) return refuse(*message);
  parts_.changed.notify_all();
}

void PromptFeed::refuse(const claude::UserMessage& prompt) {
  claude::TurnResult result = ClaudeTurn::without_turn("error_during_execution", std::string(too_many_prompts), 0);
  result.user_message_uuid = prompt.uuid;
  result.session_id = parts_.settings.session_id;
  result.uuid = make_uuid();
  parts_.lines.send("result", result);
}

Task<void> PromptFeed::run() {
  for (;;) {
    while (waiting_.empty() || parts_.turn.running()) co_await parts_.changed.wait();
    if (parts_.settings.output != nullptr) parts_.settings.output->begin();
    claude::UserMessage prompt = waiting_.take();
    parts_.turn.begin(prompt.uuid.value_or(""));
    parts_.changed.notify_all();
    co_await begin(std::move(prompt));
  }
}

Task<void> PromptFeed::begin(claude::UserMessage prompt) {
  if (const auto& lost = parts_.turn.lost()) {
    parts_.turn.finish(ClaudeTurn::without_turn("error_during_execution", lost->message, 1));
    co_return;
  }
  adapter::ClaudeContent said = adapter::read_claude_content(json::parse_or_null(prompt.message.content.json));
  co_await parts_.answers.ready();
  hub::PromptOptions with = parts_.session.options();
  const HostHooks::Verdict verdict = co_await hooks_of(said.text);
  if (verdict.decision == "deny" || verdict.stops) {
    parts_.answers.init();
    parts_.turn.finish(ClaudeTurn::without_turn("success", "", verdict.stops ? 2 : 0));  // as Claude Code counts
    co_return;
  }
  if (!verdict.context.empty()) with.add_to_system(verdict.context);
  const auto begun = co_await parts_.hub.submit(
      parts_.settings.conversation,
      hub::SendPrompt{.text = std::move(said.text), .options = std::move(with), .attachments = std::move(said.attachments)});
  if (begun) co_return;
  parts_.answers.init();
  parts_.turn.finish(ClaudeTurn::without_turn("error_during_execution", begun.error().message, 1));
}

Task<HostHooks::Verdict> PromptFeed::hooks_of(const std::string& text) {
  HostHooks::Verdict began;
  if (!std::exchange(session_reported_, true)) {
    json::Object input = parts_.session.hook_input("SessionStart");
    input.set("source", parts_.settings.source);
    began = co_await parts_.hooks.run("SessionStart", parts_.settings.source, std::move(input), "");
  }
  json::Object input = parts_.session.hook_input("UserPromptSubmit");
  input.set("prompt", text);
  HostHooks::Verdict verdict = co_await parts_.hooks.run("UserPromptSubmit", "", std::move(input), "");
  if (!began.context.empty()) verdict.context = began.context + (verdict.context.empty() ? "" : "\n") + verdict.context;
  co_return verdict;
}

}  // namespace parlance::face

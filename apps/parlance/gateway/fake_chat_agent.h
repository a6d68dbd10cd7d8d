// SPDX-License-Identifier: Apache-2.0
// For tests: a ChatBackend as an agent of the hub. The test's script receives the messages of HTTP clients as a chat.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "parlance/agent/backend.h"
#include "parlance/async/cancel.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::app::test {

inline model::Message to_message(const hub::ChatMessage& from) {
  model::Message message{.role = from.role == hub::Role::user        ? model::Role::user
                                 : from.role == hub::Role::assistant ? model::Role::assistant
                                                                     : model::Role::tool,
                         .content = from.content};
  for (const hub::ToolCall& call : from.calls)
    message.tool_calls.push_back({.id = call.id, .name = call.tool, .arguments = call.arguments_json});
  for (const hub::ToolResult& result : from.results)
    message.tool_results.push_back(
        {.call_id = result.call, .content = result.text, .failed = result.state != hub::ToolEndState::done});
  return message;
}

class FakeChatAgent final : public hub::Agent {
 public:
  FakeChatAgent(Loop& loop, agent::ChatBackend& backend) : loop_(loop), backend_(backend) {}
  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    cancel_.emplace(loop_);
    auto ended = co_await under(*cancel_, run(turn, std::move(prompt)));
    if (cancel_->cancelled()) co_return hub::StopReason::cancelled;
    co_return ended;
  }
  void cancel() override {
    if (cancel_) cancel_->cancel();
  }
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_return; }

 private:
  struct Reporter final : model::ChunkSink {
    explicit Reporter(hub::Turn& t) : turn(t) {}
    Result<void> on_chunk(model::Chunk chunk) override {
      if (const auto* text = std::get_if<model::TextDelta>(&chunk)) {
        bytes += text->text.size();
        turn.emit(hub::event::Text{text->text});
      }
      if (const auto* thought = std::get_if<model::ReasoningDelta>(&chunk)) {
        thought_bytes += thought->text.size();
        turn.emit(hub::event::ThinkingContent{thought->text});
      }
      return {};
    }
    hub::Turn& turn;
    std::size_t bytes = 0;
    std::size_t thought_bytes = 0;
  };

  Task<Result<hub::StopReason>> run(hub::Turn& turn, hub::Prompt prompt) {
    model::ChatRequest request{.model = turn.setup().model,
                               .think = turn.setup().think ? model::Think::on : model::Think::standard};
    if (prompt.options.append_system)
      request.messages.push_back({.role = model::Role::system, .content = *prompt.options.append_system});
    PARLANCE_CO_TRY(history, co_await turn.history());
    for (const hub::ChatMessage& said : history) {
      model::Message message = to_message(said);
      for (const hub::AttachmentInfo& about : said.attachments) {
        PARLANCE_CO_TRY(whole, co_await turn.attachment(about.id));
        message.attachments.push_back(
            {.media_type = whole.about.media_type, .name = whole.about.name, .data = std::move(whole.data)});
      }
      request.messages.push_back(std::move(message));
    }
    Reporter reporter(turn);
    PARLANCE_CO_TRY(done, co_await backend_.chat(std::move(request), {}, reporter));
    if (done.reasoning.size() > reporter.thought_bytes)
      turn.emit(hub::event::ThinkingContent{done.reasoning.substr(reporter.thought_bytes)});
    if (done.content.size() > reporter.bytes) turn.emit(hub::event::Text{done.content.substr(reporter.bytes)});
    turn.emit(hub::event::Usage{.input_tokens = static_cast<std::uint64_t>(done.usage.input_tokens),
                                .output_tokens = static_cast<std::uint64_t>(done.usage.output_tokens)});
    co_return done.stop == model::StopReason::max_tokens ? hub::StopReason::max_tokens
    : done.stop == model::StopReason::refusal            ? hub::StopReason::refusal
                                                         : hub::StopReason::end_turn;
  }

  Loop& loop_;
  agent::ChatBackend& backend_;
  std::optional<CancelSource> cancel_;
};

class FakeChatProvider final : public hub::AgentProvider {
 public:
  FakeChatProvider(Loop& loop, agent::ChatBackend& backend) : loop_(loop), backend_(backend) {}
  hub::AgentInfo info() const override { return {.id = "parlance", .name = "parlance", .modes = {hub::Mode::default_}}; }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup, hub::AgentHost) override {
    co_return std::make_unique<FakeChatAgent>(loop_, backend_);
  }

 private:
  Loop& loop_;
  agent::ChatBackend& backend_;
};

}  // namespace parlance::app::test

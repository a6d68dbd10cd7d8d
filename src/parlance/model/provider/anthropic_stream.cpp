// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/anthropic_stream.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/model/limits.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/model/tool_schema.h"

namespace parlance::model {
namespace {

// An unknown reason, such as a reason of a newer API, ends a text; calls do not run after such a reason.
void take_stop(Answer& answer, std::string_view reason) {
  if (reason == "tool_use") answer.set_stop(StopReason::tool_calls);
  else if (reason == "max_tokens" || reason == "model_context_window_exceeded") answer.set_stop(StopReason::max_tokens);
  else if (reason == "refusal") answer.set_stop(StopReason::refusal);
  else if (reason == "end_turn" || reason == "stop_sequence" || answer.calls().empty()) answer.set_stop(StopReason::end_turn);
  else answer.set_broken_off(reason);
}

Error stream_error(const anthropic::ReadError& error) {
  const std::string type = error.type.value_or("error");
  Errc code = Errc::failed;
  if (type == "overloaded_error" || type == "api_error" || type == "rate_limit_error" || type == "timeout_error")
    code = Errc::overloaded;
  else if (type == "authentication_error" || type == "permission_error" || type == "billing_error") code = Errc::denied;
  else if (type == "invalid_request_error" || type == "request_too_large") code = Errc::invalid_request;
  else if (type == "not_found_error") code = Errc::not_found;
  const bool too_long = says_too_long(error.message.value_or(""));
  if (too_long) code = Errc::invalid_params;
  return Error{.code = code,
               .message = "the server ended the answer with an error: " + error.message.value_or("") + " (" + type + ")" +
                          std::string(too_long ? too_long_cure : "")};
}

}  // namespace

Result<void> AnthropicStream::event(std::string_view, std::string_view data) {
  const std::string_view text = trim(data);
  if (text.empty() || text == "[DONE]" || stopped_) return {};  // proxies that add OpenAI's end mark
  auto event = json::from_text<anthropic::Event>(text);
  if (!event) return fail(Errc::failed, "the server sent what is no event of the Messages API: " + event.error().message);
  if (event->type == "error") return fail(stream_error(event->error.value_or(anthropic::ReadError{})));
  if (event->type == "message_start" && event->message) {
    if (event->message->model) answer_.set_model(*event->message->model);
    return take_usage(event->message->usage);
  }
  const std::int64_t index = event->index.value_or(0);
  if (event->type == "content_block_start" && event->content_block) return begin_block(index, *event->content_block);
  if (event->type == "content_block_delta" && event->delta) return take_delta(index, *event->delta);
  if (event->type == "content_block_stop") return end_block(index);
  if (event->type == "message_delta") {
    if (event->delta && event->delta->stop_reason) take_stop(answer_, *event->delta->stop_reason);
    return take_usage(event->usage);
  }
  if (event->type == "message_stop") stopped_ = true;
  return {};  // ping, and additions of a newer API
}

Result<void> AnthropicStream::whole(std::string_view json) {
  auto event = json::from_text<anthropic::Event>(json);
  if (event && event->type == "error") return fail(stream_error(event->error.value_or(anthropic::ReadError{})));
  auto message = json::from_text<anthropic::ReadMessage>(json);
  if (!message) return fail(Errc::failed, "the server sent what is no message: " + message.error().message);
  if (!message->content)
    return fail(Errc::failed, "the server sent a message without content: is this the address of a Messages API?");
  if (message->model) answer_.set_model(*message->model);
  PARLANCE_TRY_DO(take_usage(message->usage));
  for (std::size_t i = 0; i < message->content->size(); ++i) {
    PARLANCE_TRY_DO(begin_block(static_cast<std::int64_t>(i), (*message->content)[i]));
    PARLANCE_TRY_DO(end_block(static_cast<std::int64_t>(i)));
  }
  take_stop(answer_, message->stop_reason.value_or("end_turn"));
  stopped_ = true;
  return {};
}

// message_start reports the input, message_delta the output so far. Compatible servers repeat some of the numbers, or send 0 for
// uncounted numbers, so each number replaces only its own earlier value.
Result<void> AnthropicStream::take_usage(const std::optional<anthropic::TokenUsage>& usage) {
  if (!usage) return {};
  usage_.cached_tokens = tokens(usage->cache_read_input_tokens, usage_.cached_tokens);
  uncached_tokens_ = tokens(usage->input_tokens, uncached_tokens_);
  cache_write_tokens_ = tokens(usage->cache_creation_input_tokens, cache_write_tokens_);
  usage_.input_tokens = uncached_tokens_ + usage_.cached_tokens + cache_write_tokens_;
  usage_.output_tokens = tokens(usage->output_tokens, usage_.output_tokens);
  return answer_.usage(usage_);
}

Result<void> AnthropicStream::begin_block(std::int64_t index, const anthropic::ReadBlock& read) {
  PARLANCE_TRY_DO(end_block(index));  // a server that forgot to
  if (open_.size() >= 64) return fail(Errc::failed, "the server opens content blocks without end");
  Block block;
  if (read.type == "text") {
    block.kind = Block::Kind::text;
    PARLANCE_TRY_DO(answer_.text(read.text.value_or("")));
  } else if (read.type == "thinking") {
    block.kind = Block::Kind::thinking;
    block.thinking = read.thinking.value_or("");
    block.signature = read.signature.value_or("");
    PARLANCE_TRY_DO(answer_.reasoning(block.thinking));
  } else if (read.type == "redacted_thinking") {
    block.kind = Block::Kind::redacted;
    block.thinking = read.data.value_or("");
  } else if (read.type == "tool_use") {
    block.kind = Block::Kind::call;
    PARLANCE_TRY(call, answer_.begin_call(read.id.value_or(""), read.name.value_or("")));
    block.call = call;
    block.first_input = object_or_empty(read.input.json);
  }
  open_[index] = std::move(block);
  return {};
}

Result<void> AnthropicStream::take_delta(std::int64_t index, const anthropic::Delta& delta) {
  const auto found = open_.find(index);
  if (found == open_.end()) {
    // Some compatible servers leave out the start of a text block.
    return delta.text ? answer_.text(*delta.text) : Result<void>{};
  }
  Block& block = found->second;
  switch (block.kind) {
    case Block::Kind::text: return answer_.text(delta.text.value_or(""));
    case Block::Kind::thinking:
      block.thinking += delta.thinking.value_or("");
      block.signature += delta.signature.value_or("");
      return answer_.reasoning(delta.thinking.value_or(""));
    case Block::Kind::call:
      block.has_input = block.has_input || !delta.partial_json.value_or("").empty();
      return answer_.arguments(block.call, delta.partial_json.value_or(""));
    case Block::Kind::redacted:
    case Block::Kind::other: return {};
  }
  return {};
}

Result<void> AnthropicStream::end_block(std::int64_t index) {
  const auto found = open_.find(index);
  if (found == open_.end()) return {};
  Block block = std::move(found->second);
  open_.erase(found);
  if (block.kind == Block::Kind::call && !block.has_input) return answer_.arguments(block.call, block.first_input);
  if (block.kind == Block::Kind::thinking || block.kind == Block::Kind::redacted) {
    if (thoughts_.size() >= limits::model_answer_calls) return fail(Errc::failed, "the server sends thinking blocks without end");
    thoughts_.push_back(std::move(block));
  }
  return {};
}

Result<void> AnthropicStream::end_blocks() {
  while (!open_.empty()) PARLANCE_TRY_DO(end_block(open_.begin()->first));
  return {};
}

std::string AnthropicStream::reasoning_state() const {
  std::string out;
  for (const Block& block : thoughts_) {
    if (block.kind == Block::Kind::thinking && block.signature.empty()) continue;  // unsigned: the API would refuse the block
    out += out.empty() ? "[" : ",";
    if (block.kind == Block::Kind::thinking) {
      out += R"({"type":"thinking","thinking":)";
      json::write_text(out, block.thinking);
      out += R"(,"signature":)";
      json::write_text(out, block.signature);
    } else {
      out += R"({"type":"redacted_thinking","data":)";
      json::write_text(out, block.thinking);
    }
    out += '}';
  }
  return out.empty() ? out : out + "]";
}

Result<Completion> AnthropicStream::finish() {
  if (!complete()) return fail(Errc::disconnected, "the connection ended before the answer did");
  PARLANCE_TRY_DO(end_blocks());
  answer_.set_reasoning_state(reasoning_state());
  return answer_.finish();
}

}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
// The bodies of POST …/v1/messages and of its stream, as far as we write and read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::model::anthropic {

using wire::field;
using wire::fields;
using wire::Raw;

// ---- written -------------------------------------------------------------------------------------------------------

struct CacheControl {
  std::string type = "ephemeral";
  static constexpr auto wire = fields(field<&CacheControl::type>("type", "ephemeral"));
};
struct TextBlock {
  static constexpr std::string_view tag = "text";
  std::string text{};
  std::optional<CacheControl> cache_control{};
  static constexpr auto wire = fields(field<&TextBlock::text>("text", "Never empty."),
                                      field<&TextBlock::cache_control>("cache_control", "Cache up to here."));
};
struct ToolUseBlock {
  static constexpr std::string_view tag = "tool_use";
  std::string id{};
  std::string name{};
  Raw input{};
  static constexpr auto wire =
      fields(field<&ToolUseBlock::id>("id", "Pairs with the result."), field<&ToolUseBlock::name>("name", "Of the tool."),
             field<&ToolUseBlock::input>("input", "An object."));
};
struct ToolResultBlock {
  static constexpr std::string_view tag = "tool_result";
  std::string tool_use_id{};
  std::string content{};
  std::optional<bool> is_error{};
  std::optional<CacheControl> cache_control{};
  static constexpr auto wire = fields(field<&ToolResultBlock::tool_use_id>("tool_use_id", "Of the call."),
                                      field<&ToolResultBlock::content>("content", "Text."),
                                      field<&ToolResultBlock::is_error>("is_error", "Refused or failed."),
                                      field<&ToolResultBlock::cache_control>("cache_control", "Cache up to here."));
};
// Other: thinking and redacted_thinking, which go back byte for byte, because they are signed.
using Block = wire::Tagged<"type", TextBlock, ToolUseBlock, ToolResultBlock, wire::Other>;

struct SentMessage {
  std::string role{};
  std::vector<Block> content{};
  static constexpr auto wire = fields(field<&SentMessage::role>("role", "user or assistant, in turns."),
                                      field<&SentMessage::content>("content", "Blocks."));
};
struct Tool {
  std::string name{};
  std::string description{};
  Raw input_schema{};
  static constexpr auto wire =
      fields(field<&Tool::name>("name", "Of the tool."), field<&Tool::description>("description", "For the model."),
             field<&Tool::input_schema>("input_schema", "JSON Schema of an object."));
};
struct Thinking {
  std::string type = "enabled";
  std::optional<std::int64_t> budget_tokens{};
  static constexpr auto wire = fields(field<&Thinking::type>("type", "enabled, adaptive or disabled."),
                                      field<&Thinking::budget_tokens>("budget_tokens", "Of max_tokens, at least 1024."));
};
struct Request {
  std::string model{};
  std::int64_t max_tokens = 0;
  std::optional<std::vector<Block>> system{};
  std::vector<SentMessage> messages{};
  std::optional<std::vector<Tool>> tools{};
  std::optional<Thinking> thinking{};
  std::optional<double> temperature{};
  bool stream = true;
  static constexpr auto wire = fields(
      field<&Request::model>("model", "Name."), field<&Request::max_tokens>("max_tokens", "Of the answer with its thinking."),
      field<&Request::system>("system", "Instructions."), field<&Request::messages>("messages", "The conversation."),
      field<&Request::tools>("tools", "What may be called."), field<&Request::thinking>("thinking", "Whether it thinks first."),
      field<&Request::temperature>("temperature", "0 to 1; not beside thinking."), field<&Request::stream>("stream", "Always."));
};

// ---- read ----------------------------------------------------------------------------------------------------------

struct TokenUsage {
  std::optional<double> input_tokens{};
  std::optional<double> output_tokens{};
  std::optional<double> cache_creation_input_tokens{};
  std::optional<double> cache_read_input_tokens{};
  static constexpr auto wire =
      fields(field<&TokenUsage::input_tokens>("input_tokens", "Not from a cache."),
             field<&TokenUsage::output_tokens>("output_tokens", "So far."),
             field<&TokenUsage::cache_creation_input_tokens>("cache_creation_input_tokens", "Written to a cache."),
             field<&TokenUsage::cache_read_input_tokens>("cache_read_input_tokens", "Read from a cache."));
};
struct ReadBlock {
  std::string type{};
  std::optional<std::string> text{};
  std::optional<std::string> thinking{};
  std::optional<std::string> signature{};
  std::optional<std::string> data{};
  std::optional<std::string> id{};
  std::optional<std::string> name{};
  Raw input{};
  static constexpr auto wire =
      fields(field<&ReadBlock::type>("type", "text, thinking, redacted_thinking, tool_use, or newer ones."),
             field<&ReadBlock::text>("text", "Its beginning."), field<&ReadBlock::thinking>("thinking", "Its beginning."),
             field<&ReadBlock::signature>("signature", "Of thinking."), field<&ReadBlock::data>("data", "Of redacted_thinking."),
             field<&ReadBlock::id>("id", "Of tool_use."), field<&ReadBlock::name>("name", "Of tool_use."),
             field<&ReadBlock::input>("input", "Of tool_use: {} in a stream.").or_default());
};
struct ReadMessage {
  std::optional<std::string> model{};
  std::optional<std::vector<ReadBlock>> content{};
  std::optional<std::string> stop_reason{};
  std::optional<TokenUsage> usage{};
  static constexpr auto wire =
      fields(field<&ReadMessage::model>("model", "What answered."), field<&ReadMessage::content>("content", "Empty in a stream."),
             field<&ReadMessage::stop_reason>("stop_reason", "Why it ended."), field<&ReadMessage::usage>("usage", "Tokens."));
};
struct Delta {
  std::optional<std::string> type{};
  std::optional<std::string> text{};
  std::optional<std::string> thinking{};
  std::optional<std::string> signature{};
  std::optional<std::string> partial_json{};
  std::optional<std::string> stop_reason{};
  static constexpr auto wire =
      fields(field<&Delta::type>("type", "text_delta, thinking_delta, signature_delta, input_json_delta."),
             field<&Delta::text>("text", "Next piece."), field<&Delta::thinking>("thinking", "Next piece."),
             field<&Delta::signature>("signature", "Of the thinking block."),
             field<&Delta::partial_json>("partial_json", "Next piece of the input."),
             field<&Delta::stop_reason>("stop_reason", "Of message_delta."));
};
struct ReadError {
  std::optional<std::string> type{};
  std::optional<std::string> message{};
  static constexpr auto wire = fields(field<&ReadError::type>("type", "overloaded_error, api_error, …"),
                                      field<&ReadError::message>("message", "For people."));
};
struct Event {
  std::string type{};
  std::optional<ReadMessage> message{};
  std::optional<std::int64_t> index{};
  std::optional<ReadBlock> content_block{};
  std::optional<Delta> delta{};
  std::optional<TokenUsage> usage{};
  std::optional<ReadError> error{};
  static constexpr auto wire =
      fields(field<&Event::type>("type", "message_start … message_stop, ping, error."),
             field<&Event::message>("message", "Of message_start."), field<&Event::index>("index", "Of the block."),
             field<&Event::content_block>("content_block", "Of content_block_start."),
             field<&Event::delta>("delta", "Of content_block_delta and message_delta."),
             field<&Event::usage>("usage", "Of message_delta."), field<&Event::error>("error", "Of error."));
};

}  // namespace parlance::model::anthropic

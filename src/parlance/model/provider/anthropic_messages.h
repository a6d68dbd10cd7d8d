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
  static constexpr auto wire = fields(field<&CacheControl::type>("type", "Always the value \"ephemeral\"."));
};
struct TextBlock {
  static constexpr std::string_view tag = "text";
  std::string text{};
  std::optional<CacheControl> cache_control{};
  static constexpr auto wire = fields(field<&TextBlock::text>("text", "The text. Never empty."),
                                      field<&TextBlock::cache_control>("cache_control", "Cache the request up to this block."));
};
struct ToolUseBlock {
  static constexpr std::string_view tag = "tool_use";
  std::string id{};
  std::string name{};
  Raw input{};
  static constexpr auto wire = fields(field<&ToolUseBlock::id>("id", "Id of the call, for its result."),
                                      field<&ToolUseBlock::name>("name", "Name of the tool."),
                                      field<&ToolUseBlock::input>("input", "Input of the tool: an object."));
};
struct ToolResultBlock {
  static constexpr std::string_view tag = "tool_result";
  std::string tool_use_id{};
  Raw content{};
  std::optional<bool> is_error{};
  std::optional<CacheControl> cache_control{};
  static constexpr auto wire =
      fields(field<&ToolResultBlock::tool_use_id>("tool_use_id", "Id of the call with this result."),
             field<&ToolResultBlock::content>("content", "Text of the result, or blocks of text and pictures."),
             field<&ToolResultBlock::is_error>("is_error", "True: the call was refused or failed."),
             field<&ToolResultBlock::cache_control>("cache_control", "Cache the request up to this block."));
};
// Other: thinking and redacted_thinking, which go back byte for byte, because they are signed.
using Block = wire::Tagged<"type", TextBlock, ToolUseBlock, ToolResultBlock, wire::Other>;

struct SentMessage {
  std::string role{};
  std::vector<Block> content{};
  static constexpr auto wire = fields(field<&SentMessage::role>("role", "Role of the author: user and assistant alternate."),
                                      field<&SentMessage::content>("content", "Content blocks of the message."));
};
struct Tool {
  std::string name{};
  std::string description{};
  Raw input_schema{};
  static constexpr auto wire = fields(field<&Tool::name>("name", "Name of the tool."),
                                      field<&Tool::description>("description", "Purpose of the tool, for the model."),
                                      field<&Tool::input_schema>("input_schema", "JSON Schema of the input, an object."));
};
struct Thinking {
  std::string type = "enabled";
  std::optional<std::int64_t> budget_tokens{};
  static constexpr auto wire =
      fields(field<&Thinking::type>("type", "Kind of thinking: enabled, adaptive or disabled."),
             field<&Thinking::budget_tokens>("budget_tokens", "Part of max_tokens for thinking, at least 1024."));
};
struct ToolChoice {
  std::string type = "auto";
  std::optional<bool> disable_parallel_tool_use{};
  static constexpr auto wire =
      fields(field<&ToolChoice::type>("type", "auto, or any: the answer calls a tool."),
             field<&ToolChoice::disable_parallel_tool_use>("disable_parallel_tool_use", "At most one call in an answer."));
};
struct Request {
  std::string model{};
  std::int64_t max_tokens = 0;
  std::optional<std::vector<Block>> system{};
  std::vector<SentMessage> messages{};
  std::optional<std::vector<Tool>> tools{};
  std::optional<Thinking> thinking{};
  std::optional<ToolChoice> tool_choice{};
  std::optional<double> temperature{};
  std::optional<double> top_p{};
  std::optional<std::vector<std::string>> stop_sequences{};
  bool stream = true;
  static constexpr auto wire =
      fields(field<&Request::model>("model", "Name of the model."),
             field<&Request::max_tokens>("max_tokens", "Highest number of tokens in the answer, thinking included."),
             field<&Request::system>("system", "Instructions for the model."),
             field<&Request::messages>("messages", "Messages of the conversation."),
             field<&Request::tools>("tools", "Tools that the model may call."),
             field<&Request::thinking>("thinking", "Setting for thinking. Absent: the model's default."),
             field<&Request::tool_choice>("tool_choice", "Setting for tool calls. Absent: auto."),
             field<&Request::temperature>("temperature", "Sampling temperature from 0 to 1. Not allowed with thinking."),
             field<&Request::top_p>("top_p", "Nucleus sampling from 0 to 1."),
             field<&Request::stop_sequences>("stop_sequences", "Texts that end the answer."),
             field<&Request::stream>("stream", "Always the value true."));
};

// ---- read ----------------------------------------------------------------------------------------------------------

struct TokenUsage {
  std::optional<double> input_tokens{};
  std::optional<double> output_tokens{};
  std::optional<double> cache_creation_input_tokens{};
  std::optional<double> cache_read_input_tokens{};
  static constexpr auto wire =
      fields(field<&TokenUsage::input_tokens>("input_tokens", "Number of input tokens outside of the cache."),
             field<&TokenUsage::output_tokens>("output_tokens", "Number of output tokens so far."),
             field<&TokenUsage::cache_creation_input_tokens>("cache_creation_input_tokens",
                                                             "Number of input tokens written to a cache."),
             field<&TokenUsage::cache_read_input_tokens>("cache_read_input_tokens", "Number of input tokens read from a cache."));
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
      fields(field<&ReadBlock::type>("type", "Kind of the block: text, thinking, redacted_thinking, tool_use, or a newer kind."),
             field<&ReadBlock::text>("text", "Beginning of the text."),
             field<&ReadBlock::thinking>("thinking", "Beginning of the thinking."),
             field<&ReadBlock::signature>("signature", "With thinking: signature of the block."),
             field<&ReadBlock::data>("data", "With redacted_thinking: encrypted data."),
             field<&ReadBlock::id>("id", "With tool_use: id of the call."),
             field<&ReadBlock::name>("name", "With tool_use: name of the tool."),
             field<&ReadBlock::input>("input", "With tool_use: input of the tool. {} in a stream.").or_default());
};
struct ReadMessage {
  std::optional<std::string> model{};
  std::optional<std::vector<ReadBlock>> content{};
  std::optional<std::string> stop_reason{};
  std::optional<TokenUsage> usage{};
  static constexpr auto wire = fields(field<&ReadMessage::model>("model", "Name of the model that answered."),
                                      field<&ReadMessage::content>("content", "Content blocks. Empty in a stream."),
                                      field<&ReadMessage::stop_reason>("stop_reason", "Reason for the end of the answer."),
                                      field<&ReadMessage::usage>("usage", "Number of tokens."));
};
struct Delta {
  std::optional<std::string> type{};
  std::optional<std::string> text{};
  std::optional<std::string> thinking{};
  std::optional<std::string> signature{};
  std::optional<std::string> partial_json{};
  std::optional<std::string> stop_reason{};
  static constexpr auto wire = fields(
      field<&Delta::type>("type", "Kind of the piece: text_delta, thinking_delta, signature_delta or input_json_delta."),
      field<&Delta::text>("text", "The next piece of text."), field<&Delta::thinking>("thinking", "The next piece of thinking."),
      field<&Delta::signature>("signature", "Signature of the thinking block."),
      field<&Delta::partial_json>("partial_json", "The next piece of the input, as JSON text."),
      field<&Delta::stop_reason>("stop_reason", "With message_delta: reason for the end of the answer."));
};
struct ReadError {
  std::optional<std::string> type{};
  std::optional<std::string> message{};
  static constexpr auto wire =
      fields(field<&ReadError::type>("type", "Kind of the error, such as overloaded_error or api_error."),
             field<&ReadError::message>("message", "Text of the error for people."));
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
      fields(field<&Event::type>("type", "Kind of the event: message_start to message_stop, ping or error."),
             field<&Event::message>("message", "With message_start: the message."),
             field<&Event::index>("index", "Position of the block, counted from 0."),
             field<&Event::content_block>("content_block", "With content_block_start: the block."),
             field<&Event::delta>("delta", "With content_block_delta and message_delta: the piece."),
             field<&Event::usage>("usage", "With message_delta: number of tokens."),
             field<&Event::error>("error", "With error: the error."));
};

}  // namespace parlance::model::anthropic

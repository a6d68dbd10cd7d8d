// SPDX-License-Identifier: Apache-2.0
// Chat completions as OpenAI's API has them (create, chunks, models), seen from the serving side. Only what is read and written is
// declared; everything else that clients send is passed over. Also the request of /ws/chat, whose messages have the same names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::openai {

using wire::field;
using wire::fields;
using wire::Nullable;

// ---- request -----------------------------------------------------------------------------------------------------------

struct FunctionCall {
  std::string name{};
  wire::Raw arguments{};
  static constexpr auto wire =
      fields(field<&FunctionCall::name>("name", "The tool."),
             field<&FunctionCall::arguments>("arguments", "JSON as text; an object is taken too.").or_default());
};
struct ToolCall {
  std::optional<std::string> id{};
  std::optional<std::string> type{};
  FunctionCall function{};
  static constexpr auto wire = fields(field<&ToolCall::id>("id", "Names the call."), field<&ToolCall::type>("type", "function"),
                                      field<&ToolCall::function>("function", "What was called."));
};
// What deployed clients of the gateway send instead of messages with the role `tool`.
struct ToolResult {
  std::string id{};
  wire::Raw result{};
  static constexpr auto wire = fields(field<&ToolResult::id>("id", "The call that this answers."),
                                      field<&ToolResult::result>("result", "Text, or any JSON.").or_default());
};
struct Message {
  std::string role{};
  wire::Raw content{};
  std::optional<std::vector<ToolCall>> tool_calls{};
  std::optional<std::string> tool_call_id{};
  std::optional<std::vector<ToolResult>> tool_results{};
  std::optional<std::string> reasoning_content{};
  static constexpr auto wire =
      fields(field<&Message::role>("role", "system, developer, user, assistant or tool."),
             field<&Message::content>("content", "Text, null, or a list of parts: text, image_url, file.").or_default(),
             field<&Message::tool_calls>("tool_calls", "What an assistant asked for."),
             field<&Message::tool_call_id>("tool_call_id", "For the role tool: the call that this answers."),
             field<&Message::tool_results>("tool_results", "The same, as deployed clients of the gateway write it."),
             field<&Message::reasoning_content>("reasoning_content", "What an assistant thought."));
};
struct Function {
  std::string name{};
  std::optional<std::string> description{};
  wire::Raw parameters{};
  static constexpr auto wire =
      fields(field<&Function::name>("name", "The tool."), field<&Function::description>("description", "For the model."),
             field<&Function::parameters>("parameters", "JSON Schema of its arguments.").or_default());
};
struct Tool {
  std::string type{};
  Function function{};
  static constexpr auto wire = fields(field<&Tool::type>("type", "function"), field<&Tool::function>("function", "The tool."));
};
struct StreamOptions {
  std::optional<bool> include_usage{};
  static constexpr auto wire = fields(field<&StreamOptions::include_usage>("include_usage", "A last chunk tells the tokens."));
};
struct Request {
  std::optional<std::string> model{};
  std::vector<Message> messages{};
  std::optional<std::vector<Tool>> tools{};
  wire::Raw tool_choice{};
  wire::Raw response_format{};
  std::optional<bool> stream{};
  std::optional<StreamOptions> stream_options{};
  std::optional<std::int64_t> max_tokens{};
  std::optional<std::int64_t> max_completion_tokens{};
  std::optional<double> temperature{};
  std::optional<std::int64_t> n{};
  std::optional<std::string> reasoning_effort{};
  static constexpr auto wire =
      fields(field<&Request::model>("model", "Of GET /v1/models; absent or empty: parlance."),
             field<&Request::messages>("messages", "The conversation so far."),
             field<&Request::tools>("tools", "What the model may call; the client runs them. Absent: the agent runs its own."),
             field<&Request::tool_choice>("tool_choice", "auto, none, required, or one function.").or_default(),
             field<&Request::response_format>("response_format", "Only {\"type\":\"text\"}.").or_default(),
             field<&Request::stream>("stream", "Server-sent events instead of one answer."),
             field<&Request::stream_options>("stream_options", "What the stream tells beside the answer."),
             field<&Request::max_tokens>("max_tokens", "At most so many tokens of answer."),
             field<&Request::max_completion_tokens>("max_completion_tokens", "The newer name of max_tokens."),
             field<&Request::temperature>("temperature", "How much chance."), field<&Request::n>("n", "1 is all there is."),
             field<&Request::reasoning_effort>("reasoning_effort", "none and minimal: off; anything else: on."));
};

// ---- answer ------------------------------------------------------------------------------------------------------------

struct CachedTokens {
  std::int64_t cached_tokens = 0;
  static constexpr auto wire = fields(field<&CachedTokens::cached_tokens>("cached_tokens", "Read from a cache."));
};
struct Usage {
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
  std::int64_t total_tokens = 0;
  CachedTokens prompt_tokens_details{};
  static constexpr auto wire = fields(field<&Usage::prompt_tokens>("prompt_tokens", "Read."),
                                      field<&Usage::completion_tokens>("completion_tokens", "Written."),
                                      field<&Usage::total_tokens>("total_tokens", "Both."),
                                      field<&Usage::prompt_tokens_details>("prompt_tokens_details", "Of those read."));
};
struct AnswerFunction {
  std::optional<std::string> name{};
  std::string arguments{};
  static constexpr auto wire =
      fields(field<&AnswerFunction::name>("name", "The tool."), field<&AnswerFunction::arguments>("arguments", "JSON as text."));
};
struct AnswerToolCall {
  std::optional<std::size_t> index{};  // chunks only
  std::optional<std::string> id{};
  std::optional<std::string> type{};
  AnswerFunction function{};
  static constexpr auto wire = fields(
      field<&AnswerToolCall::index>("index", "In chunks: which call."), field<&AnswerToolCall::id>("id", "Names the call."),
      field<&AnswerToolCall::type>("type", "function"), field<&AnswerToolCall::function>("function", "What to call."));
};
// null, not absent: clients declare these members as nullable and required.
struct AnswerMessage {
  std::string role = "assistant";
  Nullable<std::string> content{};
  std::optional<std::string> reasoning_content{};
  Nullable<std::string> refusal{.state = Nullable<std::string>::State::null};
  std::optional<std::vector<AnswerToolCall>> tool_calls{};
  static constexpr auto wire =
      fields(field<&AnswerMessage::role>("role", "assistant"),
             field<&AnswerMessage::content>("content", "The text, or null beside tool calls."),
             field<&AnswerMessage::reasoning_content>("reasoning_content", "What the model thought, if it tells."),
             field<&AnswerMessage::refusal>("refusal", "Always null."),
             field<&AnswerMessage::tool_calls>("tool_calls", "What the client is to run."));
};
struct Choice {
  std::int64_t index = 0;
  AnswerMessage message{};
  Nullable<std::string> logprobs{.state = Nullable<std::string>::State::null};
  std::string finish_reason{};
  static constexpr auto wire =
      fields(field<&Choice::index>("index", "0"), field<&Choice::message>("message", "The answer."),
             field<&Choice::logprobs>("logprobs", "Always null."),
             field<&Choice::finish_reason>("finish_reason", "stop, length, tool_calls or content_filter."));
};
struct ChatCompletion {
  std::string id{};
  std::string object = "chat.completion";
  std::int64_t created = 0;
  std::string model{};
  std::vector<Choice> choices{};
  Usage usage{};
  static constexpr auto wire =
      fields(field<&ChatCompletion::id>("id", "chatcmpl-…"), field<&ChatCompletion::object>("object", "chat.completion"),
             field<&ChatCompletion::created>("created", "Seconds since 1970."),
             field<&ChatCompletion::model>("model", "What answered."), field<&ChatCompletion::choices>("choices", "One."),
             field<&ChatCompletion::usage>("usage", "Tokens; an estimate when the agent does not tell them."));
};

struct Delta {
  std::optional<std::string> role{};
  std::optional<std::string> content{};
  std::optional<std::string> reasoning_content{};
  std::optional<std::vector<AnswerToolCall>> tool_calls{};
  static constexpr auto wire =
      fields(field<&Delta::role>("role", "In the first chunk."), field<&Delta::content>("content", "A piece."),
             field<&Delta::reasoning_content>("reasoning_content", "A piece."),
             field<&Delta::tool_calls>("tool_calls", "Beginnings of calls and pieces of arguments."));
};
struct ChunkChoice {
  std::int64_t index = 0;
  Delta delta{};
  Nullable<std::string> logprobs{.state = Nullable<std::string>::State::null};
  Nullable<std::string> finish_reason{.state = Nullable<std::string>::State::null};
  static constexpr auto wire =
      fields(field<&ChunkChoice::index>("index", "0"), field<&ChunkChoice::delta>("delta", "What is new."),
             field<&ChunkChoice::logprobs>("logprobs", "Always null."),
             field<&ChunkChoice::finish_reason>("finish_reason", "In the last chunk with a choice."));
};
struct Chunk {
  std::string id{};
  std::string object = "chat.completion.chunk";
  std::int64_t created = 0;
  std::string model{};
  std::vector<ChunkChoice> choices{};
  Nullable<Usage> usage{};  // absent unless the client asked for it; then null in all chunks but the last
  static constexpr auto wire =
      fields(field<&Chunk::id>("id", "The same in all chunks."), field<&Chunk::object>("object", "chat.completion.chunk"),
             field<&Chunk::created>("created", "Seconds since 1970."), field<&Chunk::model>("model", "What answers."),
             field<&Chunk::choices>("choices", "One; none in the chunk that tells the tokens."),
             field<&Chunk::usage>("usage", "With stream_options.include_usage."));
};

struct ModelEntry {
  std::string id{};
  std::string object = "model";
  std::int64_t created = 0;
  std::string owned_by = "parlance";
  static constexpr auto wire =
      fields(field<&ModelEntry::id>("id", "What a request may name."), field<&ModelEntry::object>("object", "model"),
             field<&ModelEntry::created>("created", "Start of the gateway, seconds since 1970."),
             field<&ModelEntry::owned_by>("owned_by", "parlance"));
};
struct ModelList {
  std::string object = "list";
  std::vector<ModelEntry> data{};
  static constexpr auto wire = fields(field<&ModelList::object>("object", "list"),
                                      field<&ModelList::data>("data", "The agents, and the models that they offer."));
};

inline constexpr auto methods = wire::methods(
    wire::call<Request, ChatCompletion>("POST /v1/chat/completions", "An answer; with `stream` pieces of it, each a Chunk."),
    wire::call<wire::Nothing, ModelList>("GET /v1/models", "What a request may name as its model."));

inline constexpr std::string_view own_model = "parlance";  // the agent decides

}  // namespace parlance::openai

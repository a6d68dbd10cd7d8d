// SPDX-License-Identifier: Apache-2.0
// Chat completions of OpenAI's API (create, chunks, models), for the serving side. Only used members are declared; all others
// are skipped. Also the request of /ws/chat, whose messages have the same names.
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
      fields(field<&FunctionCall::name>("name", "Name of the tool."),
             field<&FunctionCall::arguments>("arguments", "Arguments as JSON text. An object is accepted too.").or_default());
};
struct ToolCall {
  std::optional<std::string> id{};
  std::optional<std::string> type{};
  FunctionCall function{};
  static constexpr auto wire =
      fields(field<&ToolCall::id>("id", "Id of the call."), field<&ToolCall::type>("type", "Always the value \"function\"."),
             field<&ToolCall::function>("function", "The called tool with its arguments."));
};
// The form of deployed clients of the gateway, in place of messages with the role `tool`.
struct ToolResult {
  std::string id{};
  wire::Raw result{};
  static constexpr auto wire = fields(field<&ToolResult::id>("id", "Id of the call with this result."),
                                      field<&ToolResult::result>("result", "Text or any JSON value.").or_default());
};
struct Message {
  std::string role{};
  wire::Raw content{};
  std::optional<std::vector<ToolCall>> tool_calls{};
  std::optional<std::string> tool_call_id{};
  std::optional<std::vector<ToolResult>> tool_results{};
  std::optional<std::string> reasoning_content{};
  static constexpr auto wire = fields(
      field<&Message::role>("role", "Role of the author: system, developer, user, assistant or tool."),
      field<&Message::content>("content", "Text, null, or a list of parts: text, image_url and file.").or_default(),
      field<&Message::tool_calls>("tool_calls", "Tool calls of an assistant message."),
      field<&Message::tool_call_id>("tool_call_id", "With role tool: id of the call with this result."),
      field<&Message::tool_results>("tool_results", "Results of tool calls, in the form of the gateway's deployed clients."),
      field<&Message::reasoning_content>("reasoning_content", "Thinking of an assistant message."));
};
struct Function {
  std::string name{};
  std::optional<std::string> description{};
  wire::Raw parameters{};
  static constexpr auto wire = fields(field<&Function::name>("name", "Name of the tool."),
                                      field<&Function::description>("description", "Purpose of the tool, for the model."),
                                      field<&Function::parameters>("parameters", "JSON Schema of the arguments.").or_default());
};
struct Tool {
  std::string type{};
  Function function{};
  static constexpr auto wire = fields(field<&Tool::type>("type", "Always the value \"function\"."),
                                      field<&Tool::function>("function", "The tool with name and schema."));
};
struct StreamOptions {
  std::optional<bool> include_usage{};
  static constexpr auto wire = fields(field<&StreamOptions::include_usage>(
      "include_usage", "True: the last chunk contains the number of tokens. Default: false."));
};
inline constexpr std::string_view refused_parameter = "Not supported: any value with an effect is refused.";

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
  std::optional<double> top_p{};
  std::optional<double> presence_penalty{};
  std::optional<double> frequency_penalty{};
  std::optional<std::int64_t> seed{};
  wire::Raw stop{};
  std::optional<bool> parallel_tool_calls{};
  std::optional<std::int64_t> n{};
  std::optional<std::string> reasoning_effort{};
  // Refused, because nothing here takes them.
  wire::Raw audio{};
  wire::Raw function_call{};
  wire::Raw functions{};
  wire::Raw logit_bias{};
  wire::Raw logprobs{};
  wire::Raw modalities{};
  wire::Raw prediction{};
  wire::Raw top_logprobs{};
  wire::Raw verbosity{};
  wire::Raw web_search_options{};
  static constexpr auto wire = fields(
      field<&Request::model>("model", "Name of the agent or model, from GET /v1/models. Absent or empty: parlance."),
      field<&Request::messages>("messages", "All messages of the conversation so far."),
      field<&Request::tools>("tools",
                             "Tools that the model may call. The client runs them. Absent: the agent uses its own tools."),
      field<&Request::tool_choice>("tool_choice", "Use of the tools: auto, none, required, or one function. Default: auto.")
          .or_default(),
      field<&Request::response_format>("response_format", "Form of the answer: text, json_object or json_schema. Default: text.")
          .or_default(),
      field<&Request::stream>("stream", "True: the answer is a stream of server-sent events. Default: false."),
      field<&Request::stream_options>("stream_options", "Further content of the stream."),
      field<&Request::max_tokens>("max_tokens", "Highest number of tokens in the answer. Absent: the model's own limit."),
      field<&Request::max_completion_tokens>("max_completion_tokens", "Newer name of max_tokens."),
      field<&Request::temperature>("temperature", "Sampling temperature from 0 to 2. Absent: the model's default."),
      field<&Request::top_p>("top_p", "Nucleus sampling from 0 to 1. Absent: the model's default."),
      field<&Request::presence_penalty>("presence_penalty", "Penalty for used words, from -2 to 2. Default: 0."),
      field<&Request::frequency_penalty>("frequency_penalty", "Penalty for frequent words, from -2 to 2. Default: 0."),
      field<&Request::seed>("seed", "Seed of the sampling. Equal seeds make equal answers more likely."),
      field<&Request::stop>("stop", "Text that ends the answer, or a list of up to 4 texts.").or_default(),
      field<&Request::parallel_tool_calls>("parallel_tool_calls", "False: one answer has at most one tool call. Default: true."),
      field<&Request::n>("n", "Number of answers. Only 1 is supported."),
      field<&Request::reasoning_effort>("reasoning_effort",
                                        "Amount of thinking: none, minimal, low, medium or high. Absent: the model's default."),
      field<&Request::audio>("audio", refused_parameter).or_default(),
      field<&Request::function_call>("function_call", refused_parameter).or_default(),
      field<&Request::functions>("functions", refused_parameter).or_default(),
      field<&Request::logit_bias>("logit_bias", refused_parameter).or_default(),
      field<&Request::logprobs>("logprobs", refused_parameter).or_default(),
      field<&Request::modalities>("modalities", refused_parameter).or_default(),
      field<&Request::prediction>("prediction", refused_parameter).or_default(),
      field<&Request::top_logprobs>("top_logprobs", refused_parameter).or_default(),
      field<&Request::verbosity>("verbosity", refused_parameter).or_default(),
      field<&Request::web_search_options>("web_search_options", refused_parameter).or_default());
};

// ---- answer ------------------------------------------------------------------------------------------------------------

struct CachedTokens {
  std::int64_t cached_tokens = 0;
  static constexpr auto wire =
      fields(field<&CachedTokens::cached_tokens>("cached_tokens", "Number of input tokens read from a cache."));
};
struct Usage {
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
  std::int64_t total_tokens = 0;
  CachedTokens prompt_tokens_details{};
  static constexpr auto wire =
      fields(field<&Usage::prompt_tokens>("prompt_tokens", "Number of input tokens."),
             field<&Usage::completion_tokens>("completion_tokens", "Number of output tokens."),
             field<&Usage::total_tokens>("total_tokens", "Number of input and output tokens."),
             field<&Usage::prompt_tokens_details>("prompt_tokens_details", "Details of the input tokens."));
};
struct AnswerFunction {
  std::optional<std::string> name{};
  std::string arguments{};
  static constexpr auto wire = fields(field<&AnswerFunction::name>("name", "Name of the tool."),
                                      field<&AnswerFunction::arguments>("arguments", "Arguments as JSON text."));
};
struct AnswerToolCall {
  std::optional<std::size_t> index{};  // Chunks only.
  std::optional<std::string> id{};
  std::optional<std::string> type{};
  AnswerFunction function{};
  static constexpr auto wire = fields(field<&AnswerToolCall::index>("index", "In chunks: position of the call, counted from 0."),
                                      field<&AnswerToolCall::id>("id", "Id of the call."),
                                      field<&AnswerToolCall::type>("type", "Always the value \"function\"."),
                                      field<&AnswerToolCall::function>("function", "The tool to call, with its arguments."));
};
// Null, not absent: clients declare these members as nullable and required.
struct AnswerMessage {
  std::string role = "assistant";
  Nullable<std::string> content{};
  std::optional<std::string> reasoning_content{};
  Nullable<std::string> refusal{.state = Nullable<std::string>::State::null};
  std::optional<std::vector<AnswerToolCall>> tool_calls{};
  static constexpr auto wire =
      fields(field<&AnswerMessage::role>("role", "Always the value \"assistant\"."),
             field<&AnswerMessage::content>("content", "Text of the answer. Null with tool calls and no text."),
             field<&AnswerMessage::reasoning_content>("reasoning_content",
                                                      "Text of the model's thinking. Absent: the model reports none."),
             field<&AnswerMessage::refusal>("refusal", "Always the value null."),
             field<&AnswerMessage::tool_calls>("tool_calls", "Tool calls that the client must run."));
};
struct Choice {
  std::int64_t index = 0;
  AnswerMessage message{};
  Nullable<std::string> logprobs{.state = Nullable<std::string>::State::null};
  std::string finish_reason{};
  static constexpr auto wire = fields(
      field<&Choice::index>("index", "Always the value 0."), field<&Choice::message>("message", "The answer of the agent."),
      field<&Choice::logprobs>("logprobs", "Always the value null."),
      field<&Choice::finish_reason>("finish_reason",
                                    "Reason for the end of the answer: stop, length, tool_calls or content_filter."));
};
struct ChatCompletion {
  std::string id{};
  std::string object = "chat.completion";
  std::int64_t created = 0;
  std::string model{};
  std::vector<Choice> choices{};
  Usage usage{};
  static constexpr auto wire =
      fields(field<&ChatCompletion::id>("id", "Id of the answer, chatcmpl-…"),
             field<&ChatCompletion::object>("object", "Always chat.completion."),
             field<&ChatCompletion::created>("created", "Time of the answer, in seconds since 1970."),
             field<&ChatCompletion::model>("model", "Name of the agent or model that answered."),
             field<&ChatCompletion::choices>("choices", "Always one choice."),
             field<&ChatCompletion::usage>("usage", "Number of tokens. An estimate if the agent reports none."));
};

struct Delta {
  std::optional<std::string> role{};
  std::optional<std::string> content{};
  std::optional<std::string> reasoning_content{};
  std::optional<std::vector<AnswerToolCall>> tool_calls{};
  static constexpr auto wire = fields(field<&Delta::role>("role", "Role of the author. Only in the first chunk."),
                                      field<&Delta::content>("content", "The next piece of text."),
                                      field<&Delta::reasoning_content>("reasoning_content", "The next piece of thinking."),
                                      field<&Delta::tool_calls>("tool_calls", "New tool calls and pieces of their arguments."));
};
struct ChunkChoice {
  std::int64_t index = 0;
  Delta delta{};
  Nullable<std::string> logprobs{.state = Nullable<std::string>::State::null};
  Nullable<std::string> finish_reason{.state = Nullable<std::string>::State::null};
  static constexpr auto wire =
      fields(field<&ChunkChoice::index>("index", "Always the value 0."),
             field<&ChunkChoice::delta>("delta", "New content of the answer."),
             field<&ChunkChoice::logprobs>("logprobs", "Always the value null."),
             field<&ChunkChoice::finish_reason>("finish_reason",
                                                "Reason for the end of the answer. Only in the last chunk with a choice."));
};
struct Chunk {
  std::string id{};
  std::string object = "chat.completion.chunk";
  std::int64_t created = 0;
  std::string model{};
  std::vector<ChunkChoice> choices{};
  Nullable<Usage> usage{};  // Absent unless requested; then null in all chunks except the last.
  static constexpr auto wire =
      fields(field<&Chunk::id>("id", "Id of the answer, equal in all chunks."),
             field<&Chunk::object>("object", "Always chat.completion.chunk."),
             field<&Chunk::created>("created", "Time of the answer, in seconds since 1970."),
             field<&Chunk::model>("model", "Name of the agent or model that answers."),
             field<&Chunk::choices>("choices", "One choice. Empty in the chunk with the number of tokens."),
             field<&Chunk::usage>("usage", "Number of tokens. Only with stream_options.include_usage."));
};

struct ModelEntry {
  std::string id{};
  std::string object = "model";
  std::int64_t created = 0;
  std::string owned_by = "parlance";
  static constexpr auto wire = fields(field<&ModelEntry::id>("id", "Name for the model of a request."),
                                      field<&ModelEntry::object>("object", "Always the value \"model\"."),
                                      field<&ModelEntry::created>("created", "Start of the gateway, in seconds since 1970."),
                                      field<&ModelEntry::owned_by>("owned_by", "Always the value \"parlance\"."));
};
struct ModelList {
  std::string object = "list";
  std::vector<ModelEntry> data{};
  static constexpr auto wire = fields(field<&ModelList::object>("object", "Always the value \"list\"."),
                                      field<&ModelList::data>("data", "Agents, and the models that they offer."));
};

inline constexpr auto methods = wire::methods(
    wire::call<Request, ChatCompletion>("POST /v1/chat/completions",
                                        "Returns an answer. With `stream`, returns pieces of the answer, each as a Chunk."),
    wire::call<wire::Nothing, ModelList>("GET /v1/models", "Lists the names for the model of a request."));

inline constexpr std::string_view own_model = "parlance";  // The agent decides.

}  // namespace parlance::openai

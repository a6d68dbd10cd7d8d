// SPDX-License-Identifier: Apache-2.0
// The bodies of POST …/chat/completions, in the parts that we use. Only used members are declared; members with several forms
// stay Raw.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::model::openai {

using wire::field;
using wire::fields;
using wire::Raw;

// ---- written -------------------------------------------------------------------------------------------------------

struct CalledFunction {
  std::string name{};
  std::string arguments{};
  static constexpr auto wire =
      fields(field<&CalledFunction::name>("name", "Name of the tool."),
             field<&CalledFunction::arguments>("arguments", "Arguments as JSON text, as the model wrote them."));
};
struct SentCall {
  std::string id{};
  std::string type = "function";
  CalledFunction function{};
  static constexpr auto wire = fields(field<&SentCall::id>("id", "Id of the call, for its result."),
                                      field<&SentCall::type>("type", "Always the value \"function\"."),
                                      field<&SentCall::function>("function", "The called tool with its arguments."));
};
struct SentMessage {
  std::string role{};
  Raw content{};  // Text, or null with tool calls.
  std::optional<std::string> reasoning_content{};
  std::optional<std::vector<SentCall>> tool_calls{};
  std::optional<std::string> tool_call_id{};
  static constexpr auto wire =
      fields(field<&SentMessage::role>("role", "Role of the author: system, user, assistant or tool."),
             field<&SentMessage::content>("content", "Text or null."),
             field<&SentMessage::reasoning_content>("reasoning_content",
                                                    "Thinking of an assistant message, for servers that require it."),
             field<&SentMessage::tool_calls>("tool_calls", "Tool calls of an assistant message."),
             field<&SentMessage::tool_call_id>("tool_call_id", "With role tool: id of the call with this result."));
};
struct Function {
  std::string name{};
  std::string description{};
  Raw parameters{};
  static constexpr auto wire = fields(field<&Function::name>("name", "Name of the tool."),
                                      field<&Function::description>("description", "Purpose of the tool, for the model."),
                                      field<&Function::parameters>("parameters", "JSON Schema of the arguments, an object."));
};
struct Tool {
  std::string type = "function";
  Function function{};
  static constexpr auto wire = fields(field<&Tool::type>("type", "Always the value \"function\"."),
                                      field<&Tool::function>("function", "The tool with name and schema."));
};
struct StreamOptions {
  bool include_usage = true;
  static constexpr auto wire =
      fields(field<&StreamOptions::include_usage>("include_usage", "True: the last chunk contains the number of tokens."));
};
struct Request {
  std::string model{};
  std::vector<SentMessage> messages{};
  std::optional<std::vector<Tool>> tools{};
  bool stream = true;
  std::optional<StreamOptions> stream_options{};
  std::optional<std::int64_t> max_tokens{};
  std::optional<std::int64_t> max_completion_tokens{};
  std::optional<double> temperature{};
  std::optional<double> top_p{};
  std::optional<double> presence_penalty{};
  std::optional<double> frequency_penalty{};
  std::optional<std::int64_t> seed{};
  std::optional<std::vector<std::string>> stop{};
  std::optional<std::string> tool_choice{};
  std::optional<bool> parallel_tool_calls{};
  std::optional<std::string> reasoning_effort{};
  static constexpr auto wire =
      fields(field<&Request::model>("model", "Name of the model."),
             field<&Request::messages>("messages", "Messages of the conversation."),
             field<&Request::tools>("tools", "Tools that the model may call."),
             field<&Request::stream>("stream", "Always the value true."),
             field<&Request::stream_options>("stream_options", "Asks for the number of tokens."),
             field<&Request::max_tokens>("max_tokens", "Highest number of tokens in the answer."),
             field<&Request::max_completion_tokens>("max_completion_tokens", "Newer name of max_tokens."),
             field<&Request::temperature>("temperature", "Sampling temperature from 0 to 2."),
             field<&Request::top_p>("top_p", "Nucleus sampling from 0 to 1."),
             field<&Request::presence_penalty>("presence_penalty", "Penalty for used words, from -2 to 2."),
             field<&Request::frequency_penalty>("frequency_penalty", "Penalty for frequent words, from -2 to 2."),
             field<&Request::seed>("seed", "Seed of the sampling."), field<&Request::stop>("stop", "Texts that end the answer."),
             field<&Request::tool_choice>("tool_choice", "The value required. Absent: the model decides."),
             field<&Request::parallel_tool_calls>("parallel_tool_calls", "Permits several calls in one answer."),
             field<&Request::reasoning_effort>("reasoning_effort", "Amount of thinking, from none to high."));
};

// ---- read ----------------------------------------------------------------------------------------------------------

struct FunctionDelta {
  std::optional<std::string> name{};
  Raw arguments{};  // A piece of text; an object from some servers.
  static constexpr auto wire =
      fields(field<&FunctionDelta::name>("name", "Name of the tool, in the first piece of a call."),
             field<&FunctionDelta::arguments>("arguments", "The next piece of the arguments, or all of them.").or_default());
};
struct CallDelta {
  std::optional<std::int64_t> index{};
  std::optional<std::string> id{};
  std::optional<FunctionDelta> function{};
  static constexpr auto wire =
      fields(field<&CallDelta::index>("index", "Position of the call, counted from 0. Absent from some servers."),
             field<&CallDelta::id>("id", "Id of the call, in the first piece of a call."),
             field<&CallDelta::function>("function", "The called tool."));
};
struct Delta {
  Raw content{};  // Text, null, or a list of parts.
  Raw reasoning_content{};
  Raw reasoning{};  // Text at OpenRouter, vLLM and Ollama; an object elsewhere.
  std::optional<std::string> refusal{};
  std::optional<std::vector<CallDelta>> tool_calls{};
  static constexpr auto wire = fields(
      field<&Delta::content>("content", "The next piece of text.").or_default(),
      field<&Delta::reasoning_content>("reasoning_content", "The next piece of thinking, under DeepSeek's name.").or_default(),
      field<&Delta::reasoning>("reasoning", "The next piece of thinking, under OpenRouter's name.").or_default(),
      field<&Delta::refusal>("refusal", "Reason of a refusal."),
      field<&Delta::tool_calls>("tool_calls", "Pieces of tool calls."));
};
struct Choice {
  std::optional<Delta> delta{};
  std::optional<Delta> message{};  // Of an answer without a stream.
  std::optional<std::string> finish_reason{};
  static constexpr auto wire = fields(field<&Choice::delta>("delta", "New content of the answer."),
                                      field<&Choice::message>("message", "The whole answer, without a stream."),
                                      field<&Choice::finish_reason>("finish_reason", "Reason for the end of the answer."));
};
struct CachedTokens {
  std::optional<double> cached_tokens{};
  static constexpr auto wire =
      fields(field<&CachedTokens::cached_tokens>("cached_tokens", "Number of input tokens read from a cache."));
};
struct TokenUsage {
  std::optional<double> prompt_tokens{};
  std::optional<double> completion_tokens{};
  std::optional<CachedTokens> prompt_tokens_details{};
  static constexpr auto wire =
      fields(field<&TokenUsage::prompt_tokens>("prompt_tokens", "Number of input tokens."),
             field<&TokenUsage::completion_tokens>("completion_tokens", "Number of output tokens."),
             field<&TokenUsage::prompt_tokens_details>("prompt_tokens_details", "Details of the input tokens."));
};
struct Answer {
  std::optional<std::string> model{};
  std::optional<std::vector<Choice>> choices{};
  std::optional<TokenUsage> usage{};
  Raw error{};
  static constexpr auto wire =
      fields(field<&Answer::model>("model", "Name of the model that answered."),
             field<&Answer::choices>("choices", "One choice. Empty in the chunk with the number of tokens."),
             field<&Answer::usage>("usage", "Number of tokens."),
             field<&Answer::error>("error", "An error in the middle of a stream.").or_default());
};

}  // namespace parlance::model::openai

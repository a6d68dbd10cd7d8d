// SPDX-License-Identifier: Apache-2.0
// The bodies of POST …/chat/completions, as far as we write and read them. Reading names only what we use, and keeps as Raw what
// servers send in more than one shape.
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
  static constexpr auto wire = fields(field<&CalledFunction::name>("name", "Of the tool."),
                                      field<&CalledFunction::arguments>("arguments", "JSON text, as the model wrote it."));
};
struct SentCall {
  std::string id{};
  std::string type = "function";
  CalledFunction function{};
  static constexpr auto wire =
      fields(field<&SentCall::id>("id", "Pairs the call with its result."), field<&SentCall::type>("type", "function"),
             field<&SentCall::function>("function", "What was called."));
};
struct SentMessage {
  std::string role{};
  Raw content{};  // text, or null beside tool calls
  std::optional<std::string> reasoning_content{};
  std::optional<std::vector<SentCall>> tool_calls{};
  std::optional<std::string> tool_call_id{};
  static constexpr auto wire =
      fields(field<&SentMessage::role>("role", "system, user, assistant or tool."),
             field<&SentMessage::content>("content", "Text or null."),
             field<&SentMessage::reasoning_content>("reasoning_content", "For the servers that demand it back."),
             field<&SentMessage::tool_calls>("tool_calls", "Of an assistant message."),
             field<&SentMessage::tool_call_id>("tool_call_id", "Of a tool message."));
};
struct Function {
  std::string name{};
  std::string description{};
  Raw parameters{};
  static constexpr auto wire =
      fields(field<&Function::name>("name", "Of the tool."), field<&Function::description>("description", "For the model."),
             field<&Function::parameters>("parameters", "JSON Schema of an object."));
};
struct Tool {
  std::string type = "function";
  Function function{};
  static constexpr auto wire =
      fields(field<&Tool::type>("type", "function"), field<&Tool::function>("function", "What may be called."));
};
struct StreamOptions {
  bool include_usage = true;
  static constexpr auto wire =
      fields(field<&StreamOptions::include_usage>("include_usage", "A last chunk with the tokens used."));
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
  std::optional<std::string> reasoning_effort{};
  static constexpr auto wire =
      fields(field<&Request::model>("model", "Name."), field<&Request::messages>("messages", "The conversation."),
             field<&Request::tools>("tools", "What may be called."), field<&Request::stream>("stream", "Always."),
             field<&Request::stream_options>("stream_options", "Asks for usage."),
             field<&Request::max_tokens>("max_tokens", "Of the answer."),
             field<&Request::max_completion_tokens>("max_completion_tokens", "The newer name of max_tokens."),
             field<&Request::temperature>("temperature", "0 to 2."),
             field<&Request::reasoning_effort>("reasoning_effort", "none to high."));
};

// ---- read ----------------------------------------------------------------------------------------------------------

struct FunctionDelta {
  std::optional<std::string> name{};
  Raw arguments{};  // a piece of text; an object from servers that parse it themselves
  static constexpr auto wire = fields(field<&FunctionDelta::name>("name", "In the first delta of a call."),
                                      field<&FunctionDelta::arguments>("arguments", "Next piece, or all.").or_default());
};
struct CallDelta {
  std::optional<std::int64_t> index{};
  std::optional<std::string> id{};
  std::optional<FunctionDelta> function{};
  static constexpr auto wire = fields(field<&CallDelta::index>("index", "Which call; some servers leave it out."),
                                      field<&CallDelta::id>("id", "In the first delta of a call."),
                                      field<&CallDelta::function>("function", "What is called."));
};
struct Delta {
  Raw content{};  // text, null, or a list of parts
  Raw reasoning_content{};
  Raw reasoning{};  // text at OpenRouter, vLLM and Ollama; an object elsewhere
  std::optional<std::string> refusal{};
  std::optional<std::vector<CallDelta>> tool_calls{};
  static constexpr auto wire = fields(field<&Delta::content>("content", "Text.").or_default(),
                                      field<&Delta::reasoning_content>("reasoning_content", "DeepSeek's name.").or_default(),
                                      field<&Delta::reasoning>("reasoning", "OpenRouter's name.").or_default(),
                                      field<&Delta::refusal>("refusal", "Why there is no answer."),
                                      field<&Delta::tool_calls>("tool_calls", "Pieces of calls."));
};
struct Choice {
  std::optional<Delta> delta{};
  std::optional<Delta> message{};  // of an answer that does not stream
  std::optional<std::string> finish_reason{};
  static constexpr auto wire =
      fields(field<&Choice::delta>("delta", "What is new."), field<&Choice::message>("message", "All at once."),
             field<&Choice::finish_reason>("finish_reason", "Why it ended."));
};
struct CachedTokens {
  std::optional<double> cached_tokens{};
  static constexpr auto wire = fields(field<&CachedTokens::cached_tokens>("cached_tokens", "Read from a cache."));
};
struct TokenUsage {
  std::optional<double> prompt_tokens{};
  std::optional<double> completion_tokens{};
  std::optional<CachedTokens> prompt_tokens_details{};
  static constexpr auto wire = fields(field<&TokenUsage::prompt_tokens>("prompt_tokens", "In."),
                                      field<&TokenUsage::completion_tokens>("completion_tokens", "Out."),
                                      field<&TokenUsage::prompt_tokens_details>("prompt_tokens_details", "Of those in."));
};
struct Answer {
  std::optional<std::string> model{};
  std::optional<std::vector<Choice>> choices{};
  std::optional<TokenUsage> usage{};
  Raw error{};
  static constexpr auto wire =
      fields(field<&Answer::model>("model", "What answered."), field<&Answer::choices>("choices", "One; none beside usage."),
             field<&Answer::usage>("usage", "Tokens."), field<&Answer::error>("error", "In mid-stream.").or_default());
};

}  // namespace parlance::model::openai

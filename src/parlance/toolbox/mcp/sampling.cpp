// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/sampling.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"

namespace parlance::toolbox {
namespace {

constexpr std::size_t most_messages = 100;     // of one request
constexpr std::size_t most_bytes = 128 << 10;  // of all its texts: a person is to read them
constexpr std::uint64_t most_tokens = 8192;    // of an answer; a server that wants more gets so many

Result<std::string> text_of(const json::Value& block) {
  if (block.text_or("type", "") != "text" || block.find("text") == nullptr || block.find("text")->text() == nullptr)
    return fail(Errc::invalid_params,
                "this client lets a model answer text only, not \"" + std::string(block.text_or("type", "")) + '"');
  return *block.find("text")->text();
}

Result<std::string> text_of(const wire::Raw& content) {
  const auto value = json::parse(content.json);
  if (!value) return fail(Errc::invalid_params, "content: expected a block or a list of blocks");
  if (value->array() == nullptr) return text_of(*value);
  std::string all;
  for (const json::Value& block : *value->array()) {
    PARLANCE_TRY(text, text_of(block));
    all += (all.empty() ? "" : "\n") + text;
  }
  return all;
}

// Replaces control characters: the person must see the complete text.
std::string visible(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) out += "\xef\xbf\xbd";
    else out += c;
  }
  return out;
}

}  // namespace

Result<hub::SampleRequest> sample_request_of(const mcp::CreateMessageParams& asked) {
  if (!asked.tools.json.empty() && asked.tools.json != "null" && asked.tools.json != "[]")
    return fail(Errc::invalid_params, "tools: this client lets a model answer without tools only");
  if (asked.messages.empty() || asked.messages.size() > most_messages)
    return fail(Errc::invalid_params, "messages: 1 to " + std::to_string(most_messages));
  hub::SampleRequest request{.system = asked.system_prompt.value_or(""),
                             .max_tokens = std::min(asked.max_tokens == 0 ? most_tokens : asked.max_tokens, most_tokens)};
  std::size_t bytes = request.system.size();
  for (const mcp::SamplingMessage& message : asked.messages) {
    PARLANCE_TRY(text, text_of(message.content));
    bytes += text.size();
    request.messages.push_back({.by_model = message.role == mcp::Role::assistant, .text = std::move(text)});
  }
  if (bytes > most_bytes)
    return fail(Errc::overloaded,
                std::to_string(bytes) + " bytes of text; a person is asked about " + std::to_string(most_bytes) + " at most");
  if (request.messages.back().by_model) return fail(Errc::invalid_params, "messages: the last message must be the user's");
  return request;
}

hub::AskRequest sampling_ask(const std::string& server, const std::string& tool, const hub::SampleRequest& request) {
  std::string detail;
  if (!request.system.empty()) detail += "system:\n" + visible(request.system) + "\n\n";
  for (const hub::SampleRequest::Message& message : request.messages)
    detail += (message.by_model ? "assistant:\n" : "user:\n") + visible(message.text) + "\n\n";
  detail += "(an answer of " + std::to_string(request.max_tokens) + " tokens at most, which goes to " + server + ")";
  const std::string title = server + " wants an answer of your model";
  const std::string label = "Always let " + server + " ask the model";
  const std::string name = "sampling of " + server;  // for rules and hooks; no tool of a model can have this name
  hub::Rule rule{.effect = hub::Effect::allow, .label = server + " may ask the model", .tool = name};
  return {.kind = hub::AskKind::permission,
          .tool = name,
          .title = title,
          .reason = hub::Reason(hub::ReasonId::mcp_model, {server, tool}),
          .detail = detail,
          .options = {{.id = "once", .label = "Allow once", .kind = hub::OptionKind::allow_once},
                      {.id = "always", .label = label, .kind = hub::OptionKind::allow_always},
                      {.id = "reject", .label = "Reject", .kind = hub::OptionKind::reject_once}},
          .rules = {{.option = "always", .rule = std::move(rule)}}};
}

mcp::CreateMessageResult sampled(hub::SampleReply reply) {
  json::Object block;
  block.set("type", "text");
  block.set("text", std::move(reply.text));
  return {.role = mcp::Role::assistant,
          .content = {json::to_text(json::Value(std::move(block)))},
          .model = std::move(reply.model),
          .stop_reason = reply.cut ? "maxTokens" : "endTurn"};
}

}  // namespace parlance::toolbox

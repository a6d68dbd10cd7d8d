// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/openai.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/model/history.h"
#include "parlance/model/provider/model_habits.h"
#include "parlance/model/provider/openai_messages.h"
#include "parlance/model/provider/openai_stream.h"
#include "parlance/model/tool_schema.h"

namespace parlance::model {
namespace {

constexpr std::string_view default_gpt = "gpt-4.1";

wire::Raw text_content(std::string_view text) {
  wire::Raw raw;
  json::write_text(raw.json, text);
  return raw;
}

openai::SentMessage assistant_message(const Message& message, bool with_reasoning) {
  openai::SentMessage sent{.role = "assistant", .content = text_content(message.content)};
  if (message.tool_calls.empty()) return sent;
  if (message.content.empty()) sent.content.json = "null";
  sent.tool_calls.emplace();
  for (const ToolCall& call : message.tool_calls)
    sent.tool_calls->push_back({.id = call.id, .function = {.name = call.name, .arguments = object_or_empty(call.arguments)}});
  if (with_reasoning) sent.reasoning_content = message.reasoning;
  return sent;
}

// Text, or a list of parts for attachments that the server accepts.
wire::Raw user_content(const Message& message) {
  std::string text = message.content;
  std::string parts;
  for (const Attachment& attachment : message.attachments) {
    if (const auto part = openai_part(attachment)) parts += "," + *part;
    else add_note(text, unseen_note(attachment));
  }
  if (parts.empty()) return text_content(text);
  if (text.empty()) return {"[" + parts.substr(1) + "]"};
  return {R"([{"type":"text","text":)" + text_content(text).json + "}" + parts + "]"};
}

// The API refuses pictures in a tool message, so the pictures of all results follow in a user message.
Message pictures_of(const Message& results) {
  Message pictures{.content = "(Pictures of the tool results above, in their order. The tools sent them, not the person.)"};
  for (const ToolResult& result : results.tool_results)
    pictures.attachments.insert(pictures.attachments.end(), result.attachments.begin(), result.attachments.end());
  return pictures;
}

std::vector<openai::SentMessage> sent_messages(const std::vector<Message>& messages, const OpenAiHabits& habits) {
  std::vector<openai::SentMessage> out;
  const std::size_t loop = loop_start(messages);
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const Message& message = messages[m];
    switch (message.role) {
      case Role::system: out.push_back({.role = "system", .content = text_content(message.content)}); break;
      case Role::user: out.push_back({.role = "user", .content = user_content(message)}); break;
      case Role::assistant: out.push_back(assistant_message(message, habits.reasoning_back && m >= loop)); break;
      case Role::tool:
        for (const ToolResult& result : message.tool_results) {
          // The API has no mark for a failed result, so the text states the failure.
          const bool says_so = !result.failed || to_lower(result.content.substr(0, 40)).find("error") != std::string::npos;
          out.push_back({.role = "tool",
                         .content = text_content(says_so ? result.content : "Error: " + result.content),
                         .tool_call_id = result.call_id});
        }
        if (Message pictures = pictures_of(message); !pictures.attachments.empty())
          out.push_back({.role = "user", .content = user_content(pictures)});
        break;
    }
  }
  return out;
}

class OpenAiModel final : public HttpModel {
 public:
  OpenAiModel(Loop& loop, std::unique_ptr<Http> http, ModelSettings settings, Endpoint endpoint)
      : HttpModel(loop, std::move(http), std::move(settings), std::move(endpoint)) {}

  std::string_view name() const override {
    if (!settings().name.empty()) return settings().name;
    return first_model_.empty() ? std::string_view("default") : std::string_view(first_model_);
  }
  bool shows(const Attachment& attachment, std::string_view model) const override {
    return has_openai_part(attachment) && !has_refused(attachment, model);
  }

 private:
  std::string body(const ChatRequest& request) override { return openai_body(request, habits_.of(request.model)); }
  std::unique_ptr<StreamDecoder> decoder(ChunkSink& chunks) override {
    return std::make_unique<OpenAiStream>(chunks, settings().limits.answer_bytes);
  }
  bool adapt(const ChatRequest& request, std::string_view sentence) override;
  Task<Result<void>> prepare(ChatRequest& request) override;

  ModelHabits<OpenAiHabits> habits_;
  std::string first_model_;  // for a server without a configured model
};

// Each extension is dropped at most once, so that a server's refusals end the retries.
bool changes(OpenAiHabits& habits, const ChatRequest& request, std::string_view sentence) {
  const auto names = [&](std::string_view word) { return sentence.find(word) != std::string_view::npos; };
  if (request.max_tokens && !habits.completion_tokens_name && names("max_completion_tokens"))
    return habits.completion_tokens_name = true;
  if (habits.sent.stream_options && (names("stream_options") || names("include_usage")))
    return !(habits.sent.stream_options = false);
  // A refused effort from a client is an error, like its other parameters.
  if (request.think != Think::standard && request.parameters.effort.empty() && habits.sent.reasoning_effort &&
      (names("reasoning_effort") || names("reasoning.effort")))
    return !(habits.sent.reasoning_effort = false);
  if (request.parameters.must_call && habits.sent.tool_choice && names("tool_choice")) return !(habits.sent.tool_choice = false);
  if (!habits.reasoning_back && names("reasoning_content")) return habits.reasoning_back = true;
  return false;
}

bool OpenAiModel::adapt(const ChatRequest& request, std::string_view sentence) {
  OpenAiHabits habits = habits_.of(request.model);
  if (!changes(habits, request, sentence)) return false;
  habits_.learn(request.model, habits);
  return true;
}

// A local server mostly has a single model, and people rarely know its exact name: ask once and take the first.
Task<Result<void>> OpenAiModel::prepare(ChatRequest& request) {
  if (!request.model.empty()) co_return Result<void>{};
  if (first_model_.empty()) {
    std::string url = endpoint().url;
    const std::string_view method = "/chat/completions";
    url.replace(url.find(method), method.size(), "/models");
    std::string list;
    auto response = co_await http().stream(request_to(std::move(url), "GET"), [&](BytesView bytes) -> Result<void> {
      if (list.size() + bytes.size() > settings().limits.answer_bytes)
        return fail(Errc::failed, "the list of models is too long");
      list += bytes;
      return {};
    });
    if (!response) co_return fail(Error(response.error()).in(endpoint().shown));
    if (response->status == 401 || response->status == 403) co_return fail(status_error(endpoint(), "", *response));
    if (trim(list).starts_with('<')) co_return fail(Errc::not_found, endpoint().shown + ": " + std::string(web_page_sentence));
    const auto document = json::parse(list);
    const json::Value* data = document ? document->find("data") : nullptr;
    if (data != nullptr && data->array() != nullptr && !data->array()->empty())
      first_model_ = data->array()->front().text_or("id", "");
    if (first_model_.empty())
      co_return fail(Errc::invalid_params,
                     endpoint().shown + " does not say which models it has: name one with --model-name or PARLANCE_MODEL_NAME");
  }
  request.model = first_model_;
  co_return Result<void>{};
}

}  // namespace

std::string openai_body(const ChatRequest& request, const OpenAiHabits& habits) {
  openai::Request body{.model = request.model, .messages = sent_messages(repaired(request.messages), habits)};
  if (!request.tools.empty()) {
    body.tools.emplace();
    for (const ToolSpec& tool : request.tools)
      body.tools->push_back(
          {.function = {.name = tool.name, .description = tool.description, .parameters = {object_schema(tool.parameters)}}});
  }
  if (habits.sent.stream_options) body.stream_options.emplace();
  if (habits.completion_tokens_name) body.max_completion_tokens = request.max_tokens;
  else body.max_tokens = request.max_tokens;
  const ChatParameters& parameters = request.parameters;
  body.temperature = request.temperature;
  body.top_p = parameters.top_p;
  body.presence_penalty = parameters.presence_penalty;
  body.frequency_penalty = parameters.frequency_penalty;
  body.seed = parameters.seed;
  if (!parameters.stop.empty()) body.stop = parameters.stop;
  if (parameters.must_call && body.tools && habits.sent.tool_choice) body.tool_choice = "required";
  if (body.tools) body.parallel_tool_calls = parameters.parallel_calls;
  if (!parameters.effort.empty()) body.reasoning_effort = parameters.effort;
  else if (habits.sent.reasoning_effort && request.think != Think::standard)
    body.reasoning_effort = request.think == Think::on ? "medium" : "none";
  return json::to_text(body);
}

Result<std::unique_ptr<HttpModel>> make_openai(Loop& loop, ModelSettings settings, std::unique_ptr<Http> http) {
  PARLANCE_TRY(endpoint, make_endpoint(settings));
  if (settings.name.empty() && settings.url.empty()) settings.name = default_gpt;
  if (!http) http = lazy_http(loop);
  return std::make_unique<OpenAiModel>(loop, std::move(http), std::move(settings), std::move(endpoint));
}

}  // namespace parlance::model

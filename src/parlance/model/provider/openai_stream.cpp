#include "parlance/model/provider/openai_stream.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/provider/endpoint.h"

namespace parlance::model {
namespace {

// Text as text; the parts of a list joined (Mistral's `[{"type":"text","text":…}]`); anything else is no text.
std::string text_of(const wire::Raw& raw) {
  if (raw.json.empty() || raw.json == "null") return {};
  const auto value = json::parse(raw.json);
  if (!value) return {};
  if (value->text() != nullptr) return *value->text();
  std::string joined;
  if (value->array() != nullptr)
    for (const json::Value& part : *value->array()) joined += part.text_or("text", "");
  return joined;
}

// The arguments' JSON text: a piece as the model wrote it, or an object that the server has parsed.
std::string arguments_of(const wire::Raw& raw) {
  if (raw.json.starts_with('"')) return text_of(raw);
  return raw.json.starts_with('{') ? raw.json : std::string();
}

std::optional<StopReason> finish_from(std::string_view reason) {
  if (reason.empty()) return std::nullopt;
  if (reason == "length" || reason == "max_tokens" || reason == "model_length") return StopReason::max_tokens;
  if (reason == "tool_calls" || reason == "function_call") return StopReason::tool_calls;
  if (reason == "content_filter" || reason == "refusal" || reason == "safety") return StopReason::refusal;
  return StopReason::end_turn;
}

Error stream_error(const wire::Raw& raw) {
  const std::string sentence = error_sentence("{\"error\":" + raw.json + "}");
  const auto value = json::parse(raw.json);
  std::int64_t status = 0;
  std::string kind;
  if (value && value->object() != nullptr) {
    status = value->integer_or("code", 0);
    kind = std::string(value->text_or("type", "")) + " " + std::string(value->text_or("code", ""));
  }
  const auto speaks_of = [&](std::string_view word) { return kind.find(word) != std::string::npos; };
  Errc code = Errc::failed;
  if (says_too_long(sentence) || says_too_long(kind)) code = Errc::invalid_params;
  else if (speaks_of("insufficient_quota")) code = Errc::denied;
  else if (status == 429 || status >= 500 || speaks_of("server_error") || speaks_of("rate_limit") || speaks_of("overloaded"))
    code = Errc::overloaded;
  return Error{.code = code, .message = "the server ended the answer with an error: " + sentence};
}

std::int64_t tokens(const std::optional<double>& count) {
  return count && *count >= 0 && *count < 1e15 ? static_cast<std::int64_t>(*count) : 0;
}

}  // namespace

OpenAiStream::OpenAiStream(ChunkSink& chunks, std::size_t byte_limit)
    : StreamDecoder(chunks, byte_limit),
      content_([this](std::string_view piece) { return answer_.reasoning(piece); },
               [this](std::string_view piece) { return answer_.text(piece); }) {}

Result<void> OpenAiStream::event(std::string_view, std::string_view data) {
  const std::string_view text = trim(data);
  if (text.empty() || done_) return {};
  if (text == "[DONE]") {
    done_ = true;
    return {};
  }
  return take(text);
}

Result<void> OpenAiStream::whole(std::string_view json) {
  PARLANCE_TRY_DO(take(trim(json)));
  done_ = true;
  return {};
}

Result<void> OpenAiStream::take(std::string_view json) {
  auto chunk = json::from_text<openai::Answer>(json);
  if (!chunk) return fail(Errc::failed, "the server sent what is no chat completion: " + chunk.error().message);
  if (!chunk->error.json.empty() && chunk->error.json != "null") return fail(stream_error(chunk->error));
  if (chunk->model && !chunk->model->empty()) answer_.set_model(*chunk->model);
  if (chunk->choices && !chunk->choices->empty()) {
    const openai::Choice& choice = chunk->choices->front();  // one is asked for
    if (choice.delta) PARLANCE_TRY_DO(take_delta(*choice.delta));
    if (choice.message) PARLANCE_TRY_DO(take_delta(*choice.message));
    if (choice.finish_reason)
      if (const auto stop = finish_from(*choice.finish_reason)) answer_.set_stop(refused_ ? StopReason::refusal : *stop);
  }
  if (chunk->usage) {
    const auto& details = chunk->usage->prompt_tokens_details;
    PARLANCE_TRY_DO(answer_.usage(Usage{.input_tokens = tokens(chunk->usage->prompt_tokens),
                                        .output_tokens = tokens(chunk->usage->completion_tokens),
                                        .cached_tokens = details ? tokens(details->cached_tokens) : 0}));
  }
  return {};
}

Result<void> OpenAiStream::take_delta(const openai::Delta& delta) {
  // Servers in between name both for the same text.
  const std::string reasoning = text_of(delta.reasoning_content);
  PARLANCE_TRY_DO(answer_.reasoning(reasoning.empty() ? text_of(delta.reasoning) : reasoning));
  if (const std::string text = text_of(delta.content); !text.empty()) PARLANCE_TRY_DO(content_.feed(text));
  if (delta.refusal && !delta.refusal->empty()) {
    refused_ = true;
    PARLANCE_TRY_DO(content_.feed(*delta.refusal));
  }
  if (delta.tool_calls)
    for (const openai::CallDelta& call : *delta.tool_calls) PARLANCE_TRY_DO(take_call(call));
  return {};
}

Result<void> OpenAiStream::take_call(const openai::CallDelta& delta) {
  const std::string name = delta.function && delta.function->name ? *delta.function->name : std::string();
  const std::string arguments = delta.function ? arguments_of(delta.function->arguments) : std::string();
  const std::string id = delta.id.value_or("");
  if (id.empty() && name.empty() && arguments.empty()) return {};
  PARLANCE_TRY(call, call_for(delta, id, name, arguments));
  last_call_ = call;
  PARLANCE_TRY_DO(answer_.name_call(call, id, name));
  return answer_.arguments(call, arguments);
}

// The rule is: the same index continues a call. What is met besides: no index at all (an id or a name begins a call, anything else
// continues the last one), and index 0 for every one of several whole calls (Gemini's compatible endpoint).
Result<std::size_t> OpenAiStream::call_for(const openai::CallDelta& delta, std::string_view id, std::string_view name,
                                           std::string_view arguments) {
  std::optional<std::size_t> known;
  if (delta.index) {
    if (const auto found = by_index_.find(*delta.index); found != by_index_.end()) known = found->second;
  } else {
    known = last_call_;
    if (!id.empty())
      for (std::size_t i = 0; i < answer_.calls().size(); ++i)
        if (answer_.calls()[i].id == id) known = i;
  }
  if (known && !begins_another(*known, id, name, arguments)) return *known;
  PARLANCE_TRY(begun, answer_.begin_call(id, name));
  if (delta.index) by_index_[*delta.index] = begun;
  return begun;
}

bool OpenAiStream::begins_another(std::size_t call, std::string_view id, std::string_view name,
                                  std::string_view arguments) const {
  const ToolCall& current = answer_.calls()[call];
  if (!id.empty() && !current.id.empty()) return id != current.id;
  if (name.empty() || current.name.empty()) return false;
  // A name again: either a server that repeats it in each delta, or the next whole call. The arguments tell.
  return name != current.name || (!arguments.empty() && json::is_valid(current.arguments));
}

Result<Completion> OpenAiStream::finish() {
  PARLANCE_TRY_DO(content_.finish());
  if (!done_ && !answer_.has_stop()) return fail(Errc::disconnected, "the connection ended before the answer did");
  if (refused_) answer_.set_stop(StopReason::refusal);
  return answer_.finish();
}

}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/openai_stream.h"

#include <algorithm>
#include <iterator>

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

// The JSON text of the arguments: a piece of the model's text, or an object parsed by the server.
std::string arguments_of(const wire::Raw& raw) {
  if (raw.json.starts_with('"')) return text_of(raw);
  return raw.json.starts_with('{') ? raw.json : std::string();
}

// OpenRouter, vLLM, DeepSeek and GLM report an unfinished answer with these reasons.
constexpr std::string_view unfinished[] = {"error",         "abort",  "aborted", "cancelled", "insufficient_system_resource",
                                           "network_error", "timeout"};
constexpr std::string_view finished[] = {"stop", "tool_calls", "function_call", "tool_use", "end_turn",
                                         "eos",  "eos_token",  "stop_sequence", "complete", "completed"};

// An unknown reason ends a text; calls do not run after such a reason.
void take_finish(Answer& answer, std::string_view reason) {
  if (reason.empty()) return;
  if (reason == "length" || reason == "max_tokens" || reason == "model_length") answer.set_stop(StopReason::max_tokens);
  else if (reason == "content_filter" || reason == "refusal" || reason == "safety") answer.set_stop(StopReason::refusal);
  else if (std::ranges::find(unfinished, reason) != std::end(unfinished)) answer.set_broken_off(reason);
  else if (std::ranges::find(finished, reason) != std::end(finished) || answer.calls().empty())
    answer.set_stop(StopReason::end_turn);
  else answer.set_broken_off(reason);
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
  return Error{.code = code,
               .message = "the server ended the answer with an error: " + sentence +
                          std::string(code == Errc::invalid_params ? too_long_cure : "")};
}

}  // namespace

OpenAiStream::OpenAiStream(ChunkSink& chunks, std::size_t byte_limit) : StreamDecoder(chunks, byte_limit) {}

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
  if (!answer_.has_stop()) answer_.set_stop(StopReason::end_turn);  // a whole document was not cut
  done_ = true;
  return {};
}

Result<void> OpenAiStream::take(std::string_view json) {
  auto chunk = json::from_text<openai::Answer>(json);
  if (!chunk) return fail(Errc::failed, "the server sent what is no chat completion: " + chunk.error().message);
  if (!chunk->error.json.empty() && chunk->error.json != "null") return fail(stream_error(chunk->error));
  if (chunk->model && !chunk->model->empty()) answer_.set_model(*chunk->model);
  if (chunk->choices && !chunk->choices->empty()) {
    const openai::Choice& choice = chunk->choices->front();  // the request asks for a single choice
    if (choice.delta) PARLANCE_TRY_DO(take_delta(*choice.delta));
    if (choice.message) PARLANCE_TRY_DO(take_delta(*choice.message, true));
    if (choice.finish_reason) take_finish(answer_, *choice.finish_reason);
  }
  if (chunk->usage) {
    const auto& details = chunk->usage->prompt_tokens_details;
    Usage usage = answer_.usage_so_far();
    usage.input_tokens = tokens(chunk->usage->prompt_tokens, usage.input_tokens);
    usage.output_tokens = tokens(chunk->usage->completion_tokens, usage.output_tokens);
    if (details) usage.cached_tokens = tokens(details->cached_tokens, usage.cached_tokens);
    PARLANCE_TRY_DO(answer_.usage(usage));
  }
  return {};
}

Result<void> OpenAiStream::take_content(const std::vector<ThinkPiece>& pieces) {
  for (const ThinkPiece& piece : pieces) {
    if (piece.kind == ThinkPiece::Kind::thought) PARLANCE_TRY_DO(answer_.reasoning(piece.text));
    if (piece.kind == ThinkPiece::Kind::text) PARLANCE_TRY_DO(answer_.text(piece.text));
  }
  return {};
}

Result<void> OpenAiStream::take_delta(const openai::Delta& delta, bool whole) {
  // Servers in between name both for the same text.
  const std::string reasoning = text_of(delta.reasoning_content);
  PARLANCE_TRY_DO(answer_.reasoning(reasoning.empty() ? text_of(delta.reasoning) : reasoning));
  std::vector<ThinkPiece> pieces;
  content_.feed(text_of(delta.content), pieces);
  if (delta.refusal && !delta.refusal->empty()) {
    refused_ = true;
    content_.feed(*delta.refusal, pieces);
  }
  PARLANCE_TRY_DO(take_content(pieces));
  const std::size_t earlier = answer_.calls().size();
  if (delta.tool_calls)
    for (const openai::CallDelta& call : *delta.tool_calls)
      PARLANCE_TRY_DO(take_call(call, whole ? std::optional(earlier) : std::nullopt));
  return {};
}

// `earlier_calls`: the entry comes from a whole message, after this number of earlier calls. The entry is a separate call unless
// an earlier call has the same name and arguments.
Result<void> OpenAiStream::take_call(const openai::CallDelta& delta, std::optional<std::size_t> earlier_calls) {
  const std::string name = delta.function && delta.function->name ? *delta.function->name : std::string();
  const std::string arguments = delta.function ? arguments_of(delta.function->arguments) : std::string();
  const std::string id = delta.id.value_or("");
  if (id.empty() && name.empty() && arguments.empty()) return {};
  for (std::size_t i = 0; earlier_calls && i < *earlier_calls; ++i)
    if (answer_.calls()[i].name == name && answer_.calls()[i].arguments == arguments) return {};
  PARLANCE_TRY(call, earlier_calls ? begin_call(id, name) : call_for(delta, id, name, arguments));
  if (is_repeated(call, id, name, arguments)) return {};
  last_call_ = call;
  PARLANCE_TRY_DO(answer_.name_call(call, id, name));
  if (ids_[call].empty()) ids_[call] = id;
  return answer_.arguments(call, arguments);
}

Result<std::size_t> OpenAiStream::begin_call(std::string_view id, std::string_view name) {
  PARLANCE_TRY(begun, answer_.begin_call(id, name));
  ids_.emplace_back(id);
  return begun;
}

// A whole call repeated unchanged: running twice is worse than running once.
bool OpenAiStream::is_repeated(std::size_t call, std::string_view id, std::string_view name, std::string_view arguments) const {
  const ToolCall& current = answer_.calls()[call];
  return !id.empty() && !arguments.empty() && ids_[call] == id && current.name == name && current.arguments == arguments &&
         json::is_valid(arguments);
}

// The rule is: the same index continues a call. Some servers break the rule. Without any index, an id or a name begins a call,
// and other pieces continue the last call. Gemini's compatible endpoint sends index 0 for each of several whole calls. In other
// servers, the index grows with each piece or names a finished call. Arguments without an id and a name under such an index
// belong to the call in progress.
Result<std::size_t> OpenAiStream::call_for(const openai::CallDelta& delta, std::string_view id, std::string_view name,
                                           std::string_view arguments) {
  std::optional<std::size_t> known;
  if (delta.index) {
    if (const auto found = by_index_.find(*delta.index); found != by_index_.end()) known = found->second;
  } else {
    known = last_call_;
    if (!id.empty())
      for (std::size_t i = 0; i < ids_.size(); ++i)
        if (ids_[i] == id) known = i;
  }
  if (id.empty() && name.empty() && last_call_ && (!known || is_finished(*known))) return *last_call_;
  if (known && !begins_another(*known, id, name, arguments)) return *known;
  PARLANCE_TRY(begun, begin_call(id, name));
  if (delta.index) by_index_[*delta.index] = begun;
  return begun;
}

bool OpenAiStream::is_finished(std::size_t call) const {
  return call != last_call_ && !answer_.calls()[call].arguments.empty() && json::is_valid(answer_.calls()[call].arguments);
}

bool OpenAiStream::begins_another(std::size_t call, std::string_view id, std::string_view name,
                                  std::string_view arguments) const {
  const ToolCall& current = answer_.calls()[call];
  if (!id.empty() && !ids_[call].empty() && id != ids_[call]) return true;
  if (name.empty() || current.name.empty()) return false;
  // A repeated name: either a server that repeats the name in each delta, or the next whole call, even under the same id. The
  // arguments decide.
  const bool more = arguments.find_first_not_of(" \t\r\n") != std::string_view::npos && !is_repeated(call, id, name, arguments);
  return name != current.name || (more && json::is_valid(current.arguments));
}

Result<Completion> OpenAiStream::finish() {
  std::vector<ThinkPiece> left;
  content_.finish(left);
  PARLANCE_TRY_DO(take_content(left));
  if (!done_ && !answer_.has_stop()) return fail(Errc::disconnected, "the connection ended before the answer did");
  if (refused_) answer_.set_stop(StopReason::refusal);
  return answer_.finish();
}

}  // namespace parlance::model

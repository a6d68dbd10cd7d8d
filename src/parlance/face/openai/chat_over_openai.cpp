// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/chat_over_openai.h"

#include <algorithm>
#include <optional>

#include "parlance/async/scope.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/openai/limits.h"
#include "parlance/face/openai/request.h"
#include "parlance/face/openai/structured_chat.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/transport/http/limits.h"

namespace parlance::face {

// Common members of all parts of an answer.
struct ChatOverOpenAi::Shape {
  std::string id{};
  std::int64_t created = 0;
  std::string model{};  // the client's name, until the agent reports its own
  bool include_usage = false;
  std::size_t prompt_bytes = 0;
};

struct ChatOverOpenAi::Wanted {
  openai::Request request{};
  model::ChatRequest chat{};
  ServedModels::Chosen by{};
  bool brings_tools = false;
  std::optional<openai::AnswerShape> shape{};  // of the answer; no value: text
};

namespace {

using openai::AnswerToolCall;
using NullableText = wire::Nullable<std::string>;

constexpr std::string_view models_folder = "/v1/models/";

NullableText text_value(std::string_view text) { return {.state = NullableText::State::value, .value = std::string(text)}; }

std::int64_t seconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

AnswerToolCall whole_call(const model::ToolCall& call, std::optional<std::size_t> index) {
  return {.index = index, .id = call.id, .type = "function", .function = {.name = call.name, .arguments = call.arguments}};
}

openai::AnswerMessage answer_message(const model::Completion& completion) {
  openai::AnswerMessage message;
  // Beside tool calls an empty text is null.
  message.content = completion.content.empty() && !completion.tool_calls.empty()
                        ? NullableText{.state = NullableText::State::null}
                        : text_value(completion.content);
  if (!completion.reasoning.empty()) message.reasoning_content = completion.reasoning;
  if (!completion.tool_calls.empty()) {
    message.tool_calls.emplace();
    for (const model::ToolCall& call : completion.tool_calls) message.tool_calls->push_back(whole_call(call, std::nullopt));
  }
  return message;
}

// A streamed answer: chunks of the model become events, which wait here until the client has read the earlier ones.
class EventStream final : public ChatFollower {
 public:
  template <class Shape>
  EventStream(Loop& loop, const Shape& shape)
      : loop_(loop), include_usage_(shape.include_usage), prompt_bytes_(shape.prompt_bytes), changed_(loop) {
    chunk_.id = shape.id;
    chunk_.created = shape.created;
    chunk_.model = shape.model;
    if (include_usage_) chunk_.usage.state = wire::Nullable<openai::Usage>::State::null;
  }

  Task<void> run(Task<Result<model::Completion>> chat) {
    auto completion = co_await std::move(chat);
    if (completion) finish(*completion);
    else error_ = std::move(completion).error();
    done_ = true;
    changed_.notify_all();
  }

  // Events to send, possibly none: after limits::sse_keep_alive without events, or at the end.
  Task<std::string> next() {
    if (text_.empty() && !done_) (void)co_await with_deadline(loop_, loop_.now() + limits::sse_keep_alive, change());
    co_return std::exchange(text_, {});
  }
  bool done() const { return done_; }
  const std::optional<Error>& error() const { return error_; }

  Result<void> on_chunk(model::Chunk chunk) override {
    if (text_.size() > limits::unsent_answer_bytes) return fail(Errc::disconnected, "the client does not read its answer");
    std::visit([this](const auto& part) { add(part); }, chunk);
    changed_.notify_all();
    return {};
  }
  // A note is a thought: clients show thoughts to a person and separate them from the answer. Also a comment, for people who read
  // the raw stream.
  void on_note(std::string note) override {
    text_ += ": " + note.substr(0, note.find_first_of("\r\n")) + "\n\n";
    emit({.reasoning_content = std::move(note)});
    changed_.notify_all();
  }

 private:
  Task<Result<void>> change() {
    co_await changed_.wait();
    co_return Result<void>{};
  }

  void add(const model::TextDelta& piece) {
    text_bytes_ += piece.text.size();
    emit({.content = piece.text});
  }
  void add(const model::ReasoningDelta& piece) {
    reasoning_bytes_ += piece.text.size();
    emit({.reasoning_content = piece.text});
  }
  void add(const model::ToolCallStart& start) {
    calls_ = std::max(calls_, start.index + 1);
    emit_call({.index = start.index, .id = start.id, .type = "function", .function = {.name = start.name}});
  }
  void add(const model::ToolCallDelta& piece) { emit_call({.index = piece.index, .function = {.arguments = piece.arguments}}); }
  void add(const model::Usage&) {}
  void add(const model::Silence&) {}  // the stream has comments of its own
  void add(const model::Retrying& retrying) {
    text_ += ": the model is asked again (attempt " + std::to_string(retrying.attempt) + ")\n\n";
  }

  // The parts reported only at the end (without streaming, or tool calls of a text-only stream).
  void finish(const model::Completion& completion) {
    if (!begun_ && !completion.model.empty()) chunk_.model = completion.model;  // one name for all chunks of an answer
    if (completion.reasoning.size() > reasoning_bytes_)
      emit({.reasoning_content = completion.reasoning.substr(reasoning_bytes_)});
    if (completion.content.size() > text_bytes_) emit({.content = completion.content.substr(text_bytes_)});
    for (std::size_t i = calls_; i < completion.tool_calls.size(); ++i) emit_call(whole_call(completion.tool_calls[i], i));
    emit({}, text_value(openai::finish_reason_of(completion.stop)));
    if (include_usage_) {
      chunk_.choices.clear();
      chunk_.usage = {.state = wire::Nullable<openai::Usage>::State::value,
                      .value = openai::usage_of(completion.usage, prompt_bytes_, openai::bytes_of(completion))};
      write_chunk();
    }
    text_ += "data: [DONE]\n\n";
  }

  void emit_call(AnswerToolCall call) { emit({.tool_calls = std::vector<AnswerToolCall>{std::move(call)}}); }
  void emit(openai::Delta delta, NullableText finish_reason = {.state = NullableText::State::null}) {
    if (!std::exchange(begun_, true)) {
      delta.role = "assistant";
      if (!delta.content && !delta.tool_calls) delta.content = "";
    }
    chunk_.choices = {{.delta = std::move(delta), .finish_reason = std::move(finish_reason)}};
    write_chunk();
  }
  void write_chunk() {
    text_ += "data: ";
    json::write(text_, wire::type_of<openai::Chunk>(), &chunk_);
    text_ += "\n\n";
  }

  Loop& loop_;
  bool include_usage_;
  std::size_t prompt_bytes_;
  openai::Chunk chunk_;  // common members of all chunks, and the last choices
  std::string text_;     // not sent yet
  std::size_t text_bytes_ = 0;
  std::size_t reasoning_bytes_ = 0;
  std::size_t calls_ = 0;
  bool begun_ = false;
  bool done_ = false;
  std::optional<Error> error_;
  Signal changed_;
};

}  // namespace

ChatOverOpenAi::ChatOverOpenAi(Loop& loop, ChatViaHub& chats, agent::ChatBackend& backend, const ServedModels& models,
                               OpenAiSettings settings)
    : loop_(loop),
      chats_(chats),
      backend_(backend),
      models_(models),
      settings_(std::move(settings)),
      started_(seconds_of(settings_.wall_clock())) {}

Result<ChatOverOpenAi::Wanted> ChatOverOpenAi::read(const ServerRequest& from) const {
  PARLANCE_TRY(request, openai::read_request(from.body));
  PARLANCE_TRY(chat, openai::to_chat(request));
  const std::string name = request.model.value_or("");
  const auto chosen = models_.find(name);
  if (!chosen) return fail(models_.unknown(name));
  PARLANCE_TRY(shape, openai::shape_of(request));
  Wanted wanted{.by = *chosen, .brings_tools = openai::brings_tools(request), .shape = std::move(shape)};
  if (!ServedModels::is_own(*chosen)) {
    const auto refused = [&](std::string_view name, std::string_view reason) {
      return fail(Errc::invalid_params, "$." + std::string(name) + ": the agent " + chosen->agent + " " + std::string(reason) +
                                            "; leave \"" + std::string(name) + "\" out, or ask " +
                                            std::string(openai::own_model));
    };
    if (wanted.brings_tools) return refused("tools", "runs its own tools and takes none of a client");
    if (wanted.shape) return refused("response_format", "answers in text");
    if (const auto name = openai::model_parameter_in(chat)) return refused(*name, "takes no parameters for its model");
  }
  wanted.request = std::move(request);
  wanted.chat = std::move(chat);
  return wanted;
}

Task<Result<model::Completion>> ChatOverOpenAi::chat(hub::UserHub hub, Wanted wanted, ChatFollower& follower) {
  if (wanted.brings_tools || wanted.shape) wanted.chat.model = wanted.by.model;
  if (wanted.shape)
    return structured_chat(backend_, std::move(wanted.chat), hub.caller()->user, *std::move(wanted.shape), follower);
  if (wanted.brings_tools) return backend_.chat(std::move(wanted.chat), hub.caller()->user, follower);
  HubChat chat{
      .messages = std::move(wanted.chat.messages), .by = std::move(wanted.by), .think = wanted.chat.think == model::Think::on};
  if (ServedModels::is_own(chat.by) && (openai::model_parameter_in(wanted.chat) || wanted.chat.think != model::Think::standard))
    chat.parameters = {wanted.chat.max_tokens, wanted.chat.temperature, std::move(wanted.chat.parameters)};
  if (!wanted.request.stream.value_or(false))
    chat.ask_patience = [this, user = hub.caller()->user]() -> Duration {
      const bool has_page = settings_.has_page && settings_.has_page(user);
      return has_page ? std::max<Duration>(settings_.ask_wait, http_ask_wait) : settings_.ask_wait;
    };
  return chats_.chat(std::move(hub), std::move(chat), follower);
}

Task<void> ChatOverOpenAi::create(HttpExchange& exchange, hub::UserHub hub) {
  auto wanted = read(exchange.request());
  if (!wanted) {
    co_await exchange.respond(gateway::error_reply(wanted.error()));
    co_return;
  }
  const openai::Request& request = wanted->request;
  Shape shape{.id = settings_.new_id("chatcmpl-"),
              .created = seconds_of(settings_.wall_clock()),
              .model = request.model.value_or(""),
              .include_usage = request.stream_options && request.stream_options->include_usage.value_or(false),
              .prompt_bytes = openai::bytes_of(wanted->chat)};
  if (shape.model.empty()) shape.model = openai::own_model;
  if (request.stream.value_or(false)) co_await answer_in_pieces(exchange, std::move(hub), *std::move(wanted), std::move(shape));
  else co_await answer_at_once(exchange, std::move(hub), *std::move(wanted), std::move(shape));
}

Task<void> ChatOverOpenAi::answer_at_once(HttpExchange& exchange, hub::UserHub hub, Wanted wanted, Shape shape) {
  Unfollowed unfollowed;
  const auto completion = co_await chat(std::move(hub), std::move(wanted), unfollowed);
  if (!completion) {
    co_await exchange.respond(gateway::error_reply(completion.error()));
    co_return;
  }
  openai::ChatCompletion answer{.id = shape.id,
                                .created = shape.created,
                                .model = completion->model.empty() ? shape.model : completion->model,
                                .usage = openai::usage_of(completion->usage, shape.prompt_bytes, openai::bytes_of(*completion))};
  answer.choices.push_back(
      {.message = answer_message(*completion), .finish_reason = std::string(openai::finish_reason_of(completion->stop))});
  co_await exchange.respond(gateway::json_reply(json::to_text(answer)));
}

// The status line waits for the first piece, so a failed agent is an HTTP error instead of a broken stream.
Task<void> ChatOverOpenAi::answer_in_pieces(HttpExchange& exchange, hub::UserHub hub, Wanted wanted, Shape shape) {
  EventStream events(loop_, shape);
  Scope scope(loop_);  // the chat; ends with this task
  scope.start(events.run(chat(std::move(hub), std::move(wanted), events)));
  bool begun = false;
  for (;;) {
    std::string text = co_await events.next();
    if (events.error() && !begun && text.empty()) {
      co_await exchange.respond(gateway::error_reply(*events.error()));
      co_return;
    }
    if (!std::exchange(begun, true)) {
      const auto began = co_await exchange.begin(200, event_stream_headers("text/event-stream; charset=utf-8"));
      if (!began) co_return;
    }
    if (text.empty() && !events.done()) text = ": still waiting\n\n";
    if (events.error()) text += "data: " + gateway::error_json(*events.error()) + "\n\n";
    const bool last = events.done();  // before the write: later events are for the next round
    if (!text.empty() && !co_await exchange.write(std::move(text))) co_return;
    if (!last) continue;
    co_await exchange.end();
    co_return;
  }
}

// ---- models --------------------------------------------------------------------------------------------------------------

Task<void> ChatOverOpenAi::list_models(HttpExchange& exchange) {
  openai::ModelList list;
  for (std::string& name : models_.names()) list.data.push_back({.id = std::move(name), .created = started_});
  co_await exchange.respond(gateway::json_reply(json::to_text(list)));
}

Task<void> ChatOverOpenAi::show_model(HttpExchange& exchange) {
  const std::string name = exchange.request().path.substr(models_folder.size());
  if (name.empty() || !models_.find(name)) {
    co_await exchange.respond(gateway::error_reply(models_.unknown(name)));
    co_return;
  }
  co_await exchange.respond(gateway::json_reply(json::to_text(openai::ModelEntry{.id = name, .created = started_})));
}

}  // namespace parlance::face

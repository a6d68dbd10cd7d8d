// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/chat_over_websocket.h"

#include <deque>
#include <optional>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/openai/limits.h"
#include "parlance/face/openai/request.h"

namespace parlance::face {
namespace {

struct Incoming {
  std::string type{};
  wire::Raw content{};
  static constexpr auto wire = wire::fields(
      wire::field<&Incoming::type>("type", "Kind of the message: chat or ping."),
      wire::field<&Incoming::content>("content", "With chat: an object with `model` and `messages`, or the same as JSON text.")
          .or_default());
};

// One struct for all three kinds: deployed clients expect it, and read `error` and `finish`.
struct Content {
  std::string content{};
  bool finish = false;
  std::optional<std::string> error{};
  std::optional<std::string> reasoning{};
  std::optional<std::int64_t> total_tokens{};
  static constexpr auto wire = wire::fields(
      wire::field<&Content::content>("content", "With chunk: the next piece of the answer. With done: the whole answer."),
      wire::field<&Content::finish>("finish", "True: no further message follows."),
      wire::field<&Content::error>("error", "Text of the error."),
      wire::field<&Content::reasoning>("reasoning", "The next piece of the model's thinking, or of the reason for a wait."),
      wire::field<&Content::total_tokens>("totalTokens", "Number of tokens read and written."));
};
struct Outgoing {
  std::string type{};
  std::optional<Content> content{};
  static constexpr auto wire =
      wire::fields(wire::field<&Outgoing::type>("type", "Kind of the message: chunk, done, error or pong."),
                   wire::field<&Outgoing::content>("content", "Content of the message. Absent with pong."));
};

Result<HubChat> read_chat(const ServedModels& models, const wire::Raw& content) {
  std::string text = content.json;
  if (const auto value = json::parse(content.json); value && value->text() != nullptr) text = *value->text();
  if (text.empty()) return fail(Errc::invalid_params, "$.content: missing");
  PARLANCE_TRY(request, openai::read_request(text));
  PARLANCE_TRY(chat, openai::to_chat(request));
  return HubChat{.messages = std::move(chat.messages),
                 .by = models.find(request.model.value_or("")).value_or(*models.find("")),
                 .think = chat.think == model::Think::on};
}

}  // namespace

class ChatOverWebSocket::Connection final : private ChatFollower {
 public:
  Connection(Loop& loop, ChatViaHub& chats, hub::UserHub hub, const ServedModels& models, std::unique_ptr<Frames> frames)
      : chats_(chats), hub_(std::move(hub)), models_(models), frames_(std::move(frames)), scope_(loop) {}

  Task<void> read_all() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) take(frame);
      while (frames_->congested()) co_await frames_->drained().wait();
    }
  }

 private:
  void take(BytesView frame) {
    auto message = json::from_text<Incoming>(frame);
    if (!message) return send_error("invalid message format: " + message.error().message);
    if (message->type == "ping") return send({.type = "pong"});
    if (message->type != "chat") return send_error("unknown message type: " + message->type);
    auto request = read_chat(models_, message->content);
    if (!request) return send_error("invalid request: " + request.error().message);
    if (waiting_.size() >= limits::waiting_chats) return send_error("too many requests wait on this connection");
    waiting_.push_back(*std::move(request));
    if (!running_) scope_.start(run_all());
  }

  Task<void> run_all() {
    running_ = true;
    while (!waiting_.empty()) {
      HubChat request = std::move(waiting_.front());
      waiting_.pop_front();
      const std::size_t prompt_bytes = openai::bytes_of(request.messages);
      const auto completion = co_await chats_.chat(hub_, std::move(request), *this);
      if (!completion) {
        send_error("chat error: " + completion.error().message);
        continue;
      }
      const openai::Usage usage = openai::usage_of(completion->usage, prompt_bytes, openai::bytes_of(*completion));
      send({.type = "done",
            .content = Content{.content = completion->content, .finish = true, .total_tokens = usage.total_tokens}});
    }
    running_ = false;
  }

  Result<void> on_chunk(model::Chunk chunk) override {
    if (frames_->queued_bytes() > limits::unsent_answer_bytes)
      return fail(Errc::disconnected, "the client does not read its answer");
    if (const auto* text = std::get_if<model::TextDelta>(&chunk))
      send({.type = "chunk", .content = Content{.content = text->text}});
    if (const auto* thought = std::get_if<model::ReasoningDelta>(&chunk))
      send({.type = "chunk", .content = Content{.reasoning = thought->text}});
    return {};
  }

  void on_note(std::string note) override { send({.type = "chunk", .content = Content{.reasoning = std::move(note)}}); }

  void send_error(std::string text) { send({.type = "error", .content = Content{.finish = true, .error = std::move(text)}}); }
  void send(const Outgoing& message) {
    // The reading side reports errors of the connection.
    (void)frames_->compose([&](std::string& out) -> Result<void> {
      json::write(out, wire::type_of<Outgoing>(), &message);
      return {};
    });
  }

  ChatViaHub& chats_;
  hub::UserHub hub_;
  const ServedModels& models_;
  std::unique_ptr<Frames> frames_;
  std::deque<HubChat> waiting_;
  bool running_ = false;
  Scope scope_;  // destroyed first
};

void ChatOverWebSocket::serve(std::unique_ptr<Frames> frames, hub::UserHub hub) {
  scope_.start(run(std::move(frames), std::move(hub)));
}

Task<void> ChatOverWebSocket::run(std::unique_ptr<Frames> frames, hub::UserHub hub) {
  Connection connection(loop_, chats_, std::move(hub), models_, std::move(frames));
  co_await connection.read_all();
}

}  // namespace parlance::face

#include "parlance/driver/gorpc/chat_call.h"

#include <string>

#include "parlance/base/secret.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;

// A model may think for long; its own limits are the agent's (model settings). This one only ends what is lost altogether.
constexpr auto chat_timeout = 30min;
constexpr auto follow_timeout = 60s;  // an agent answers a ChatStream without news well before

struct Heard {
  ChatListener& listener;
  std::string text{};
  bool thought = false;

  void piece(const gorpc::ChatPiece& piece) {
    if (piece.kind == "text") {
      text += piece.text;
      listener.on_text(piece.text);
    } else if (piece.kind == "reasoning") {
      thought = true;
      listener.on_thought(piece.text);
    }
  }
  // What the stream did not bring (none was offered, or it broke off) is told now.
  void complete(const gorpc::ChatReply& reply) {
    if (!thought && !reply.reasoning.empty()) listener.on_thought(reply.reasoning);
    if (reply.content.size() > text.size() && reply.content.starts_with(text))
      listener.on_text(std::string_view(reply.content).substr(text.size()));
  }
};

Task<void> follow(AgentLink& link, std::string stream, Heard& heard) {
  std::int64_t after = 0;
  for (;;) {
    const auto news = co_await link.call(gorpc::chat_stream, {.stream = stream, .after = after}, within(follow_timeout));
    if (!news) co_return;
    for (const gorpc::ChatPiece& piece : news->pieces) heard.piece(piece);
    after = news->next;
    if (news->done) co_return;
    co_await heard.listener.room();
  }
}

}  // namespace

Task<Result<gorpc::ChatReply>> call_chat(AgentLink& link, gorpc::ChatArgs args, ChatListener& listener) {
  ChatPlaces::Place place(link.places());
  if (!place.granted()) {
    listener.on_wait(place.before());
    co_await place.wait();
    listener.on_begin();
  }
  struct CancelUnlessEnded {
    AgentLink& link;
    std::string stream;
    bool ended = false;
    ~CancelUnlessEnded() {
      if (!ended) link.cancel_chat(std::move(stream));
    }
  } running{link, make_id("stream_")};
  args.stream = running.stream;

  Heard heard{listener};
  Scope following(link.loop());
  following.start(follow(link, running.stream, heard));
  Result<gorpc::ChatReply> reply = co_await link.call(gorpc::chat, std::move(args), within(chat_timeout));
  // A deadline leaves the Chat running at the agent.
  running.ended = reply || reply.error().code != Errc::deadline_exceeded;
  // What was said before a failure counts too, unless there is nobody left to tell it.
  if (reply || reply.error().code == Errc::failed || reply.error().code == Errc::invalid_params) co_await following.join();
  if (reply) heard.complete(*reply);
  co_return reply;
}

}  // namespace parlance::driver

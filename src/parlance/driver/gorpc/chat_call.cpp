// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/chat_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include "parlance/base/secret.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;

// A model may think for long, limited by the agent (model settings). This timeout only ends lost calls.
constexpr auto chat_timeout = 30min;
constexpr auto follow_timeout = 60s;  // an agent without new pieces answers a ChatStream well before

Task<void> follow(AgentLink& link, std::string stream, AnswerStream& answer) {
  std::int64_t after = 0;
  for (;;) {
    const auto reply = co_await link.call(gorpc::chat_stream, {.stream = stream, .after = after}, within(follow_timeout));
    if (!reply) co_return;
    for (const gorpc::ChatPiece& piece : reply->pieces) answer.piece(piece);
    after = reply->next;
    if (reply->done) co_return;
    co_await answer.listener().wait_writable();
  }
}

}  // namespace

// ---- received pieces -----------------------------------------------------------------------------------------------------

void AnswerStream::begin() {
  text_received_ = 0;
  thought_received_ = 0;
  again_ = again_ || std::exchange(begun_, true);
}

void AnswerStream::piece(const gorpc::ChatPiece& piece) {
  if (piece.kind == "text") receive(text(), piece.text);
  else if (piece.kind == "reasoning") receive(thought(), piece.text);
  else if (piece.kind == "retry") listener_.on_hold("model.retry " + piece.text);
  else if (piece.kind == "silence") listener_.on_hold(piece.text == "0" ? "" : "model.silent " + piece.text);
}

void AnswerStream::publish(Part part, std::string_view piece) {
  part.published += piece;
  part.received = part.published.size();
  (listener_.*part.publish)(piece);
}

void AnswerStream::receive(Part part, std::string_view piece) {
  const std::string_view known = std::string_view(part.published).substr(part.received, piece.size());
  if (piece.starts_with(known)) {
    part.received += known.size();
    if (piece.size() > known.size()) publish(part, piece.substr(known.size()));
    return;
  }
  begin_other();
  publish(part, piece);
}

// The pieces so far equal the published answer; the next piece differs, so the whole new answer is published.
void AnswerStream::begin_other() {
  const std::string thought_before = thought_.substr(0, thought_received_);
  const std::string text_before = text_.substr(0, text_received_);
  thought_.clear();
  text_.clear();
  listener_.on_other_answer();
  if (!thought_before.empty()) publish(thought(), thought_before);
  if (!text_before.empty()) publish(text(), text_before);
}

void AnswerStream::receive_rest(Part part, std::string_view whole) {
  if (whole.starts_with(std::string_view(part.published).substr(0, part.received))) receive(part, whole.substr(part.received));
}

void AnswerStream::complete(const gorpc::ChatReply& reply) {
  if ((thought_received_ == 0 || again_) && reply.reasoning.size() > thought_received_) receive_rest(thought(), reply.reasoning);
  if (reply.content.size() > text_received_) receive_rest(text(), reply.content);
  // The new answer is shorter than the published answer.
  if (again_ && (text_received_ < text_.size() || thought_received_ < thought_.size())) begin_other();
}

// ---- call ----------------------------------------------------------------------------------------------------------------

Task<Result<gorpc::ContinueChatReply>> call_chat(AgentLink& link, gorpc::ContinueChatArgs args, AnswerStream& answer,
                                                 KeptChat kept) {
  ChatSlots::Slot slot(link.slots());
  if (!slot.granted()) {
    answer.listener().on_wait(slot.before());
    co_await slot.wait();
    answer.listener().on_begin();
  }
  struct CancelUnlessEnded {
    AgentLink& link;
    std::string stream;
    bool ended = false;
    ~CancelUnlessEnded() {
      if (!ended) link.cancel_chat(std::move(stream));
    }
  } running{link, kept.name.empty() ? make_id("stream_") : std::move(kept.name)};
  args.chat.stream = running.stream;
  args.chat.keep = kept.keep.count();

  answer.begin();
  Scope following(link.loop());
  following.start(follow(link, running.stream, answer));
  Result<gorpc::ContinueChatReply> reply = gorpc::ContinueChatReply{};
  if (!args.history.empty() || args.remember > 0) {
    reply = co_await link.call(gorpc::continue_chat, std::move(args), within(chat_timeout));
  } else {
    auto whole = co_await link.call(gorpc::chat, std::move(args.chat), within(chat_timeout));
    if (whole) reply->reply = *std::move(whole);
    else reply = fail(std::move(whole).error());
  }
  // After a deadline the Chat continues at the agent.
  running.ended = reply || reply.error().code != Errc::deadline_exceeded;
  if (reply && reply->unknown) co_return reply;  // no Chat ran
  // Text from before a failure counts too, unless no listener remains.
  if (reply || reply.error().code == Errc::failed || reply.error().code == Errc::invalid_params) co_await following.join();
  if (reply) answer.complete(reply->reply);
  co_return reply;
}

Task<Result<gorpc::ChatReply>> call_chat(AgentLink& link, gorpc::ChatArgs args, ChatListener& listener) {
  AnswerStream answer(listener);
  auto reply = co_await call_chat(link, gorpc::ContinueChatArgs{.chat = std::move(args)}, answer);
  if (!reply) co_return fail(std::move(reply).error());
  co_return std::move(reply->reply);
}

}  // namespace parlance::driver

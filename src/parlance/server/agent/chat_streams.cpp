// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/agent/chat_streams.h"

#include <algorithm>
#include <utility>

#include "parlance/async/notified.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;

// A follower asks again after so long without new pieces; well below any proxy's or peer's idle limit.
constexpr auto follow_wait = 20s;
// ChatStream may overtake its Chat on another connection.
constexpr auto follow_patience = 2s;
// Ended streams stay readable: at most this number, and this size for all together.
constexpr std::size_t finished_streams = 64;
constexpr std::size_t finished_bytes = 32 << 20;
// Pieces of the same kind are joined up to this size, so that a slow follower costs no more than the text itself.
constexpr std::size_t joined_piece_bytes = 4 << 10;

std::size_t bytes_of(const gorpc::ChatReply& reply) {
  std::size_t bytes = reply.content.size() + reply.reasoning.size();
  for (const gorpc::ToolCall& call : reply.tools) bytes += call.function.name.size() + call.function.arguments.size();
  return bytes;
}

}  // namespace

// A Chat for a returning caller. Its time runs while no caller waits.
struct ChatStreams::Kept final : Timer {
  Kept(ChatStreams& all, std::string of, std::shared_ptr<Stream> text, std::chrono::seconds for_so_long)
      : owner(all), name(std::move(of)), stream(std::move(text)), keep(for_so_long) {}

  void on_timer() override {
    if (answer) owner.forget(std::string(name));  // destroys this object too
    else stream->cancel.cancel();
  }

  ChatStreams& owner;
  std::string name;
  std::shared_ptr<Stream> stream;
  std::chrono::seconds keep;
  std::size_t callers = 0;
  std::optional<Answer> answer;
};

ChatStreams::~ChatStreams() { running_.cancel(); }

void ChatStreams::Stream::add(std::string_view kind, std::string_view text) {
  const bool is_text = kind == "text" || kind == "reasoning";  // other pieces are whole
  const bool grows =
      is_text && pieces.size() > delivered && pieces.back().kind == kind && pieces.back().text.size() < joined_piece_bytes;
  if (grows) pieces.back().text += text;
  else pieces.push_back({.kind = std::string(kind), .text = std::string(text)});
  bytes += text.size();
  changed.notify_all();
}

std::shared_ptr<ChatStreams::Stream> ChatStreams::open(const std::string& name) {
  if (const auto known = streams_.find(name); known != streams_.end()) {
    if (!known->second->done) return nullptr;
    forget(name);
  }
  const auto stream = std::make_shared<Stream>(loop_);
  streams_.emplace(name, stream);
  opened_.notify_all();
  return stream;
}

void ChatStreams::finish(const std::string& name) {
  const auto found = streams_.find(name);
  if (found == streams_.end()) return;
  found->second->done = true;
  found->second->changed.notify_all();
  finished_.push_back(name);
  finished_bytes_ += found->second->bytes;
  while (finished_.size() > finished_streams || (finished_bytes_ > finished_bytes && finished_.size() > 1))
    forget(std::string(finished_.front()));
}

// Forgets an ended stream. A waiting caller keeps the stream alive.
void ChatStreams::forget(const std::string& name) {
  const auto found = streams_.find(name);
  if (found == streams_.end()) return;
  if (std::erase(finished_, name) > 0) finished_bytes_ -= found->second->bytes;
  streams_.erase(found);
  kept_.erase(name);
}

bool ChatStreams::cancel(const std::string& name) {
  const auto found = streams_.find(name);
  if (found == streams_.end() || found->second->done) return false;
  found->second->cancel.cancel();
  return true;
}

// ---- answers ---------------------------------------------------------------------------------------------------------------

Task<ChatStreams::Answer> ChatStreams::answer(std::string name, std::chrono::seconds keep, Begin begin) {
  if (keep > 0s) {
    const std::shared_ptr<Kept> mine = kept(name, keep, begin);
    if (mine == nullptr) co_return fail(Errc::invalid_params, "Stream: a call is running under the name " + name);
    struct Caller {
      explicit Caller(Kept& kept) : of(kept) {
        ++of.callers;
        of.stop();
      }
      ~Caller() {
        if (--of.callers == 0) of.start(of.owner.loop_, of.owner.loop_.now() + of.keep);
      }
      Kept& of;
    } caller(*mine);
    while (!mine->answer) co_await mine->stream->changed.wait();
    co_return *mine->answer;
  }
  const std::shared_ptr<Stream> stream = open(name);
  if (stream == nullptr) co_return fail(Errc::invalid_params, "Stream: a call is running under the name " + name);
  struct Finish {
    ChatStreams& streams;
    const std::string& name;
    ~Finish() { streams.finish(name); }
  } finish{*this, name};
  co_return co_await under(stream->cancel, begin(stream));
}

std::shared_ptr<ChatStreams::Kept> ChatStreams::kept(const std::string& name, std::chrono::seconds keep, const Begin& begin) {
  // A stopped stream is no longer wanted, and neither is its end.
  if (const auto known = kept_.find(name); known != kept_.end() && !known->second->stream->cancel.cancelled())
    return known->second;
  const std::shared_ptr<Stream> stream = open(name);
  if (stream == nullptr) return nullptr;
  const auto made = std::make_shared<Kept>(*this, name, stream, keep);
  kept_.insert_or_assign(name, made);
  running_.start(run(made, begin(stream)));
  return made;
}

Task<void> ChatStreams::run(std::shared_ptr<Kept> kept, Task<Answer> chat) {
  kept->answer = co_await under(kept->stream->cancel, std::move(chat));
  if (*kept->answer) kept->stream->bytes += bytes_of(**kept->answer);
  finish(kept->name);
  if (kept->callers == 0) kept->start(loop_, loop_.now() + kept->keep);
}

// ---- text ------------------------------------------------------------------------------------------------------------------

Task<Result<gorpc::ChatStreamReply>> ChatStreams::follow(gorpc::ChatStreamArgs args) {
  const TimePoint patience = loop_.now() + follow_patience;
  while (!streams_.contains(args.stream) && loop_.now() < patience) co_await notified(opened_, patience);
  const auto found = streams_.find(args.stream);
  if (found == streams_.end()) co_return fail(Errc::not_found, "no Chat runs under the name " + args.stream);
  const std::shared_ptr<Stream> stream = found->second;
  const auto after = static_cast<std::size_t>(std::max<std::int64_t>(args.after, 0));
  if (stream->pieces.size() <= after && !stream->done) co_await notified(stream->changed, loop_.now() + follow_wait);
  gorpc::ChatStreamReply reply;
  for (std::size_t i = after; i < stream->pieces.size(); ++i) reply.pieces.push_back(stream->pieces[i]);
  stream->delivered = std::max(stream->delivered, stream->pieces.size());
  reply.next = static_cast<std::int64_t>(std::max(stream->pieces.size(), after));
  reply.done = stream->done;
  co_return reply;
}

}  // namespace parlance::server

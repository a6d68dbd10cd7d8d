// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/http_link.h"

#include <utility>

#include "parlance/base/check.h"
#include "parlance/face/acp/limits.h"

namespace parlance::face {
// The peer's end of the link.
class HttpLink::LinkFrames final : public MessageFrames {
 public:
  explicit LinkFrames(HttpLink& link)
      : MessageFrames(link.loop_, "http " + link.id, [&link](std::string frame) { link.route(std::move(frame)); }), link_(link) {
    link_.frames_ = this;
  }
  ~LinkFrames() override { link_.frames_ = nullptr; }
  bool congested() const override { return link_.congested(); }
  Signal& drained() override { return link_.drained_; }
  // after the end the rest is never fetched
  std::size_t queued_bytes() const override { return link_.ended_ ? 0 : link_.buffered_; }
  void close() override { link_.close(); }

 private:
  HttpLink& link_;
};

HttpLink::HttpLink(Loop& loop, std::string name, std::shared_ptr<AcpSessions> whose)
    : id(std::move(name)), sessions(std::move(whose)), last_used(loop.now()), loop_(loop), first_(loop), drained_(loop) {}

std::unique_ptr<Frames> HttpLink::frames() {
  PARLANCE_CHECK(frames_ == nullptr, "one peer at a link");
  return std::make_unique<LinkFrames>(*this);
}

void HttpLink::receive(std::string message, const acp::Outline& outline, const std::string& session_header) {
  if (outline.method.empty()) {
    questions_.erase(outline.id_json);
  } else if (!outline.id_json.empty() && first_sent_) {
    // The answer of session/load goes to the connection's stream, which exists before the session's stream.
    answers_[outline.id_json] = outline.method == "session/load" ? std::string() : session_header;
  }
  if (frames_ != nullptr) frames_->receive(std::move(message));
}

void HttpLink::close() {
  if (std::exchange(ended_, true)) return;
  first_.set({});
  drained_.notify_all();
  for (const auto& [session, stream] : streams_) stream->changed.notify_all();
  // The client is gone: cancels running requests.
  if (frames_ != nullptr) frames_->fail({.code = Errc::disconnected, .message = frames_->name() + ": gone"});
}

std::optional<std::string> HttpLink::asked_in(const std::string& id_json) const {
  const auto found = questions_.find(id_json);
  return found == questions_.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

Task<std::string> HttpLink::first_reply() { return first_.get(); }

std::shared_ptr<HttpLinkStream> HttpLink::stream(const std::string& session) {
  auto& stream = streams_[session];
  if (!stream) stream = std::make_shared<HttpLinkStream>(loop_);
  return stream;
}

void HttpLink::taken(std::size_t bytes) {
  buffered_ -= bytes;
  if (!congested()) drained_.notify_all();
}

bool HttpLink::congested() const { return buffered_ >= limits::acp_http_buffered_bytes && !ended_; }

void HttpLink::route(std::string frame) {
  if (ended_) return;
  if (!std::exchange(first_sent_, true)) {
    first_.set(std::move(frame));
    return;
  }
  const acp::Outline outline = acp::outline(frame).value_or(acp::Outline{});
  std::string session = outline.session;
  if (outline.method.empty()) {
    auto node = answers_.extract(outline.id_json);
    session = node.empty() ? std::string() : std::move(node.mapped());
  } else if (!outline.id_json.empty()) {
    questions_[outline.id_json] = session;
  }
  buffered_ += frame.size();
  const auto to = stream(session);
  to->waiting.push_back(std::move(frame));
  to->changed.notify_all();
}

}  // namespace parlance::face

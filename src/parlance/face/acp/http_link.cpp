#include "parlance/face/acp/http_link.h"

#include <utility>

#include "parlance/base/check.h"
#include "parlance/codec/json/reader.h"
#include "parlance/face/acp/limits.h"

namespace parlance::face {
namespace {

// `sessionId` of an object, whatever else it has.
void read_session(json::Reader& reader, std::string& session) {
  if (reader.peek() != json::Token::object) {
    reader.skip();
    return;
  }
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "sessionId" && reader.peek() == json::Token::text) reader.read_text(session);
    else reader.skip();
  }
}

}  // namespace

std::optional<AcpOutline> acp_outline(std::string_view text) {
  json::Reader reader(text);
  if (!json::check_utf8(text) || reader.peek() != json::Token::object) return std::nullopt;
  AcpOutline outline;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "method" && reader.peek() == json::Token::text) {
      reader.read_text(outline.method);
    } else if (reader.key() == "id") {
      std::string_view raw;
      reader.skip(&raw);
      outline.id_json = raw;
    } else if (reader.key() == "params" || reader.key() == "result") {
      read_session(reader, outline.session);
    } else {
      outline.is_error = outline.is_error || reader.key() == "error";
      reader.skip();
    }
  }
  if (!reader.finish()) return std::nullopt;
  return outline;
}

// The peer's end of it.
class HttpLink::LinkFrames final : public Frames, private Ready {
 public:
  explicit LinkFrames(HttpLink& link) : link_(link) { link_.frames_ = this; }
  ~LinkFrames() { link_.frames_ = nullptr; }

  void start_read(FramesDone& done) override {
    PARLANCE_CHECK(reader_ == nullptr, "one read at a time");
    reader_ = &done;
    wake();
  }
  void stop_read() override { reader_ = nullptr; }
  bool congested() const override { return link_.congested(); }
  Signal& drained() override { return link_.drained_; }
  std::size_t queued_bytes() const override { return link_.buffered_; }
  void finish() override {}
  void close() override { link_.close(); }
  std::string name() const override { return "http " + link_.id; }
  void wake() {
    if (reader_ != nullptr && (!link_.incoming_.empty() || link_.ended_)) link_.loop_.wake(*this);
  }

 protected:
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override {
    link_.route(std::exchange(frame_, {}));
    return {};
  }
  void abandon_frame() override { frame_.clear(); }

 private:
  void on_ready() override {
    if (reader_ == nullptr) return;
    FramesDone& done = *std::exchange(reader_, nullptr);
    batch_.assign(std::make_move_iterator(link_.incoming_.begin()), std::make_move_iterator(link_.incoming_.end()));
    link_.incoming_.clear();
    views_.assign(batch_.begin(), batch_.end());
    // Nobody fetches answers any more: an end that cancels what runs.
    if (views_.empty()) return done.on_frames(std::unexpected(Error{.code = Errc::disconnected, .message = name() + ": gone"}));
    done.on_frames(FrameBatch{.frames = views_});
  }

  HttpLink& link_;
  FramesDone* reader_ = nullptr;
  std::vector<std::string> batch_;
  std::vector<BytesView> views_;
  std::string frame_;
};

HttpLink::HttpLink(Loop& loop, std::string name)
    : id(std::move(name)), last_used(loop.now()), loop_(loop), first_(loop), drained_(loop) {}

std::unique_ptr<Frames> HttpLink::frames() {
  PARLANCE_CHECK(frames_ == nullptr, "one peer at a link");
  return std::make_unique<LinkFrames>(*this);
}

void HttpLink::receive(std::string message, const AcpOutline& outline, const std::string& session_header) {
  if (outline.method.empty()) {
    questions_.erase(outline.id_json);
  } else if (!outline.id_json.empty() && first_sent_) {
    // What a load answers goes to the connection, which is there before the session's stream is.
    answers_[outline.id_json] = outline.method == "session/load" ? std::string() : session_header;
  }
  incoming_.push_back(std::move(message));
  if (frames_ != nullptr) frames_->wake();
}

void HttpLink::close() {
  if (std::exchange(ended_, true)) return;
  first_.set({});
  drained_.notify_all();
  for (const auto& [session, one] : streams_) one->changed.notify_all();
  if (frames_ != nullptr) frames_->wake();
}

std::optional<std::string> HttpLink::asked_in(const std::string& id_json) const {
  const auto found = questions_.find(id_json);
  return found == questions_.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

Task<std::string> HttpLink::first_reply() { return first_.get(); }

std::shared_ptr<HttpLinkStream> HttpLink::stream(const std::string& session) {
  auto& one = streams_[session];
  if (!one) one = std::make_shared<HttpLinkStream>(loop_);
  return one;
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
  const AcpOutline outline = acp_outline(frame).value_or(AcpOutline{});
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

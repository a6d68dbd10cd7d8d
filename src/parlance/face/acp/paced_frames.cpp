// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/paced_frames.h"

#include <deque>
#include <string>
#include <utility>

#include "parlance/codec/json/reader.h"
#include "parlance/transport/passing_frames.h"

namespace parlance::face {
namespace {

// Signals readiness; a line of the dialect, not JSON.
constexpr std::string_view ready_line = "//ready";

struct Envelope {
  bool id = false;
  bool method = false;
};
Envelope envelope_of(std::string_view frame) {
  Envelope seen;
  json::Reader reader(frame);
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    seen.id = seen.id || reader.key() == "id";
    seen.method = seen.method || reader.key() == "method";
    reader.skip();
  }
  return seen;
}
bool is_request(std::string_view frame) {
  const Envelope seen = envelope_of(frame);
  return seen.id && seen.method;
}
bool is_answer(std::string_view frame) {
  const Envelope seen = envelope_of(frame);
  return seen.id && !seen.method;
}

class PacedFrames final : public PassingFrames<WebSocketFrames>, private PingDone, private Timer {
 public:
  PacedFrames(Loop& loop, std::unique_ptr<WebSocketFrames> inner, PacedFramesSettings settings)
      : PassingFrames(std::move(inner)), loop_(loop), settings_(settings), drained_(loop), ready_(*this) {
    ask();
  }
  ~PacedFrames() override { this->inner().stop_ping(); }
  PacedFrames(const PacedFrames&) = delete;
  PacedFrames& operator=(const PacedFrames&) = delete;

  bool congested() const override { return !waiting_.empty() || inner().congested(); }
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return waiting_bytes_ + inner().queued_bytes(); }
  // A client whose output ends reads no further pings: waiting frames leave at once.
  void finish() override {
    for (const std::string& frame : waiting_) static_cast<void>(inner().send(frame));
    end();
    inner().finish();
  }
  void close() override {
    end();
    inner().close();
  }

 private:
  Result<void> send_on(std::string frame) override {
    waiting_bytes_ += frame.size();
    waiting_.push_back(std::move(frame));
    if (!owed_) ask();
    return {};
  }

  struct ReadyTimer final : Timer {
    explicit ReadyTimer(PacedFrames& owner) : frames(owner) {}
    void on_timer() override { frames.ask(); }
    PacedFrames& frames;
  };

  // Checks with a ping whether the client has read the last frame and listens.
  void ask() {
    if (!std::exchange(asked_, true)) inner().ping(*this);
  }

  void on_pong() override {
    asked_ = false;
    if (owed_) return start(loop_, loop_.now() + settings_.longest_silence);  // the client has read the request
    if (!spoken_ && !ready_.running()) return say_ready();
    if (waiting_.empty()) return;
    const std::string frame = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= frame.size();
    static_cast<void>(inner().send(frame));  // the reading side reports errors of the connection
    owed_ = is_request(frame);
    if (owed_ || !waiting_.empty()) ask();
    if (waiting_.empty()) drained_.notify_all();
  }

  void say_ready() {
    static_cast<void>(inner().send(ready_line));
    ready_.start(loop_, loop_.now() + settings_.ready_again);
    if (!waiting_.empty()) ask();
  }

  // A message of the client proves that the client has seen `//ready`. After its answer to a request the client listens again,
  // which a separate ping confirms.
  FramesRead passed_on(FramesRead batch) override {
    if (!batch || batch->empty()) {
      end();
      return batch;
    }
    spoken_ = true;
    ready_.stop();
    for (const BytesView frame : *batch)
      if (owed_ && is_answer(frame)) go_on();
    return batch;
  }

  void go_on() {
    owed_ = false;
    stop();
    if (!waiting_.empty()) ask();
  }
  void on_timer() override { go_on(); }

  // Stops waiting for a closed client.
  void end() {
    inner().stop_ping();
    asked_ = true;
    ready_.stop();
    stop();
    waiting_.clear();
    waiting_bytes_ = 0;
    drained_.notify_all();
  }

  Loop& loop_;
  PacedFramesSettings settings_;
  Signal drained_;
  ReadyTimer ready_;
  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool asked_ = false;   // a ping is in flight
  bool owed_ = false;    // the client owes an answer
  bool spoken_ = false;  // the client has sent a message
};

}  // namespace

std::unique_ptr<Frames> paced_frames(Loop& loop, std::unique_ptr<WebSocketFrames> inner, PacedFramesSettings settings) {
  return std::make_unique<PacedFrames>(loop, std::move(inner), settings);
}

}  // namespace parlance::face

#include "parlance/face/acp/paced_frames.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "parlance/codec/json/reader.h"
#include "parlance/transport/passing_frames.h"

namespace parlance::face {
namespace {

// Our own frames: well-formed, and an object each.
bool is_request(std::string_view frame) {
  bool id = false;
  bool method = false;
  json::Reader reader(frame);
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    id = id || reader.key() == "id";
    method = method || reader.key() == "method";
    reader.skip();
  }
  return id && method;
}

class PacedFrames final : public PassingFrames<>, private Timer {
 public:
  PacedFrames(Loop& loop, std::unique_ptr<Frames> inner, PacedFramesSettings settings)
      : PassingFrames(std::move(inner)), loop_(loop), settings_(std::move(settings)), drained_(loop), ready_(*this) {
    if (!settings_.ready.empty()) ready_.start(loop_, loop_.now() + settings_.first_ready);
  }

  bool congested() const override { return !waiting_.empty() || inner().congested(); }
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return waiting_bytes_ + inner().queued_bytes(); }
  // What waits leaves at its pace, then the output ends.
  void finish() override {
    finishing_ = true;
    if (waiting_.empty()) inner().finish();
  }
  void close() override {
    end();
    inner().close();
  }

 private:
  Result<void> send_on(std::string frame) override {
    waiting_bytes_ += frame.size();
    waiting_.push_back(std::move(frame));
    if (!running()) start(loop_, std::max(loop_.now(), next_));
    return {};
  }

  struct ReadyTimer final : Timer {
    explicit ReadyTimer(PacedFrames& owner) : frames(owner) {}
    void on_timer() override { frames.say_ready(); }
    PacedFrames& frames;
  };

  // The client speaks: it has heard that we listen. One that has ended its output may still read.
  FramesRead passed_on(FramesRead batch) override {
    ready_.stop();
    next_ = loop_.now() + settings_.pace;
    if (!batch) end();
    else if (!waiting_.empty()) start(loop_, next_);
    return batch;
  }

  void say_ready() {
    static_cast<void>(inner().send(settings_.ready));  // errors of the connection are told by its reading side
    next_ = loop_.now() + settings_.pace;
    ready_.start(loop_, loop_.now() + settings_.ready_again);
  }

  void on_timer() override {
    if (waiting_.empty()) return;
    const std::string frame = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= frame.size();
    static_cast<void>(inner().send(frame));
    next_ = loop_.now() + (is_request(frame) ? settings_.longest_silence : settings_.pace);
    if (!waiting_.empty()) return start(loop_, next_);
    drained_.notify_all();
    if (finishing_) inner().finish();
  }

  // Nobody waits for a client that is gone.
  void end() {
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
  TimePoint next_{};
  bool finishing_ = false;
};

}  // namespace

std::unique_ptr<Frames> paced_frames(Loop& loop, std::unique_ptr<Frames> inner, PacedFramesSettings settings) {
  return std::make_unique<PacedFrames>(loop, std::move(inner), std::move(settings));
}

}  // namespace parlance::face

#include "parlance/face/acp/paced_frames.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "parlance/codec/json/reader.h"

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

class PacedFrames final : public Frames, private FramesDone, private Timer {
 public:
  PacedFrames(Loop& loop, std::unique_ptr<Frames> inner, PacedFramesSettings settings)
      : loop_(loop), settings_(std::move(settings)), drained_(loop), ready_(*this), inner_(std::move(inner)) {
    if (!settings_.ready.empty()) ready_.start(loop_, loop_.now() + settings_.first_ready);
  }

  void start_read(FramesDone& done) override {
    reader_ = &done;
    inner_->start_read(*this);
  }
  void stop_read() override {
    reader_ = nullptr;
    inner_->stop_read();
  }

  bool congested() const override { return !waiting_.empty() || inner_->congested(); }
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return waiting_bytes_ + inner_->queued_bytes(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  // What waits leaves at its pace, then the output ends.
  void finish() override {
    finishing_ = true;
    if (waiting_.empty()) inner_->finish();
  }
  void close() override {
    end();
    inner_->close();
  }
  std::string name() const override { return inner_->name(); }

 protected:
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override {
    waiting_bytes_ += frame_.size();
    waiting_.push_back(std::exchange(frame_, {}));
    if (!running()) start(loop_, std::max(loop_.now(), next_));
    return {};
  }
  void abandon_frame() override { frame_.clear(); }

 private:
  struct ReadyTimer final : Timer {
    explicit ReadyTimer(PacedFrames& owner) : frames(owner) {}
    void on_timer() override { frames.say_ready(); }
    PacedFrames& frames;
  };

  // The client speaks: it has heard that we listen. One that has ended its output may still read.
  void on_frames(FramesRead batch) override {
    ready_.stop();
    next_ = loop_.now() + settings_.pace;
    if (!batch) end();
    else if (!waiting_.empty()) start(loop_, next_);
    std::exchange(reader_, nullptr)->on_frames(std::move(batch));
  }

  void say_ready() {
    static_cast<void>(inner_->send(settings_.ready));  // errors of the connection are told by its reading side
    next_ = loop_.now() + settings_.pace;
    ready_.start(loop_, loop_.now() + settings_.ready_again);
  }

  void on_timer() override {
    if (waiting_.empty()) return;
    const std::string frame = std::move(waiting_.front());
    waiting_.pop_front();
    waiting_bytes_ -= frame.size();
    static_cast<void>(inner_->send(frame));
    next_ = loop_.now() + (is_request(frame) ? settings_.longest_silence : settings_.pace);
    if (!waiting_.empty()) return start(loop_, next_);
    drained_.notify_all();
    if (finishing_) inner_->finish();
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
  FramesDone* reader_ = nullptr;
  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::string frame_;
  TimePoint next_{};
  bool finishing_ = false;
  std::unique_ptr<Frames> inner_;
};

}  // namespace

std::unique_ptr<Frames> paced_frames(Loop& loop, std::unique_ptr<Frames> inner, PacedFramesSettings settings) {
  return std::make_unique<PacedFrames>(loop, std::move(inner), std::move(settings));
}

}  // namespace parlance::face

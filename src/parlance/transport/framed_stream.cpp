// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/framed_stream.h"

#include <algorithm>
#include <vector>

#include "parlance/transport/output_queue.h"
#include "parlance/transport/read_buffer.h"

namespace parlance {
namespace {

constexpr std::size_t kept_output_bytes = 16 << 10;  // a batch of answers or calls reuses this buffer

class FramedStream final : public Frames, private IoDone, private Ready, private HangUp, private OutputQueue::Owner {
 public:
  FramedStream(Loop& loop, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing, FramedStreamSettings settings)
      : loop_(loop),
        stream_(std::move(stream)),
        framing_(std::move(framing)),
        output_(loop, *stream_, *this,
                {.stall = settings.stall, .congested_bytes = settings.write_queue_bytes, .kept_bytes = kept_output_bytes}) {
    buffer_.append(settings.already_read);
    unseen_ = !buffer_.empty();
  }
  ~FramedStream() {
    output_.abandon();
    stream_->close();
  }

  // ---- reading

  void start_read(FramesDone& done) override {
    PARLANCE_CHECK(reader_ == nullptr, "one read at a time");
    reader_ = &done;
    if (input_ == Input::reading) return;  // a cancelled reader has left its frames to this reader
    if (end_ || dropped_ || unseen_ || input_ == Input::ended || state_ == State::closed) {
      loop_.wake(*this);
      return;
    }
    read_more();
  }
  void stop_read() override { reader_ = nullptr; }

  // ---- writing

  std::string& begin_frame() override {
    begun_at_ = output_.buffer().size();
    framing_->begin(output_.buffer());
    return output_.buffer();
  }
  Result<void> end_frame() override {
    if (Result<void> ended = framing_->end(output_.buffer(), begun_at_); !ended) {
      abandon_frame();
      return ended;
    }
    if (state_ >= State::output_ended) output_.buffer().clear();
    else output_.schedule();
    return {};
  }
  void abandon_frame() override { output_.buffer().resize(begun_at_); }

  bool congested() const override { return output_.congested(); }
  Signal& drained() override { return output_.drained(); }
  std::size_t queued_bytes() const override { return output_.queued_bytes(); }

  void watch(HangUp* watcher) override {
    watcher_ = watcher;
    stream_->watch(watcher == nullptr ? nullptr : this);
    if (output_.failed()) on_hang_up();
  }

  void finish() override {
    if (state_ >= State::output_ended) return;
    state_ = State::finishing;
    if (output_.queued_bytes() == 0) on_output_sent();
    else output_.flush();
  }
  void close() override {
    if (state_ == State::closed) return;
    state_ = State::closed;
    output_.abandon();
    stream_->close();
    if (reader_ != nullptr && input_ != Input::reading) loop_.wake(*this);
  }
  std::string name() const override { return stream_->name(); }

 private:
  // Progress of the end. Each state includes the earlier states.
  enum class State : std::uint8_t { open, finishing, output_ended, closed };

  void on_output_sent() override {
    if (state_ != State::finishing) return;
    state_ = State::output_ended;
    stream_->close_output();
  }
  void on_output_failed(Error) override {  // the reading side will say why the connection ended
    state_ = std::max(state_, State::output_ended);
    on_hang_up();
  }
  void on_output_stalled(Error error) override {
    if (!end_) end_ = std::move(error);
    close();
    on_hang_up();
  }

  void on_hang_up() override {
    if (watcher_ != nullptr) std::exchange(watcher_, nullptr)->on_hang_up();
  }

  void read_more() {
    const std::span<char> room = buffer_.room();
    input_ = Input::reading;
    stream_->start_read(room, *this);
  }

  void on_io(Result<std::size_t> bytes) override {
    input_ = Input::idle;
    if (!bytes) {
      if (!end_) end_ = std::move(bytes).error();
    } else if (*bytes == 0) {
      input_ = Input::ended;
    } else {
      buffer_.commit(*bytes);
    }
    unseen_ = true;
    deliver();
  }
  void on_ready() override { deliver(); }

  void deliver() {
    if (reader_ == nullptr || input_ == Input::reading) return;
    batch_.clear();
    if (!dropped_) find_frames();
    if (!batch_.empty()) return finish_read(FrameBatch{.frames = batch_});
    if (dropped_) {
      reported_drop_ = *std::exchange(dropped_, std::nullopt);
      return finish_read(FrameBatch{.dropped = &reported_drop_});
    }
    if (end_) {
      buffer_ = {};  // the buffered bytes are dropped
      return finish_read(std::unexpected(*end_));
    }
    if (state_ == State::closed)
      return finish_read(std::unexpected(Error{.code = Errc::disconnected, .message = name() + ": the connection is closed"}));
    if (input_ == Input::ended) return finish_read(FrameBatch{});
    read_more();
  }

  // Stops at the first skipped frame, which is reported in its order.
  void find_frames() {
    while (std::exchange(unseen_, false) && !over_) {
      const Framing::Step step = framing_->next(buffer_.view(), input_ == Input::ended);
      if (step.kind == Framing::Step::need_more) return;
      if (step.kind == Framing::Step::fatal) return end_reading(*step.error);
      // A step without progress would repeat endlessly.
      if (step.consumed == 0) return end_reading({.code = Errc::disconnected, .message = "a frame of no bytes"});
      buffer_.consume(step.consumed);
      unseen_ = true;
      if (step.kind == Framing::Step::complete) batch_.push_back(step.frame);
      if (step.kind == Framing::Step::broken) {
        dropped_ = step.error;
        return;
      }
    }
  }
  void end_reading(Error why) {
    over_ = true;
    end_ = FramesEnd(std::move(why), true);
  }
  void finish_read(FramesRead batch) { std::exchange(reader_, nullptr)->on_frames(std::move(batch)); }

  Loop& loop_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<Framing> framing_;
  FramesDone* reader_ = nullptr;
  ReadBuffer buffer_;
  std::vector<BytesView> batch_;
  std::optional<Error> dropped_;  // of the frame behind the batch, not reported yet
  Error reported_drop_;           // of the last report, until the next
  std::optional<FramesEnd> end_;  // reported after the earlier frames
  HangUp* watcher_ = nullptr;
  Input input_ = Input::idle;
  bool unseen_ = false;  // the framing has not seen the latest input
  bool over_ = false;    // the framing is not used any more

  OutputQueue output_;
  std::size_t begun_at_ = 0;
  State state_ = State::open;
};

}  // namespace

std::unique_ptr<Frames> framed_stream(Loop& loop, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing,
                                      FramedStreamSettings settings) {
  return std::make_unique<FramedStream>(loop, std::move(stream), std::move(framing), std::move(settings));
}

}  // namespace parlance

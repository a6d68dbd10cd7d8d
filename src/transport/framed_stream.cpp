#include "transport/framed_stream.h"

#include <cstring>
#include <vector>

namespace parlance {
namespace {

// One write to the stream is at most so long: a stall is judged by progress, and progress is seen between writes.
constexpr std::size_t write_piece_bytes = 256 << 10;
constexpr std::size_t kept_output_bytes = 16 << 10;  // an output buffer up to this size survives its flush
constexpr int small_reads_before_shrinking = 16;

class FramedStream final : public Frames, private IoDone, private TurnEnd, private Ready, private HangUp {
 public:
  FramedStream(Loop& loop, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing, FramedStreamSettings settings)
      : loop_(loop),
        stream_(std::move(stream)),
        framing_(std::move(framing)),
        queue_limit_(settings.write_queue_bytes),
        writer_(*this, settings.stall),
        drained_(loop) {
    if (!settings.already_read.empty()) {
      ensure_room(settings.already_read.size());
      std::memcpy(buffer_.get(), settings.already_read.data(), settings.already_read.size());
      end_at_ = settings.already_read.size();
      unseen_ = true;
    }
  }
  ~FramedStream() { stream_->close(); }

  // ---- reading

  void start_read(FramesDone& done) override {
    PARLANCE_CHECK(reader_ == nullptr, "one read at a time");
    reader_ = &done;
    if (reading_) return;  // an earlier reader lost interest: what it waited for is ours
    if (end_ || dropped_ || unseen_ || at_end_ || closed_) {
      loop_.wake(*this);
      return;
    }
    make_room();
    read_more();
  }
  void stop_read() override { reader_ = nullptr; }

  // ---- writing

  std::string& begin_frame() override {
    begun_at_ = out_.size();
    framing_->begin(out_);
    return out_;
  }
  Result<void> end_frame() override {
    if (Result<void> ended = framing_->end(out_, begun_at_); !ended) {
      abandon_frame();
      return ended;
    }
    if (closed_ || output_ended_) out_.clear();
    else if (!writer_.busy()) loop_.at_turn_end(*this);
    return {};
  }
  void abandon_frame() override { out_.resize(begun_at_); }

  bool congested() const override { return queued_bytes() > queue_limit_; }
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return out_.size() + writer_.left(); }

  void watch(HangUp* watcher) override {
    watcher_ = watcher;
    stream_->watch(watcher == nullptr ? nullptr : this);
    if (output_failed_ || closed_) on_hang_up();
  }

  void finish() override {
    finishing_ = true;
    if (!writer_.busy()) flush();
  }
  void close() override {
    if (closed_) return;
    closed_ = true;
    out_.clear();
    stream_->close();
    drained_.notify_all();
    if (reader_ != nullptr && !reading_) loop_.wake(*this);
  }
  std::string name() const override { return stream_->name(); }

 private:
  // Writes what try_write left over.
  class Writer final : public IoDone, private Timer {
   public:
    Writer(FramedStream& owner, std::chrono::milliseconds stall) : owner_(owner), stall_(stall) {}
    bool busy() const { return busy_; }
    std::size_t left() const { return pending_.size() - sent_; }
    void take(std::string bytes, std::size_t sent) {
      pending_ = std::move(bytes);
      sent_ = sent;
      write_piece();
    }
    void on_io(Result<std::size_t> bytes) override {
      busy_ = false;
      stop();
      if (!bytes) {
        pending_.clear();
        sent_ = 0;
        owner_.output_failed();
        return;
      }
      sent_ += piece_;
      if (left() != 0) {
        write_piece();
        return;
      }
      pending_ = {};
      sent_ = 0;
      owner_.flush();
    }

   private:
    void write_piece() {
      piece_ = std::min(left(), write_piece_bytes);
      busy_ = true;
      if (stall_.count() != 0) start(owner_.loop_, owner_.loop_.now() + stall_);
      owner_.stream_->start_write(BytesView(pending_).substr(sent_, piece_), *this);
    }
    void on_timer() override { owner_.stalled(); }
    FramedStream& owner_;
    std::chrono::milliseconds stall_;
    std::string pending_;
    std::size_t sent_ = 0;
    std::size_t piece_ = 0;
    bool busy_ = false;
  };

  // `finish` may have flushed in this turn already; what the stream did not take then is under way, and must not be cut off.
  void on_turn_end() override {
    if (!writer_.busy()) flush();
  }

  void flush() {
    if (closed_) return;
    const std::size_t size = out_.size();
    if (size != 0) {
      const std::size_t taken = stream_->try_write(out_);
      if (taken == size) {
        out_.clear();
        if (out_.capacity() > kept_output_bytes && size < out_.capacity() / 4) out_ = {};
      } else {
        writer_.take(std::exchange(out_, {}), taken);  // no copy: an answer may be large
        return;
      }
    }
    if (!congested()) drained_.notify_all();
    if (finishing_ && !output_ended_) {
      output_ended_ = true;
      stream_->close_output();
    }
  }

  void output_failed() {
    out_.clear();
    output_ended_ = true;  // The reading side will say why the connection ended.
    output_failed_ = true;
    drained_.notify_all();
    on_hang_up();
  }

  void stalled() {
    if (!end_) end_ = Error{.code = Errc::disconnected, .message = name() + ": the other side stopped reading"};
    close();
    on_hang_up();
  }

  void on_hang_up() override {
    if (watcher_ != nullptr) std::exchange(watcher_, nullptr)->on_hang_up();
  }

  // ---- the read buffer

  void make_room() {
    if (begin_ == end_at_) {
      begin_ = end_at_ = 0;
      if (capacity_ > limits::read_buffer_first_bytes && small_reads_ >= small_reads_before_shrinking)
        resize(limits::read_buffer_first_bytes);
    } else if (begin_ != 0) {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_at_ - begin_);
      end_at_ -= begin_;
      begin_ = 0;
    }
  }
  void ensure_room(std::size_t bytes) {
    std::size_t wanted = std::max(capacity_, limits::read_buffer_first_bytes);
    while (wanted - end_at_ < bytes) wanted *= 2;
    if (wanted != capacity_) resize(wanted);
  }
  void resize(std::size_t capacity) {
    std::unique_ptr<char[]> fresh(new char[capacity]);
    if (end_at_ != 0) std::memcpy(fresh.get(), buffer_.get(), end_at_);
    buffer_ = std::move(fresh);
    capacity_ = capacity;
    small_reads_ = 0;
  }

  void read_more() {
    ensure_room(1);
    reading_ = true;
    stream_->start_read({buffer_.get() + end_at_, capacity_ - end_at_}, *this);
  }

  void on_io(Result<std::size_t> bytes) override {
    reading_ = false;
    if (!bytes) {
      if (!end_) end_ = std::move(bytes).error();
    } else if (*bytes == 0) {
      at_end_ = true;
    } else {
      const bool filled = *bytes == capacity_ - end_at_;
      end_at_ += *bytes;
      small_reads_ = *bytes < capacity_ / 4 ? small_reads_ + 1 : 0;
      if (filled && capacity_ < limits::read_buffer_most_bytes) resize(capacity_ * 2);
    }
    unseen_ = true;
    deliver();
  }
  void on_ready() override { deliver(); }

  void deliver() {
    if (reader_ == nullptr || reading_) return;
    batch_.clear();
    if (!dropped_) find_frames();
    if (!batch_.empty()) return finish_read(FrameBatch{.frames = batch_});
    if (dropped_) {
      told_ = *std::exchange(dropped_, std::nullopt);
      return finish_read(FrameBatch{.dropped = &told_});
    }
    if (end_) {
      release();
      return finish_read(std::unexpected(*end_));
    }
    if (closed_)
      return finish_read(std::unexpected(Error{.code = Errc::disconnected, .message = name() + ": the connection is closed"}));
    if (at_end_) return finish_read(FrameBatch{});
    make_room();
    read_more();
  }

  // Up to the first that was passed over: that is told in its place among the others.
  void find_frames() {
    while (std::exchange(unseen_, false) && !over_) {
      const Framing::Step step = framing_->next({buffer_.get() + begin_, end_at_ - begin_}, at_end_);
      if (step.kind == Framing::Step::need_more) return;
      if (step.kind == Framing::Step::fatal) return end_reading(*step.error);
      // A step that takes nothing would be taken for ever.
      if (step.consumed == 0) return end_reading({.code = Errc::disconnected, .message = "a frame of no bytes"});
      begin_ += step.consumed;
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
  void release() {
    buffer_.reset();
    capacity_ = begin_ = end_at_ = 0;
  }

  void finish_read(FramesRead batch) { std::exchange(reader_, nullptr)->on_frames(std::move(batch)); }

  Loop& loop_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<Framing> framing_;
  std::size_t queue_limit_;

  FramesDone* reader_ = nullptr;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_at_ = 0;
  int small_reads_ = 0;
  std::vector<BytesView> batch_;
  std::optional<Error> dropped_;  // the frame behind the batch, not told yet
  Error told_;                    // … and told
  std::optional<FramesEnd> end_;  // told when the frames before it are
  HangUp* watcher_ = nullptr;
  bool reading_ = false;
  bool at_end_ = false;
  bool unseen_ = false;  // the framing has not been asked since something changed
  bool over_ = false;    // … and is not asked any more
  bool closed_ = false;

  std::string out_;
  std::size_t begun_at_ = 0;
  bool finishing_ = false;
  bool output_ended_ = false;
  bool output_failed_ = false;
  Writer writer_;
  Signal drained_;
};

}  // namespace

std::unique_ptr<Frames> framed_stream(Loop& loop, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing,
                                      FramedStreamSettings settings) {
  return std::make_unique<FramedStream>(loop, std::move(stream), std::move(framing), std::move(settings));
}

}  // namespace parlance

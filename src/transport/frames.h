// Whole frames over some transport: lines, content-length messages, gob messages, WebSocket messages.
//
// `read` brings every complete frame of one read of the stream (at least one): handling all of them before the next read is worth
// a factor of thirty. The views are valid until the next read.
// Writing is appending: `compose` hands out the output buffer, and the buffer leaves in one system call at the end of the turn.
// A producer waits for `drained` while `congested`: that is how a slow reader slows down its writer, and nobody else.
// Loop thread only.
#pragma once

#include <coroutine>
#include <cstddef>
#include <span>
#include <string>

#include "async/channel.h"
#include "base/bytes.h"
#include "base/result.h"

namespace parlance {

class Frames;

// Where a batch ends up.
class FramesDone {
 public:
  virtual void on_frames(Result<std::span<const BytesView>> batch) = 0;

 protected:
  ~FramesDone() = default;
};

class Frames {
 public:
  virtual ~Frames() = default;

  // One read at a time. An empty batch is a clean end. An error is final, except Errc::invalid_request: one frame was too long or
  // broken and has been passed over; reading can go on.
  virtual void start_read(FramesDone& done) = 0;
  virtual void stop_read() = 0;  // The reader lost interest; nothing is called any more.

  // `write(out)` appends one frame's content to the output and returns Result<void>. When it fails nothing is sent and the error
  // comes back. Errors of the connection itself are told by the reading side.
  template <class F>
  Result<void> compose(F&& write) {
    std::string& out = begin_frame();
    if (Result<void> written = write(out); !written) {
      abandon_frame();
      return written;
    }
    return end_frame();
  }
  Result<void> send(BytesView frame) {
    return compose([frame](std::string& out) -> Result<void> {
      out += frame;
      return {};
    });
  }

  virtual bool congested() const = 0;  // more than limits::write_queue_bytes are waiting
  virtual Signal& drained() = 0;       // notified when no longer congested, and at the end
  virtual std::size_t queued_bytes() const = 0;

  virtual void finish() = 0;  // Flush what is queued, then end the output; input goes on.
  virtual void close() = 0;   // At once. A read in progress ends with Errc::disconnected.
  virtual std::string name() const = 0;

 protected:
  virtual std::string& begin_frame() = 0;  // then exactly one of:
  virtual Result<void> end_frame() = 0;    // fails for a frame that the framing cannot carry; it is then dropped
  virtual void abandon_frame() = 0;
};

// co_await read_frames(frames)
class FramesAwaiter : private FramesDone {
 public:
  explicit FramesAwaiter(Frames& frames) : frames_(frames) {}
  ~FramesAwaiter() {
    if (waiting_) frames_.stop_read();
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    frames_.start_read(*this);
  }
  Result<std::span<const BytesView>> await_resume() { return std::move(result_); }

 private:
  void on_frames(Result<std::span<const BytesView>> batch) override {
    result_ = std::move(batch);
    std::exchange(waiting_, {}).resume();
  }
  Frames& frames_;
  std::coroutine_handle<> waiting_;
  Result<std::span<const BytesView>> result_;
};
inline FramesAwaiter read_frames(Frames& frames) { return FramesAwaiter(frames); }

}  // namespace parlance

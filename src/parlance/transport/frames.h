// SPDX-License-Identifier: Apache-2.0
// Whole frames over some transport: lines, content-length messages, gob messages, WebSocket messages.
//
// `read` brings every complete frame of one read of the stream (at least one): handling all of them before the next read is worth
// a factor of thirty. The views are valid until the next read. An end of reading is final: every later read ends the same way.
// Writing is appending: `compose` hands out the output buffer, and the buffer leaves in one system call at the end of the turn.
// A producer waits for `drained` while `congested`: that is how a slow reader slows down its writer, and nobody else.
// Loop thread only.
#pragma once

#include <coroutine>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/transport/byte_stream.h"
#include "parlance/transport/limits.h"

namespace parlance {

class Frames;

// What one read brought: frames, or word of one that was too long or broken and has been passed over. With neither it is a clean
// end: the other side sends no more, and may still read.
struct FrameBatch {
  std::span<const BytesView> frames{};
  const Error* dropped = nullptr;  // reading goes on behind it

  bool empty() const { return frames.empty() && dropped == nullptr; }  // the end
  std::size_t size() const { return frames.size(); }
  const BytesView& front() const { return frames.front(); }
  auto begin() const { return frames.begin(); }
  auto end() const { return frames.end(); }
};

// Why reading is over before a clean end. Which kind it is stands beside the error, not in its code: that one is for people and callers.
struct FramesEnd : Error {
  FramesEnd(Error error, bool is_broken = false) : Error(std::move(error)), broken(is_broken) {}
  // What came is no frame, and where the next one would begin cannot be known. The other side may still be there and read an answer.
  // Otherwise nobody is.
  bool broken;
};
using FramesRead = std::expected<FrameBatch, FramesEnd>;

// Where a batch ends up.
class FramesDone {
 public:
  virtual void on_frames(FramesRead batch) = 0;

 protected:
  ~FramesDone() = default;
};

class Frames {
 public:
  virtual ~Frames() = default;

  // One read at a time.
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

  // As ByteStream::watch, and told too when writing fails.
  virtual void watch(HangUp* watcher) { static_cast<void>(watcher); }

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
  FramesRead await_resume() { return std::move(result_); }

 private:
  void on_frames(FramesRead batch) override {
    result_ = std::move(batch);
    std::exchange(waiting_, {}).resume();
  }
  Frames& frames_;
  std::coroutine_handle<> waiting_;
  FramesRead result_;
};
inline FramesAwaiter read_frames(Frames& frames) { return FramesAwaiter(frames); }

}  // namespace parlance

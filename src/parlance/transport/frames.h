// SPDX-License-Identifier: Apache-2.0
// Whole frames over a transport: lines, content-length messages, gob messages, WebSocket messages.
//
// `read` returns all complete frames of one read of the stream, at least one. Handling all frames before the next read is thirty
// times faster. The views are valid until the next read. An end of reading is final: every later read returns the same end.
// `compose` appends to the output buffer, and one system call flushes the buffer at the end of the turn. A producer waits for
// `drained` while the output is `congested`: a slow reader slows its writer down, and no other. Loop thread only.
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

// The result of a read: frames, or a report of a skipped frame that was too long or malformed. Neither: a clean end. The other
// side sends nothing further, and may still read.
struct FrameBatch {
  std::span<const BytesView> frames{};
  const Error* dropped = nullptr;  // Reading continues after it.

  bool empty() const { return frames.empty() && dropped == nullptr; }  // The end.
  std::size_t size() const { return frames.size(); }
  const BytesView& front() const { return frames.front(); }
  auto begin() const { return frames.begin(); }
  auto end() const { return frames.end(); }
};

// The kind of an end that is not clean. The kind is stored beside the error, because the error's code is for callers and people.
struct FramesEnd : Error {
  FramesEnd(Error error, bool is_broken = false) : Error(std::move(error)), broken(is_broken) {}
  // The input is not a frame, and the beginning of the next frame is unknown. The other side may still read an answer. For all
  // other kinds, the other side is gone.
  bool broken;
};
using FramesRead = std::expected<FrameBatch, FramesEnd>;

// Receives a batch.
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
  virtual void stop_read() = 0;  // Cancels the read; no callback follows.

  // `write(out)` appends the content of a frame to the output and returns Result<void>. After a failure, nothing is sent and the
  // error is returned. The reading side reports errors of the connection.
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

  virtual bool congested() const = 0;  // More than limits::write_queue_bytes wait.
  virtual Signal& drained() = 0;       // Notified at the end of congestion, and at the end of the connection.
  virtual std::size_t queued_bytes() const = 0;

  // As ByteStream::watch, and also notified after a failed write.
  virtual void watch(HangUp* watcher) { static_cast<void>(watcher); }

  virtual void finish() = 0;  // Flushes the queue, then ends the output. Input continues.
  virtual void close() = 0;   // Closes at once. A read in progress ends with Errc::disconnected.
  virtual std::string name() const = 0;

 protected:
  virtual std::string& begin_frame() = 0;  // Followed by exactly one of:
  virtual Result<void> end_frame() = 0;    // Fails for a frame that the framing cannot carry. The frame is dropped.
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

// SPDX-License-Identifier: Apache-2.0
// An ordered, reliable pair of byte pipes: a socket, a child's stdin and stdout, one end of a pair in memory. Knows nothing of frames.
// Loop thread only. One read and one write may be in progress at a time; the framing above serialises them.
// Closing completes both with Errc::disconnected. Destroying a stream closes it.
#pragma once

#include <coroutine>
#include <cstddef>
#include <span>
#include <string>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance {

// Where a read or write ends. Called on the loop thread, never from inside `start_read` or `start_write`.
class IoDone {
 public:
  virtual void on_io(Result<std::size_t> bytes) = 0;

 protected:
  ~IoDone() = default;
};

// Who hears that the other side is gone altogether, which is more than the end of its output: nobody reads what we write.
class HangUp {
 public:
  virtual void on_hang_up() = 0;  // Once. May come from inside `watch`.

 protected:
  ~HangUp() = default;
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Fills some of `into`, which must stay until `done` was called. 0 bytes: a clean end.
  virtual void start_read(std::span<char> into, IoDone& done) = 0;
  // Reads that wait are woken when so many bytes are there, or at the end; 1 again: by any, and by those that are there already. False: this
  // stream cannot wait like that.
  virtual bool wake_at(std::size_t bytes) {
    static_cast<void>(bytes);
    return false;
  }
  // Takes what it can at once, without waiting; 0 when nothing fits or after a failure (which the next start_write tells).
  virtual std::size_t try_write(BytesView from) = 0;
  // Takes all of `from`, which must stay until `done` was called.
  virtual void start_write(BytesView from, IoDone& done) = 0;
  // No more output; the other side reads a clean end. Input goes on.
  virtual void close_output() = 0;
  virtual void close() = 0;
  // Watches for the other side's going while nothing is read or written; null ends it. One watcher at a time. After an end of input
  // this is what tells a caller who only has nothing more to ask from one who is not there any more:
  //   Unix sockets   who shut down a half still reads; who closed, or died, hangs up (POLLHUP)
  //   pipes          our output has no reader any more (POLLERR); the same for a terminal that went away
  //   TCP            both look the same: only a reset, mostly the answer to what we write, tells
  // A stream that cannot tell never calls.
  virtual void watch(HangUp* watcher) { static_cast<void>(watcher); }
  // Closes, and `done` (of the read or write in progress) is not called any more: it is about to be gone, while the stream may stay.
  virtual void give_up(IoDone& done) = 0;

  // How this end is called in errors and logs: "unix:/run/x.sock", "child claude[77]".
  virtual std::string name() const = 0;
};

// co_await read_some(stream, buffer) / write_all(stream, bytes). Destroying the awaiting coroutine closes the stream: bytes of a
// read that was given up would be lost.
class IoAwaiter : private IoDone {
 public:
  IoAwaiter(ByteStream& stream, std::span<char> into) : stream_(stream), into_(into) {}
  IoAwaiter(ByteStream& stream, BytesView from) : stream_(stream), from_(from), writing_(true) {}
  ~IoAwaiter() {
    if (waiting_) stream_.give_up(*this);
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    if (writing_) stream_.start_write(from_, *this);
    else stream_.start_read(into_, *this);
  }
  Result<std::size_t> await_resume() { return std::move(result_); }

 private:
  void on_io(Result<std::size_t> bytes) override {
    result_ = std::move(bytes);
    std::exchange(waiting_, {}).resume();
  }
  ByteStream& stream_;
  std::span<char> into_;
  BytesView from_;
  bool writing_ = false;
  std::coroutine_handle<> waiting_;
  Result<std::size_t> result_ = 0;
};
inline IoAwaiter read_some(ByteStream& stream, std::span<char> into) { return {stream, into}; }
inline IoAwaiter write_all(ByteStream& stream, BytesView from) { return {stream, from}; }

}  // namespace parlance

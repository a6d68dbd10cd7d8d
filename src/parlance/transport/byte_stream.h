// SPDX-License-Identifier: Apache-2.0
// An ordered, reliable pair of byte pipes: a socket, a child's stdin and stdout, or an end of a pair in memory. Without frames.
// Loop thread only. A read and a write may be in progress; the framing above serialises both. Closing completes both with
// Errc::disconnected. The destructor closes the stream.
#pragma once

#include <coroutine>
#include <cstddef>
#include <span>
#include <string>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance {

// Receives the end of a read or write. Called on the loop thread, never from inside `start_read` or `start_write`.
class IoDone {
 public:
  virtual void on_io(Result<std::size_t> bytes) = 0;

 protected:
  ~IoDone() = default;
};

// Receives the disappearance of the other side. This is more than the end of its output: the other side does not read either.
class HangUp {
 public:
  virtual void on_hang_up() = 0;  // Called once, possibly from inside `watch`.

 protected:
  ~HangUp() = default;
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Fills a part of `into`, valid until `done`. 0 bytes: a clean end.
  virtual void start_read(std::span<char> into, IoDone& done) = 0;
  // Waiting reads wake when this number of bytes is available, or at the end. 1 resets this: reads wake for any byte, also for
  // available bytes. False: the stream cannot wait in this way.
  virtual bool wake_at(std::size_t bytes) {
    static_cast<void>(bytes);
    return false;
  }
  // Writes as much as possible without waiting. 0: no byte fits, or a failure, reported by the next start_write.
  virtual std::size_t try_write(BytesView from) = 0;
  // Writes all of `from`, valid until `done`.
  virtual void start_write(BytesView from, IoDone& done) = 0;
  // Ends our output: the other side reads a clean end. Input continues.
  virtual void close_output() = 0;
  virtual void close() = 0;
  // Watches for the disappearance of the other side while no read or write is in progress; null ends the watch. One watcher at a
  // time. After an end of input, only this distinguishes a caller that awaits an answer from a dead caller:
  //   Unix sockets   a half-closed peer still reads; a closed or dead peer hangs up (POLLHUP)
  //   pipes          our output has no reader (POLLERR); the same for a closed terminal
  //   TCP            both look equal: only a reset reports it, mostly as the answer to a write
  // A stream without this information never calls.
  virtual void watch(HangUp* watcher) { static_cast<void>(watcher); }
  // Closes the stream without calling `done` of the read or write in progress. For an owner destroyed before its stream.
  virtual void give_up(IoDone& done) = 0;

  // Name of this end in errors and logs: "unix:/run/x.sock", "child claude[77]".
  virtual std::string name() const = 0;
};

// co_await read_some(stream, buffer) / write_all(stream, bytes). Destroying the awaiting coroutine closes the stream, because
// bytes of an abandoned read would be lost.
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

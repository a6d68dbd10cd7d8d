// SPDX-License-Identifier: Apache-2.0
// The writing side of one connection: bytes are appended and leave in one system call at the end of the turn; what the stream does
// not take at once follows piece by piece, a piece a turn, so that one connection's megabytes do not hold up the others. Long texts
// that many connections send are referred to, not copied. Knows how much waits, and gives up on a peer that takes nothing.
// Loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"
#include "parlance/transport/limits.h"
#include "parlance/transport/shared_output.h"

namespace parlance {

struct OutputSettings {
  std::chrono::milliseconds stall{};                        // without progress; zero: no limit
  std::size_t congested_bytes = limits::write_queue_bytes;  // more than so many wait: whoever writes should wait, too
  // A buffer up to this size survives its flush: enough for streamed tokens, little enough for ten thousand idle connections.
  std::size_t kept_bytes = 512;
};

class OutputQueue final : private IoDone, private TurnEnd, private Timer {
 public:
  // Called from the loop or from `flush`, never from inside another call of the queue; the queue is not touched afterwards.
  class Owner {
   public:
    virtual void on_output_sent() = 0;  // everything appended so far has been taken by the system
    // One of the two, once; what was queued is gone.
    virtual void on_output_failed(Error error) = 0;
    virtual void on_output_stalled(Error error) { on_output_failed(std::move(error)); }  // the other side takes nothing

   protected:
    ~Owner() = default;
  };

  // The stream may be replaced by none (`detach`) but must outlive every write in progress.
  OutputQueue(Loop& loop, ByteStream& stream, Owner& owner, OutputSettings settings)
      : loop_(loop), stream_(&stream), owner_(owner), settings_(settings), drained_(loop) {}

  std::string& buffer() { return out_; }  // Append to it, then `schedule`.
  void append_shared(SharedBytes bytes);  // behind what the buffer holds; then `schedule`
  void schedule() {
    if (!busy_ && !failed_) loop_.at_turn_end(*this);
  }
  bool busy() const { return busy_; }  // a write waits for the stream
  // Zero once it has failed: nobody waits for what will not be sent, although a write that is under way still looks at it.
  std::size_t queued_bytes() const { return failed_ ? 0 : out_.size() + later_bytes_ + rest_.bytes().size() - sent_; }
  bool congested() const { return queued_bytes() > settings_.congested_bytes; }
  bool failed() const { return failed_; }
  Signal& drained() { return drained_; }

  void flush();  // now, and not at the end of the turn
  // Tries to send without waiting; what is left over is what the caller cannot wait for.
  void send_now();
  // Takes back what has not been sent, and lets go of the stream; only when not busy.
  std::string detach();
  // The stream is about to be closed: nothing is written or told any more.
  void abandon();

 private:
  void on_io(Result<std::size_t> bytes) override;
  void on_turn_end() override { flush(); }
  void on_timer() override;
  struct Segment {
    std::string own{};
    SharedBytes shared{};
    BytesView bytes() const { return shared ? BytesView(*shared) : BytesView(own); }
  };
  Segment next_segment();
  void write_piece();
  void sent();

  Loop& loop_;
  ByteStream* stream_;
  Owner& owner_;
  OutputSettings settings_;
  std::string out_;             // grows while rest_ is under way; comes after
  std::vector<Segment> later_;  // … these, in order; empty as long as nothing is shared
  std::size_t later_bytes_ = 0;
  Segment rest_;          // what the stream did not take at once
  std::size_t sent_ = 0;  // of rest_
  std::size_t piece_ = 0;
  bool busy_ = false;
  bool failed_ = false;
  Signal drained_;
};

}  // namespace parlance

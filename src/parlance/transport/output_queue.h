// SPDX-License-Identifier: Apache-2.0
// The output of a connection: bytes are appended, and leave in one system call at the end of the turn. The rest follows in
// pieces, a piece in each turn, so a connection with megabytes does not delay others. Long texts for many connections are
// shared, not copied. Measures the waiting bytes, and closes after a time without progress. Loop thread only.
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
  std::chrono::milliseconds stall{};                        // Time without progress. Zero: no limit.
  std::size_t congested_bytes = limits::write_queue_bytes;  // Above this number of waiting bytes, the writer should wait.
  // A buffer up to this size survives its flush: enough for streamed tokens, and small for ten thousand idle connections.
  std::size_t kept_bytes = 512;
};

class OutputQueue final : private IoDone, private TurnEnd, private Timer {
 public:
  // Called from the loop or from `flush`, never from inside another call of the queue. The queue is not used afterwards.
  class Owner {
   public:
    virtual void on_output_sent() = 0;  // The system has taken all appended bytes.
    // Either callback, once. Queued output is lost.
    virtual void on_output_failed(Error error) = 0;
    virtual void on_output_stalled(Error error) { on_output_failed(std::move(error)); }  // The other side takes no output.

   protected:
    ~Owner() = default;
  };

  // The stream may be removed (`detach`), but must outlive every write in progress.
  OutputQueue(Loop& loop, ByteStream& stream, Owner& owner, OutputSettings settings)
      : loop_(loop), stream_(&stream), owner_(owner), settings_(settings), drained_(loop) {}

  std::string& buffer() { return out_; }  // Append, then call `schedule`.
  void append_shared(SharedBytes bytes);  // Appends after the buffer; then call `schedule`.
  void schedule() {
    if (!busy_ && !failed_) loop_.at_turn_end(*this);
  }
  bool busy() const { return busy_; }  // A write waits for the stream.
  // Zero after a failure: lost output delays no producer, although a write in progress still uses the bytes.
  std::size_t queued_bytes() const { return failed_ ? 0 : out_.size() + later_bytes_ + rest_.bytes().size() - sent_; }
  bool congested() const { return queued_bytes() > settings_.congested_bytes; }
  bool failed() const { return failed_; }
  Signal& drained() { return drained_; }

  void flush();  // Now, not at the end of the turn.
  // Tries to send without waiting. The caller cannot wait for the remaining bytes.
  void send_now();
  // Takes back the unsent bytes and releases the stream. Only if not busy.
  std::string detach();
  // The stream is about to close: no write and no callback follows.
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
  std::string out_;             // Grows while rest_ is written; written afterwards.
  std::vector<Segment> later_;  // Written afterwards in order. Empty without shared texts.
  std::size_t later_bytes_ = 0;
  Segment rest_;          // The rest of a partial write.
  std::size_t sent_ = 0;  // Written bytes of rest_.
  std::size_t piece_ = 0;
  bool busy_ = false;
  bool failed_ = false;
  Signal drained_;
};

}  // namespace parlance

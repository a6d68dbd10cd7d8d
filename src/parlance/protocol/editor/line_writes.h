// SPDX-License-Identifier: Apache-2.0
// A stream with separate writes for each line. Editors in use parse each read as one JSON document, and would lose a second
// message in the same read. A line therefore waits for an answer to the line before, or for limits::piece. This ends once the
// other side has proved reading by lines. Loop thread only.
#pragma once

#include <memory>
#include <optional>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::editor {

class LineWrites final : public ByteStream, private IoDone, private Timer {
 public:
  LineWrites(Loop& loop, std::unique_ptr<ByteStream> inner);

  void reads_lines();  // Proved: from now on, lines do not wait.

  void start_read(std::span<char> into, IoDone& done) override;
  std::size_t try_write(BytesView from) override;
  void start_write(BytesView from, IoDone& done) override;
  void close_output() override { inner_->close_output(); }
  void close() override { inner_->close(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void give_up(IoDone& done) override;
  std::string name() const override { return inner_->name(); }

 private:
  // Reads pass through here: input proves a read of the last line.
  struct Reading final : IoDone {
    explicit Reading(LineWrites& stream) : of(stream) {}
    void on_io(Result<std::size_t> bytes) override;
    LineWrites& of;
    IoDone* done = nullptr;
  };

  void on_io(Result<std::size_t> written) override;
  void on_timer() override { go_on(); }
  void left(bool whole);  // Bytes of a line have left.
  void go_on();           // The next line may leave.
  void write_line();

  Loop& loop_;
  std::unique_ptr<ByteStream> inner_;
  Reading reading_{*this};
  bool lines_ = false;    // The other side reads lines.
  bool unread_ = false;   // A line was written and may be unread.
  bool in_line_ = false;  // A part of a line has left: its rest does not wait.
  IoDone* writer_ = nullptr;
  BytesView rest_{};  // Of its output.
  std::size_t all_ = 0;
  std::size_t under_way_ = 0;  // Bytes in the write of the stream below; 0: all bytes wait here.
};

std::unique_ptr<LineWrites> line_writes(Loop& loop, std::unique_ptr<ByteStream> stream);

}  // namespace parlance::editor

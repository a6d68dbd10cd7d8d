// SPDX-License-Identifier: Apache-2.0
// A stream whose every line leaves in a write of its own. Editors in use parse each piece that they read as one JSON document: two messages
// in one piece would be lost on them. So a line also waits until the other side has said something since the one before, or has had
// limits::piece to read it; until it has shown that it reads lines. Loop thread only.
#pragma once

#include <memory>
#include <optional>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::editor {

class LineWrites final : public ByteStream, private IoDone, private Timer {
 public:
  LineWrites(Loop& loop, std::unique_ptr<ByteStream> inner);

  void reads_lines();  // it has shown it: from now on no line waits for another

  void start_read(std::span<char> into, IoDone& done) override;
  std::size_t try_write(BytesView from) override;
  void start_write(BytesView from, IoDone& done) override;
  void close_output() override { inner_->close_output(); }
  void close() override { inner_->close(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void give_up(IoDone& done) override;
  std::string name() const override { return inner_->name(); }

 private:
  // The reads pass through here: what comes says that the last line was read.
  struct Reading final : IoDone {
    explicit Reading(LineWrites& stream) : of(stream) {}
    void on_io(Result<std::size_t> bytes) override;
    LineWrites& of;
    IoDone* done = nullptr;
  };

  void on_io(Result<std::size_t> written) override;
  void on_timer() override { go_on(); }
  void left(bool whole);  // bytes of a line have left
  void go_on();           // the next line may leave
  void write_line();

  Loop& loop_;
  std::unique_ptr<ByteStream> inner_;
  Reading reading_{*this};
  bool lines_ = false;    // the other side reads lines
  bool unread_ = false;   // a line is on its way, and may not have been read yet
  bool in_line_ = false;  // a part of a line has left: its rest waits for nothing
  IoDone* writer_ = nullptr;
  BytesView rest_{};  // of what it writes
  std::size_t all_ = 0;
  std::size_t under_way_ = 0;  // bytes that the stream below is writing; 0: they wait here
};

std::unique_ptr<LineWrites> line_writes(Loop& loop, std::unique_ptr<ByteStream> stream);

}  // namespace parlance::editor

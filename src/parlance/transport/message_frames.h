// SPDX-License-Identifier: Apache-2.0
// Frames without a connection: messages are passed in singly, and the reader's output is passed out. HTTP uses it, where every
// message has an exchange of its own. Loop thread only.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/transport/frames.h"

namespace parlance {

class MessageFrames : public Frames, private Ready {
 public:
  using Sink = std::function<void(std::string frame)>;
  // `sink` is called while the peer sends, and must not call the peer.
  MessageFrames(Loop& loop, std::string name, Sink sink)
      : loop_(loop), name_(std::move(name)), sink_(std::move(sink)), drained_(loop), read_(loop) {}

  void receive(std::string message);  // The peer reads it in this turn.
  Task<void> wait_writable();         // Until the waiting input of the peer is below limits::write_queue_bytes.
  void end();                         // Ends the input cleanly.
  void fail(Error error);             // Ends the input with an error. Earlier messages are read first.

  void start_read(FramesDone& done) override;
  void stop_read() override { reader_ = nullptr; }
  bool congested() const override { return false; }  // The sink limits its own storage.
  Signal& drained() override { return drained_; }
  std::size_t queued_bytes() const override { return 0; }
  void finish() override {}
  void close() override;
  std::string name() const override { return name_; }

 protected:
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override;
  void abandon_frame() override { frame_.clear(); }

 private:
  void on_ready() override;

  Loop& loop_;
  std::string name_;
  Sink sink_;
  Signal drained_;
  FramesDone* reader_ = nullptr;
  std::deque<std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
  Signal read_;
  std::vector<std::string> batch_;  // The frames that the reader handles.
  std::vector<BytesView> views_;
  std::optional<Error> error_;
  bool ended_ = false;
  std::string frame_;
};

}  // namespace parlance

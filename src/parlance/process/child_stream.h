// SPDX-License-Identifier: Apache-2.0
// A child's stdin and stdout as one stream. Ends with the child, because a daemon with an inherited stdout would keep the pipe
// open. For child_process.cpp. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

class ChildStream final : public ByteStream, private IoDone, private Ready, private HangUp {
 public:
  // Takes ownership of both descriptors.
  ChildStream(Loop& loop, int stdout_fd, int stdin_fd, std::string name);
  ~ChildStream() override;
  void on_destroyed(std::function<void()> handler) { destroyed_ = std::move(handler); }

  void start_read(std::span<char> into, IoDone& done) override;
  std::size_t try_write(BytesView from) override { return inner_->try_write(from); }
  void start_write(BytesView from, IoDone& done) override { inner_->start_write(from, done); }
  void close_output() override { inner_->close_output(); }
  void watch(HangUp* watcher) override;
  void close() override;
  void give_up(IoDone& done) override;
  std::string name() const override { return inner_->name(); }

  void child_ended();  // Output before the end is still readable.

 private:
  bool nothing_left() const;
  void on_io(Result<std::size_t> bytes) override;
  void on_ready() override { on_io(std::size_t{0}); }
  void on_hang_up() override;

  Loop& loop_;
  int stdout_fd_;  // The descriptor of inner_, valid while inner_ is open.
  std::unique_ptr<ByteStream> inner_;
  std::function<void()> destroyed_;
  IoDone* reader_ = nullptr;
  HangUp* watcher_ = nullptr;
  bool child_ended_ = false;
  bool at_end_ = false;
  bool closed_ = false;
};

}  // namespace parlance

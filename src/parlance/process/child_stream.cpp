// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_stream.h"

#include <sys/ioctl.h>

#include "parlance/transport/fd_stream.h"

namespace parlance {

ChildStream::ChildStream(Loop& loop, int stdout_fd, int stdin_fd, std::string name)
    : loop_(loop), stdout_fd_(stdout_fd), inner_(fd_stream(loop, stdout_fd, stdin_fd, std::move(name), ReadWait::looking)) {}

ChildStream::~ChildStream() {
  if (destroyed_) destroyed_();
}

void ChildStream::start_read(std::span<char> into, IoDone& done) {
  reader_ = &done;
  if (!closed_ && child_ended_ && nothing_left()) loop_.wake(*this);
  else inner_->start_read(into, *this);
}

// A daemon may have inherited its stdin as well: the child's end counts.
void ChildStream::watch(HangUp* watcher) {
  watcher_ = watcher;
  inner_->watch(watcher == nullptr ? nullptr : this);
  if (child_ended_) on_hang_up();
}

void ChildStream::close() {
  closed_ = true;
  inner_->close();
}

void ChildStream::give_up(IoDone& done) {
  if (reader_ == &done) {
    reader_ = nullptr;
    close();
  } else {
    closed_ = true;
    inner_->give_up(done);
  }
}

void ChildStream::child_ended() {
  child_ended_ = true;
  on_hang_up();
  if (closed_ || reader_ == nullptr || !nothing_left()) return;
  at_end_ = true;
  inner_->close();  // Resumes the waiting read in on_io.
}

// The pipe still holds the output before the child's end, and reads continue.
bool ChildStream::nothing_left() const {
  int bytes = 0;
  return at_end_ || ::ioctl(stdout_fd_, FIONREAD, &bytes) != 0 || bytes == 0;
}

void ChildStream::on_io(Result<std::size_t> bytes) {
  if (at_end_ && !closed_ && !bytes) bytes = 0;  // A read with received bytes that only waits for its turn keeps these bytes.
  if (IoDone* done = std::exchange(reader_, nullptr)) done->on_io(std::move(bytes));
}

void ChildStream::on_hang_up() {
  if (watcher_ != nullptr) std::exchange(watcher_, nullptr)->on_hang_up();
}

}  // namespace parlance

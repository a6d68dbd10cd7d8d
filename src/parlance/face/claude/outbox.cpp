// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/outbox.h"

#include <utility>

namespace parlance::face {

void ClaudeOutbox::send(std::string line) {
  if (waiting_.empty() && agent_.has_room())
    return static_cast<void>(agent_.send(std::move(line)));  // fails when the host is gone
  waiting_.push_back(std::move(line));
  if (waiting_.size() == 1) scope_.start(write());
}

Task<void> ClaudeOutbox::write() {
  while (!waiting_.empty()) {
    co_await agent_.wait_writable();
    static_cast<void>(agent_.send(std::move(waiting_.front())));
    waiting_.pop_front();
  }
  changed_.notify_all();
}

Task<void> ClaudeOutbox::sent() {
  while (!waiting_.empty()) co_await changed_.wait();
  co_await agent_.wait_writable();
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// Messages of the agent until the program receives them. Loop thread only; outlives its waiters.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/iflow/limits.h"
#include "parlance/iflow/messages.h"

namespace parlance::iflow {

class MessageQueue {
 public:
  explicit MessageQueue(Loop& loop) : arrived_(loop), taken_(loop) {}

  // The client also pushes messages of its own, such as errors.
  void push(Message message) {
    messages_.push_back(std::move(message));
    if (!read_ && messages_.size() > limits::iflow_queued_messages) messages_.pop_front();
    arrived_.notify_one();
  }
  // The next message; nothing after the end of the connection and the last message.
  Task<std::optional<Message>> pop() {
    read_ = true;
    while (messages_.empty() && !ended_) co_await arrived_.wait();
    if (messages_.empty()) co_return std::nullopt;
    std::optional<Message> message = std::move(messages_.front());
    messages_.pop_front();
    taken_.notify_all();
    co_return message;
  }
  void clear() {
    messages_.clear();
    taken_.notify_all();
  }
  std::size_t size() const { return messages_.size(); }
  bool empty() const { return messages_.empty(); }

  // Between connections.
  void begin() { ended_ = false; }
  void end() {
    ended_ = true;
    arrived_.notify_all();
    taken_.notify_all();
  }
  // For a program that reads only the raw stream: the queue drops its oldest messages and delays no sender.
  void leave_unread() {
    read_ = false;
    taken_.notify_all();
  }
  bool congested() const { return read_ && !ended_ && messages_.size() >= limits::iflow_queued_messages; }
  Task<void> wait_writable() {
    while (congested()) co_await taken_.wait();
  }

 private:
  std::deque<Message> messages_;
  bool ended_ = true;
  bool read_ = true;
  Signal arrived_;
  Signal taken_;
};

}  // namespace parlance::iflow

// SPDX-License-Identifier: Apache-2.0
// The queue of a host's prompts. A full queue stops reads from the host, unless a request to the host is open: its answer would
// be behind further prompts. Then prompts above the limit are refused. Loop thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <string_view>
#include <utility>

#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

inline constexpr std::size_t most_read_prompts = 100;                 // each takes seconds at least: beyond, the host waits
inline constexpr std::size_t most_waiting_prompts = 1'000;            // while a request is open
inline constexpr std::size_t most_waiting_prompt_bytes = 192U << 20;  // three lines of the maximum size

inline constexpr std::string_view too_many_prompts =
    "Too many prompts wait already; send this one again when one of them has its result.";

class ClaudePrompts {
 public:
  bool empty() const { return waiting_.empty(); }
  bool full() const { return waiting_.size() >= most_read_prompts || bytes_ >= most_waiting_prompt_bytes; }
  // False: full; `prompt` stays unchanged. An empty queue accepts any prompt.
  bool push(claude::UserMessage& prompt, std::size_t bytes) {
    const bool full = waiting_.size() >= most_waiting_prompts || bytes_ + bytes > most_waiting_prompt_bytes;
    if (full && !waiting_.empty()) return false;
    bytes_ += bytes;
    waiting_.emplace_back(std::move(prompt), bytes);
    return true;
  }
  claude::UserMessage take() {
    auto [prompt, bytes] = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= bytes;
    return std::move(prompt);
  }

 private:
  std::deque<std::pair<claude::UserMessage, std::size_t>> waiting_;
  std::size_t bytes_ = 0;
};

}  // namespace parlance::face

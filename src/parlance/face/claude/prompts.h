// SPDX-License-Identifier: Apache-2.0
// Prompts of a host that wait for the turn before them. When so many wait nothing more is read of the host, unless it is asked something
// itself: its answer would stand behind what it writes. Then it is refused what there is no room for. Loop thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <string_view>
#include <utility>

#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

inline constexpr std::size_t most_read_prompts = 100;                 // each takes seconds at least: then the host waits
inline constexpr std::size_t most_waiting_prompts = 1'000;            // while it is asked something
inline constexpr std::size_t most_waiting_prompt_bytes = 192U << 20;  // three of the largest lines there can be

inline constexpr std::string_view too_many_prompts =
    "Too many prompts wait already; send this one again when one of them has its result.";

class ClaudePrompts {
 public:
  bool empty() const { return waiting_.empty(); }
  bool full() const { return waiting_.size() >= most_read_prompts || bytes_ >= most_waiting_prompt_bytes; }
  // False: there is no room; `prompt` is left as it was. The first always has room.
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

// SPDX-License-Identifier: Apache-2.0
// Searches a conversation for words. The caller adds all events once, in order. Sans-I/O; values; any thread.
//
// The search covers messages, answers, commands and titles of calls, tool output, questions and plans. Pieces of an answer and of the output
// of one call are one text. It ignores case in ASCII.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

struct FoundText {
  std::uint64_t seq = 0;  // of the event with which the text begins
  std::string snippet{};  // one line around the words, without marks of Markdown
};

class TextSearch {
 public:
  explicit TextSearch(std::string_view words);
  void add(const Event& event);
  std::optional<FoundText> newest();  // all events have been added

 private:
  void add_piece(std::string_view stream, std::uint64_t seq, std::string_view text);
  void add_text(std::uint64_t seq, std::string_view text);
  void add_ask(std::uint64_t seq, const Ask& ask);
  void look();

  std::string words_;
  std::string stream_;  // of the pieces in text_: an answer, or a call; empty: none
  std::string text_;    // so far
  std::uint64_t seq_ = 0;
  std::optional<FoundText> found_;
};

}  // namespace parlance::hub

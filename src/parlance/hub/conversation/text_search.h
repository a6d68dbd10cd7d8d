// Looks for words in what was said in a conversation: its events go through once, in order. Sans-I/O; values; any thread.
//
// Searched is what person and agent wrote; pieces of an answer are one text. Case is ignored in ASCII.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

struct FoundText {
  std::uint64_t seq = 0;  // of the event with which the text begins
  std::string snippet{};  // one line around the words
};

class TextSearch {
 public:
  explicit TextSearch(std::string_view words);
  void add(const Event& event);
  std::optional<FoundText> newest();  // all events have been added

 private:
  void look();

  std::string words_;
  std::string text_;  // of the message that is being put together
  std::uint64_t seq_ = 0;
  std::optional<FoundText> found_;
};

}  // namespace parlance::hub

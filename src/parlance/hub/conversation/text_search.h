// SPDX-License-Identifier: Apache-2.0
// Searches a conversation for words. The caller adds all events once, in order. Sans-I/O; values; any thread.
//
// The search covers messages, answers, commands and titles of calls, tool output, questions and plans. Pieces of an answer and of
// the output of one call are joined. Case is ignored in ASCII.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

struct FoundText {
  std::uint64_t seq = 0;  // number of the text's first event
  std::string snippet{};  // a line around the match, without Markdown marks
};

// Splits a log into the texts of a search.
class SearchedTexts {
 public:
  virtual ~SearchedTexts() = default;
  void add(const Event& event);
  void finish();  // call after the last `add`

 protected:
  virtual void take(std::uint64_t seq, std::string_view text) = 0;
  virtual void forget() = 0;  // all texts so far: the person cleared the conversation

 private:
  void add_piece(std::string_view stream, std::uint64_t seq, std::string_view text);
  void add_text(std::uint64_t seq, std::string_view text);
  void add_ask(std::uint64_t seq, const Ask& ask);

  std::string stream_;  // the source of text_: an answer or a call; empty: none
  std::string text_;    // collected so far
  std::uint64_t seq_ = 0;
};

class TextSearch final : public SearchedTexts {
 public:
  explicit TextSearch(std::string_view words);
  std::optional<FoundText> newest();  // call after the last `add`

 private:
  void take(std::uint64_t seq, std::string_view text) override;
  void forget() override { found_.reset(); }

  std::string words_;
  std::optional<FoundText> found_;
};

// Lines of all texts, for the index of a store. Contains each text without change, except NUL characters, which become blanks.
class TextLines final : public SearchedTexts {
 public:
  std::string take_all();  // call after the last `add`
  static std::string as_indexed(std::string text);

 private:
  void take(std::uint64_t seq, std::string_view text) override;
  void forget() override { lines_.clear(); }

  std::string lines_;
};

// The events of a commit from the view of an index. Texts come in turns; the index takes the texts of a turn at its end.
struct SearchedRange {
  bool cleared = false;
  std::uint64_t ended = 0;  // the last event of the last turn that ended; 0: none
  std::uint64_t begun = 0;  // the first event of an unfinished turn that begins here; 0: none
};
SearchedRange searched_range(const std::vector<Event>& events);

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// Searches a conversation for words. The caller adds all events once, in order. Sans-I/O; values; any thread.
//
// The search covers the texts that pages show: messages, answers, thoughts, notices, errors, and of calls the titles, outputs,
// contents, changed lines and requests. Left out are inputs of calls, because their keys are in each conversation, and notices
// of actions, which pages translate. Pieces of an answer, of a thought and of the output of one call are joined. An update
// replaces the content of its call: only the last content counts. Case is ignored in ASCII.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/tool_event.h"

namespace parlance::hub {

struct Event;  // conversation/event.h

struct FoundText {
  std::uint64_t seq = 0;  // number of the text's first event; of a call's text: of the start of the call
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
  struct Call {
    std::uint64_t seq = 0;  // of its first event
    std::vector<ToolContent> content{};
  };
  void add_call(const Event& event);
  Call& call_of(const std::string& call, std::uint64_t seq);
  void end_call(const Call& call);
  void end_calls();
  void end_piece();
  void add_piece(std::string_view stream, std::uint64_t seq, std::string_view text);
  void add_text(std::uint64_t seq, std::string_view text);
  void add_ask(std::uint64_t seq, const Ask& ask);

  std::string stream_;  // the source of text_: an answer, a thought or a call; empty: none
  std::string text_;    // collected so far
  std::uint64_t seq_ = 0;
  std::map<std::string, Call> calls_;  // without an end so far
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
  std::string take_all();  // call after the last `add`; begins again
  std::size_t bytes() const { return lines_.size(); }
  static std::string as_indexed(std::string text);

 private:
  void take(std::uint64_t seq, std::string_view text) override;
  void forget() override { lines_.clear(); }

  std::string lines_;
};

// The events of a commit from the view of an index. Texts come in turns; the index takes the texts of a turn at its end.
struct SearchedRange {
  std::uint64_t cleared = 0;  // the last event that clears the conversation, and with it all texts before; 0: none
  std::uint64_t ended = 0;    // the last event of the last turn that ended; 0: none
  std::uint64_t begun = 0;    // the first event of an unfinished turn that begins here; 0: none
};
SearchedRange searched_range(const std::vector<Event>& events);

}  // namespace parlance::hub

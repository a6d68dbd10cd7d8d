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
  // The next event of the log. A text is passed to `take` at its end, so later than its first event.
  void add(const Event& event);
  void finish();  // call after the last `add`

 protected:
  // A complete text, with the number of its first event. Numbers may decrease, because calls end late.
  virtual void take(std::uint64_t seq, std::string_view text) = 0;
  virtual void forget() = 0;  // all texts so far: the person cleared the conversation

 private:
  struct Call {
    std::uint64_t seq = 0;  // of its first event
    std::vector<ToolContent> content{};
  };
  // Begins, updates or ends a call; ignores other events.
  void add_call(const Event& event);
  // The open call, or a new one beginning at `seq`: a part of a log may begin inside a call.
  Call& call_of(const std::string& call, std::uint64_t seq);
  // Takes the last content of the call.
  void end_call(const Call& call);
  // At the end of a turn: calls without an end count as ended.
  void end_calls();
  // Takes the collected text; output of tools without its escape sequences.
  void end_piece();
  // Collects text of the same stream, and ends the previous stream.
  void add_piece(std::string_view stream, std::uint64_t seq, std::string_view text);
  // Takes a text of one event, unless it is empty.
  void add_text(std::uint64_t seq, std::string_view text);
  // Takes the texts of a request, as a card shows them.
  void add_ask(std::uint64_t seq, const Ask& ask);

  std::string stream_;  // the source of text_: an answer, a thought or a call; empty: none
  std::string text_;    // collected so far
  std::uint64_t seq_ = 0;
  std::map<std::string, Call> calls_;  // without an end so far
};

// Finds the newest match of some words in a log.
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
  // The size of the lines so far: an index divides long logs into parts.
  std::size_t bytes() const { return lines_.size(); }
  // The form of a text in the index: NUL becomes a blank. Searched words need the same form.
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
// The events are consecutive, as in a commit.
SearchedRange searched_range(const std::vector<Event>& events);

}  // namespace parlance::hub

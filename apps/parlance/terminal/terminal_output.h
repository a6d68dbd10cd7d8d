// SPDX-License-Identifier: Apache-2.0
// A person's view of a turn: the agent's text, and separate lines; or every event as a line of JSON. In a terminal, Markdown is
// formatted and control characters of an agent are removed; a pipe gets the unchanged text. Loop thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/terminal/paper.h"
#include "parlance/face/terminal/markdown_stream.h"
#include "parlance/face/terminal/safe_text.h"
#include "parlance/face/terminal/word_wrap.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::app {

struct TerminalLook {
  bool json = false;
  // For an interactive chat: the agent's thoughts, dimmed in a terminal; some output of tools; and the usage of a turn at its
  // end, in place of each call's.
  bool chat = false;
};

class TerminalOutput {
 public:
  // `paper` outlives this object.
  explicit TerminalOutput(Paper& paper, TerminalLook look = {});

  void show(const hub::Event& event);
  void show_waiting(const std::string& what);  // the reason for the turn's wait; empty: none
  void show_diff(const hub::Diff& diff);
  // On stderr, on a line of its own, with marks for hidden characters.
  void note(const std::string& line, Reading reading = Reading::exact);
  void note_words(const std::string& text);  // prose, broken between words
  void end_line();                           // the next output begins a line
  // Shows whole lines only from now on, beside a line that the person types. Without it, shows the rest at once.
  void hold_lines(bool hold);

  void begin_turn();
  // Of the turn so far.
  bool refused() const { return refused_; }  // a tool was
  const std::optional<hub::event::Failure>& failure() const { return failure_; }
  const std::vector<hub::SlashCommand>& commands() const { return commands_; }  // reported by the agent

 private:
  // Every kind of event is listed: a new kind does not compile without a decision about its display.
  void print(const hub::event::TurnStart&);
  template <hub::ForPagesAlone Kind>
  void print(const Kind&) {}
  void print(const hub::event::ThinkingStart&);
  void print(const hub::event::ThinkingContent&);
  void print(const hub::event::ThinkingEnd&);
  void print(const hub::event::ToolUpdate&);
  void print(const hub::event::ToolOutput&);
  template <class Kind>
    requires requires(const Kind& event) { event.ask.digest; }
  void print(const Kind&) {}  // AskAnswerer::settle shows requests
  void print(const hub::event::AskSettled&);
  void print(const hub::event::ModeChanged& changed);
  void print(const hub::event::OptionChanged& changed);
  void print(const hub::event::Commands& changed);
  void print(const hub::event::Cleared&);
  void print(const hub::event::Text& text);
  void print(const hub::event::ToolStart& start);
  void print(const hub::event::ToolEnd& end);
  void print(const hub::event::Plan& plan);
  void print(const hub::event::Notice& notice);
  void print(const hub::event::Failure& failure);
  void print(const hub::event::Usage& usage);
  void print(const hub::event::TurnEnd& end);

  void put(const std::string& text);
  void put_note(const std::string& harmless);  // unchanged
  void put_dim(const std::string& indent, const std::string& line);
  void put_thought(const std::string& text, bool last);
  void end_thought();
  void end_output();  // of a tool
  void print_output(const std::string& line);

  // The displayed state of a call with output.
  struct Output {
    std::string call{};
    std::string held{};  // an incomplete line
    std::size_t lines = 0;
  };

  // A displayed thought of the agent.
  struct Thought {
    explicit Thought(std::size_t columns) : wrap(columns) {}
    face::SafeText safe;
    face::WordWrap wrap;
  };

  Paper& paper_;
  TerminalLook look_;
  bool colours_;                                  // false with NO_COLOR
  std::optional<face::MarkdownStream> markdown_;  // only for terminals
  std::optional<Thought> thought_;
  std::optional<Output> output_;
  bool at_line_start_ = true;
  std::optional<std::string> held_line_;  // an incomplete line; none: text is shown at once
  bool refused_ = false;
  std::optional<hub::event::Failure> failure_;
  std::string waits_for_;
  std::optional<hub::event::Usage> used_;  // in the turn so far
  std::vector<hub::SlashCommand> commands_;
};

}  // namespace parlance::app

// What a person sees of a turn in a terminal: the agent's text on stdout, all else on stderr; or every event as a line of JSON on
// stdout. In a terminal Markdown is made readable and no control character of an agent gets through; a pipe gets the text as it is.
// Loop thread only.
#pragma once

#include <optional>
#include <string>

#include "parlance/face/terminal/markdown_stream.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::app {

class TerminalOutput {
 public:
  explicit TerminalOutput(bool json);

  void show(const hub::Event& event);
  void show_waiting(const std::string& what);  // for whom or what the turn waits; empty: for nothing
  void show_diff(const hub::Diff& diff);
  void note(const std::string& line);  // on stderr, on a line of its own
  void end_line();                     // whatever comes next begins a line

  // Of the turn so far.
  bool refused() const { return refused_; }  // a tool was
  const std::optional<hub::event::Failure>& failure() const { return failure_; }

 private:
  // Every kind of event is named: a new one does not compile until it is decided what a terminal shows of it.
  void tell(const hub::event::TurnStart&);
  template <hub::ForPagesAlone Kind>
  void tell(const Kind&) {}
  void tell(const hub::event::ThinkingContent&);
  void tell(const hub::event::ThinkingEnd&);
  void tell(const hub::event::ToolUpdate&);
  void tell(const hub::event::ToolOutput&);
  void tell(const hub::event::ToolConfirmation&);
  void tell(const hub::event::UserQuestion&);
  void tell(const hub::event::PlanApproval&);
  void tell(const hub::event::AskSettled&);
  void tell(const hub::event::ModeChanged& changed);
  void tell(const hub::event::OptionChanged& changed);
  void tell(const hub::event::Commands&);
  void tell(const hub::event::Cleared&);
  void tell(const hub::event::Text& text);
  void tell(const hub::event::ToolStart& start);
  void tell(const hub::event::ToolEnd& end);
  void tell(const hub::event::Plan& plan);
  void tell(const hub::event::Notice& notice);
  void tell(const hub::event::Failure& failure);
  void tell(const hub::event::Usage& usage);
  void tell(const hub::event::TurnEnd&);

  void put(const std::string& text);           // on stdout
  void put_note(const std::string& harmless);  // on stderr, as it is

  bool json_;
  bool colours_;                                  // NO_COLOR does not forbid them
  bool notes_in_terminal_;                        // stderr is one
  std::optional<face::MarkdownStream> markdown_;  // stdout is one
  bool at_line_start_ = true;
  bool refused_ = false;
  std::optional<hub::event::Failure> failure_;
  std::string waits_for_;
};

}  // namespace parlance::app

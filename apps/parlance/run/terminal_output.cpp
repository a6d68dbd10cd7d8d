#include "apps/parlance/run/terminal_output.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "parlance/face/terminal/diff_view.h"
#include "parlance/face/terminal/safe_text.h"
#include "parlance/store/hub/event_tables.h"

namespace parlance::app {
namespace {

constexpr std::size_t lines_around = 3;  // of a change, to see where it is

bool set_and_not_empty(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}
bool wants_colours() {
  const char* terminal = std::getenv("TERM");
  return !set_and_not_empty("NO_COLOR") && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

TerminalOutput::TerminalOutput(bool json)
    : json_(json), colours_(wants_colours()), notes_in_terminal_(::isatty(STDERR_FILENO) != 0) {
  if (!json && ::isatty(STDOUT_FILENO) != 0) markdown_.emplace(colours_);
}

void TerminalOutput::show(const hub::Event& event) {
  if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) failure_ = *failure;
  if (const auto* end = std::get_if<hub::event::ToolEnd>(&event.body);
      end != nullptr && end->state == hub::ToolEndState::rejected)
    refused_ = true;
  if (json_) {
    std::printf("%s\n", store::event_json(event).c_str());
    std::fflush(stdout);
    return;
  }
  std::visit([this](const auto& body) { tell(body); }, event.body);
  std::fflush(stdout);
}
void TerminalOutput::show_waiting(const std::string& what) {
  if (std::exchange(waits_for_, what) != what && !what.empty() && !json_) note("  waits for " + what);
}
void TerminalOutput::tell(const hub::event::TurnStart&) {}
void TerminalOutput::tell(const hub::event::ThinkingContent&) {}  // with --json only, as what tools put out
void TerminalOutput::tell(const hub::event::ThinkingEnd&) {}
void TerminalOutput::tell(const hub::event::ToolUpdate&) {}
void TerminalOutput::tell(const hub::event::ToolOutput&) {}
void TerminalOutput::tell(const hub::event::ToolConfirmation&) {}  // `settle` shows what is asked
void TerminalOutput::tell(const hub::event::UserQuestion&) {}
void TerminalOutput::tell(const hub::event::PlanApproval&) {}
void TerminalOutput::tell(const hub::event::AskSettled&) {}
void TerminalOutput::tell(const hub::event::ModeChanged& changed) {
  note("  mode: " + std::string(hub::to_string(changed.mode)));
}
void TerminalOutput::tell(const hub::event::OptionChanged& changed) { note("  " + changed.name + ": " + changed.value); }
void TerminalOutput::tell(const hub::event::Commands&) {}
void TerminalOutput::tell(const hub::event::Cleared&) { note("  what was said before is cleared"); }
void TerminalOutput::tell(const hub::event::Text& text) { put(markdown_ ? markdown_->feed(text.text) : text.text); }
void TerminalOutput::tell(const hub::event::ToolStart& start) {
  note((start.parent ? "    > " : "  > ") + start.tool + "  " + start.title);
}
void TerminalOutput::tell(const hub::event::ToolEnd& end) {
  if (end.state == hub::ToolEndState::failed) note("    failed");
  if (end.state == hub::ToolEndState::rejected) note("    refused");
}
void TerminalOutput::tell(const hub::event::Plan& plan) {
  for (const hub::PlanEntry& entry : plan.entries)
    note(std::string(entry.status == hub::PlanStatus::completed     ? "  [x] "
                     : entry.status == hub::PlanStatus::in_progress ? "  [>] "
                                                                    : "  [ ] ") +
         entry.content);
}
void TerminalOutput::tell(const hub::event::Notice& notice) { note("  " + notice.text); }
void TerminalOutput::tell(const hub::event::Failure& failure) {
  note("error: " + failure.message + (failure.detail.empty() ? "" : " (" + failure.detail + ")"));
}
void TerminalOutput::tell(const hub::event::Usage& usage) { note("  " + hub::in_words(usage)); }
void TerminalOutput::tell(const hub::event::TurnEnd&) { end_line(); }

void TerminalOutput::put(const std::string& text) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  at_line_start_ = text.ends_with('\n');
}
void TerminalOutput::end_line() {
  if (markdown_) put(markdown_->finish());
  if (!std::exchange(at_line_start_, true)) std::fputc('\n', stdout);
  std::fflush(stdout);
}
void TerminalOutput::note(const std::string& line) { put_note(notes_in_terminal_ ? face::safe_text(line) : line); }
void TerminalOutput::put_note(const std::string& harmless) {
  end_line();
  std::fprintf(stderr, "%s\n", harmless.c_str());
}

void TerminalOutput::show_diff(const hub::Diff& diff) {
  note("  " + diff.path);
  for (const std::string& line :
       face::diff_lines(diff.before.value_or(""), diff.after.value_or(""), lines_around, colours_ && notes_in_terminal_))
    put_note("  " + line);
}

}  // namespace parlance::app

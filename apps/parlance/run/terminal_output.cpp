#include "apps/parlance/run/terminal_output.h"

#include <cstdio>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/store/hub/event_tables.h"

namespace parlance::app {

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
void TerminalOutput::tell(const hub::event::Text& text) {
  std::fwrite(text.text.data(), 1, text.text.size(), stdout);
  at_line_start_ = text.text.ends_with('\n');
}
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

void TerminalOutput::end_line() {
  if (!std::exchange(at_line_start_, true)) std::fputc('\n', stdout);
  std::fflush(stdout);
}
void TerminalOutput::note(const std::string& line) {
  end_line();
  std::fprintf(stderr, "%s\n", line.c_str());
}

// What goes and what comes, without what stays the same at both ends.
void TerminalOutput::show_diff(const hub::Diff& diff) {
  note("  " + diff.path);
  const std::string before = diff.before.value_or("");
  const std::string after = diff.after.value_or("");
  auto old_lines = split(before, '\n');
  auto new_lines = split(after, '\n');
  std::size_t begin = 0;
  while (begin < old_lines.size() && begin < new_lines.size() && old_lines[begin] == new_lines[begin]) ++begin;
  std::size_t end = 0;
  while (end < old_lines.size() - begin && end < new_lines.size() - begin &&
         old_lines[old_lines.size() - 1 - end] == new_lines[new_lines.size() - 1 - end])
    ++end;
  for (std::size_t i = begin; i < old_lines.size() - end; ++i) note("  - " + std::string(old_lines[i]));
  for (std::size_t i = begin; i < new_lines.size() - end; ++i) note("  + " + std::string(new_lines[i]));
}

}  // namespace parlance::app

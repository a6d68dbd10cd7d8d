// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/terminal_output.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/face/terminal/diff_view.h"
#include "parlance/face/terminal/style.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/transport/framing.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::app {
namespace {

constexpr std::size_t lines_around = 3;  // of a change, as context
constexpr std::size_t tool_lines = 8;    // of a tool's output; the remaining lines are counted

void put_lines(std::string& out, face::WordWrap& wrap, std::string_view text, face::Styles style) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    wrap.put(out, {{.text = std::string(text.substr(at, end - at)), .style = style}});
    if (end < text.size()) {
      wrap.end(out);
      out += '\n';
    }
    at = end + 1;
  }
}

// Conversation::waits_for for a person.
std::string wait_text(const std::string& what) {
  const std::vector<std::string_view> words = split(what, ' ');
  if (words.size() == 4 && words[0] == "model.retry")
    return "the model: retrying in " + std::string(words[1]) + " s (" + std::string(words[2]) + " of " + std::string(words[3]) +
           "); Ctrl-C stops";
  if (words.size() == 2 && words[0] == "model.silent")
    return "the model: no data for " + std::string(words[1]) + " s; Ctrl-C stops";
  return "waits for " + what;
}

}  // namespace

TerminalOutput::TerminalOutput(Paper& paper, TerminalLook look) : paper_(paper), look_(look), colours_(wants_colours()) {
  if (!look.json && paper.text_in_terminal()) markdown_.emplace(colours_);
}

void TerminalOutput::show(const hub::Event& event) {
  if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) failure_ = *failure;
  if (const auto* end = std::get_if<hub::event::ToolEnd>(&event.body);
      end != nullptr && end->state == hub::ToolEndState::rejected)
    refused_ = true;
  if (look_.json) {
    std::string line = wire_form::event_json(event);
    escape_line_ends(line, 0);
    paper_.text(line + '\n');
    return;
  }
  if (thought_ && !std::holds_alternative<hub::event::ThinkingContent>(event.body)) end_thought();
  if (output_ && !std::holds_alternative<hub::event::ToolOutput>(event.body)) end_output();
  std::visit([this](const auto& body) { print(body); }, event.body);
}
void TerminalOutput::show_waiting(const std::string& what) {
  if (std::exchange(waits_for_, what) != what && !what.empty() && !look_.json) note("  " + wait_text(what));
}
void TerminalOutput::print(const hub::event::TurnStart&) {}
// Also if thoughts are hidden: the text after a thought begins a new line.
void TerminalOutput::print(const hub::event::ThinkingStart&) { end_line(); }
void TerminalOutput::print(const hub::event::ThinkingContent& piece) {
  if (!look_.chat || !markdown_) return;
  if (!thought_) {
    end_line();
    thought_.emplace(paper_.text_columns());
  }
  put_thought(thought_->safe.feed(piece.text), false);
}
void TerminalOutput::put_thought(const std::string& text, bool last) {
  std::string out;
  put_lines(out, thought_->wrap, text, colours_ ? face::styles::dim : face::Styles{0});
  if (last) thought_->wrap.end(out);
  put(out);
}
void TerminalOutput::end_thought() {
  put_thought(thought_->safe.finish(), true);
  thought_.reset();
  end_line();
}
void TerminalOutput::print(const hub::event::ThinkingEnd&) {}
void TerminalOutput::print(const hub::event::ToolUpdate&) {}
void TerminalOutput::print(const hub::event::ToolOutput& piece) {
  if (!look_.chat) return;
  if (!output_ || output_->call != piece.call) {
    if (output_) end_output();
    output_ = Output{.call = piece.call};
  }
  output_->held += piece.text;
  for (std::size_t end; (end = output_->held.find('\n')) != std::string::npos; output_->held.erase(0, end + 1))
    if (++output_->lines <= tool_lines) print_output(output_->held.substr(0, end));
}
void TerminalOutput::end_output() {
  if (!output_->held.empty() && ++output_->lines <= tool_lines) print_output(output_->held);
  const std::size_t more = output_->lines - std::min(output_->lines, tool_lines);
  output_.reset();
  if (more != 0) print_output("… " + std::to_string(more) + (more == 1 ? " more line" : " more lines"));
}
void TerminalOutput::print_output(const std::string& line) { put_dim("    ", line); }
void TerminalOutput::print(const hub::event::AskSettled&) {}
void TerminalOutput::print(const hub::event::ModeChanged& changed) {
  note("  mode: " + std::string(hub::to_string(changed.mode)));
}
void TerminalOutput::print(const hub::event::OptionChanged& changed) { note("  " + changed.name + ": " + changed.value); }
void TerminalOutput::print(const hub::event::Commands& changed) { commands_ = changed.commands; }
void TerminalOutput::print(const hub::event::Cleared&) { note("  the earlier conversation is cleared"); }
void TerminalOutput::print(const hub::event::Text& text) {
  if (!markdown_) return put(text.text);
  markdown_->set_width(paper_.text_columns());
  put(markdown_->feed(text.text));
}
void TerminalOutput::print(const hub::event::ToolStart& start) {
  const std::string mark = start.parent ? "    > " : "  > ";
  if (!paper_.notes_in_terminal()) return note(mark + start.tool + "  " + start.title);
  put_note(mark + face::inked(visible_line(start.tool), face::Ink::bold, colours_) + "  " + visible_line(start.title));
}
void TerminalOutput::print(const hub::event::ToolEnd& end) {
  if (end.state == hub::ToolEndState::failed) note("    failed");
  if (end.state == hub::ToolEndState::rejected) note("    refused");
}
void TerminalOutput::print(const hub::event::Plan& plan) {
  for (const hub::PlanEntry& entry : plan.entries)
    note(std::string(entry.status == hub::PlanStatus::completed     ? "  [x] "
                     : entry.status == hub::PlanStatus::in_progress ? "  [>] "
                                                                    : "  [ ] ") +
         entry.content);
}
void TerminalOutput::print(const hub::event::Notice& notice) {
  if (!hub::is_own_act(notice)) note_words(notice.text);
}
void TerminalOutput::print(const hub::event::Failure& failure) { note("error: " + hub::failure_in_words(failure)); }
void TerminalOutput::print(const hub::event::Usage& usage) {
  if (!look_.chat) return note("  " + hub::in_words(usage));
  if (!used_) used_.emplace();
  used_->input_tokens += usage.input_tokens;
  used_->output_tokens += usage.output_tokens;
  if (usage.cost && (!used_->cost || used_->cost->currency == usage.cost->currency))
    used_->cost =
        hub::Cost{.amount = (used_->cost ? used_->cost->amount : 0) + usage.cost->amount, .currency = usage.cost->currency};
}
void TerminalOutput::print(const hub::event::TurnEnd&) {
  end_line();
  if (used_) put_dim("  ", hub::in_words(*used_));
}

void TerminalOutput::begin_turn() {
  refused_ = false;
  failure_.reset();
  used_.reset();
}

void TerminalOutput::put(const std::string& text) {
  if (text.empty()) return;
  const std::size_t shown = held_line_ ? text.rfind('\n') + 1 : text.size();  // 0: no line ends
  if (shown != 0) {
    paper_.text(held_line_ ? std::exchange(*held_line_, {}) + text.substr(0, shown) : text);
    at_line_start_ = text[shown - 1] == '\n';
  }
  if (held_line_) *held_line_ += text.substr(shown);
}
void TerminalOutput::hold_lines(bool hold) {
  const std::string rest = std::exchange(held_line_, hold ? std::optional(std::string()) : std::nullopt).value_or("");
  put(rest);
}
void TerminalOutput::end_line() {
  if (markdown_) put(markdown_->finish());
  if (held_line_ && !held_line_->empty()) put("\n");
  if (!std::exchange(at_line_start_, true)) paper_.text("\n");
}
void TerminalOutput::note(const std::string& line, Reading reading) {
  put_note(paper_.notes_in_terminal() ? visible_text(line, reading) : line);
}
// A command or a path stays on one line: the terminal wraps the line, and a person can copy the text.
void TerminalOutput::note_words(const std::string& text) {
  if (!paper_.notes_in_terminal()) return note("  " + text);
  face::WordWrap wrap(paper_.text_columns());
  std::string out;
  wrap.begin(out, "  ", "  ");
  put_lines(out, wrap, visible_text(text, Reading::prose), 0);
  wrap.end(out);
  put_note(out);
}
void TerminalOutput::put_note(const std::string& harmless) {
  end_line();
  paper_.note(harmless);
}

void TerminalOutput::put_dim(const std::string& indent, const std::string& line) {
  if (paper_.notes_in_terminal()) put_note(indent + face::inked(visible_line(line), face::Ink::dim, colours_));
  else put_note(indent + line);
}

void TerminalOutput::show_diff(const hub::Diff& diff) {
  note("  " + diff.path);
  for (const std::string& line :
       face::diff_lines(diff.before.value_or(""), diff.after.value_or(""), lines_around, colours_ && paper_.notes_in_terminal()))
    put_note("  " + line);
}

}  // namespace parlance::app

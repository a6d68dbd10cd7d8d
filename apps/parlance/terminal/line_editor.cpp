// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/line_editor.h"

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <unistd.h>
#include <utility>

#include "apps/parlance/terminal/paper.h"

namespace parlance::app {
namespace {

constexpr std::string_view paste_begins = "\x1b[200~";
constexpr std::string_view paste_ends = "\x1b[201~";
// Replaces a line feed of a paste during editing: a real line feed would end the line.
constexpr wchar_t line_feed_picture = L'\u23ce';
constexpr std::string_view line_feed_picture_utf8 = "\u23ce";

void send(std::string_view text) { static_cast<void>(::write(STDOUT_FILENO, text.data(), text.size())); }

LineEditor* of(EditLine* edit) {
  void* editor = nullptr;
  ::el_get(edit, EL_CLIENTDATA, &editor);
  return static_cast<LineEditor*>(editor);
}

// libedit counts columns by the locale; without a UTF-8 locale, each byte counts as a character.
void know_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::string with_line_feeds(std::string text) {
  for (std::size_t at = 0; (at = text.find(line_feed_picture_utf8, at)) != std::string::npos; ++at)
    text.replace(at, line_feed_picture_utf8.size(), "\n");
  return text;
}

}  // namespace

LineEditor::LineEditor(WakeableInput& input, PastLines& past, std::vector<std::string> words)
    : input_(input), past_(past), words_(std::move(words)), history_(::history_init()) {
  know_utf8();
  edit_.reset(::el_init("parlance", stdin, stdout, stderr));
  ::el_set(edit_.get(), EL_CLIENTDATA, this);
  ::el_set(edit_.get(), EL_PROMPT, +[](EditLine* edit) { return of(edit)->prompt_.data(); });
  ::el_set(edit_.get(), EL_GETCFN, +[](EditLine* edit, wchar_t* to) { return of(edit)->next_character(to); });
  ::el_set(edit_.get(), EL_EDITOR, "emacs");
  ::el_set(edit_.get(), EL_SIGNAL, 0);  // the owner of the loop handles the signals
  ::history(history_, &event_, H_SETSIZE, static_cast<int>(PastLines::most));
  ::history(history_, &event_, H_SETUNIQUE, 1);
  for (const std::string& text : past_.read()) ::history(history_, &event_, H_ENTER, text.c_str());
  ::el_set(edit_.get(), EL_HIST, ::history, history_);
  ::el_set(edit_.get(), EL_BIND, "^R", "em-inc-search-prev", nullptr);
  ::el_source(edit_.get(), nullptr);  // ~/.editrc
}
LineEditor::~LineEditor() { ::history_end(history_); }

Typed LineEditor::line(std::string prompt) {
  Typed whole{.kind = Typed::Kind::text};
  for (bool more = true; more;) {
    Typed next = one_line(prompt);
    if (next.kind != Typed::Kind::text && !whole.text.empty() && next.kind == Typed::Kind::ended) break;
    if (next.kind != Typed::Kind::text) {
      next.text.insert(0, whole.text);
      return next;
    }
    more = next.text.ends_with('\\');
    if (more) next.text.back() = '\n';
    whole.text += next.text;
    prompt = "… ";
  }
  remember(whole.text);
  return whole;
}

Typed LineEditor::one_line(const std::string& prompt) {
  prompt_ = prompt;
  woken_ = false;
  if (!is_dumb_terminal()) send("\x1b[?2004h");
  int length = 0;
  const char* const text = ::el_gets(edit_.get(), &length);
  Typed typed;
  if (woken_) typed = {.kind = Typed::Kind::interrupted, .text = current_text()};
  else if (text != nullptr && length > 0)
    typed = {.kind = Typed::Kind::text, .text = with_line_feeds({text, static_cast<std::size_t>(length)})};
  if (!is_dumb_terminal()) send("\x1b[?2004l");
  if (typed.kind != Typed::Kind::text) {
    ::el_reset(edit_.get());  // the terminal's modes, and the text of the line
    send("\r\n");
  } else if (typed.text.ends_with('\n')) {
    typed.text.pop_back();
  }
  return typed;
}

std::string LineEditor::current_text() {
  const LineInfo* const now = ::el_line(edit_.get());
  return with_line_feeds({now->buffer, now->lastchar});
}

void LineEditor::remember(const std::string& text) {
  if (text.find_first_not_of(" \n") == std::string::npos) return;
  ::history(history_, &event_, H_ENTER, text.c_str());
  static_cast<void>(past_.add(text));  // a full disk is no reason to stop
}

// 1 a character, 0 the end, -1 woken.
int LineEditor::next_character(wchar_t* character) {
  for (;;) {
    if (held_.empty()) {
      switch (input_.more(held_)) {
        case WakeableInput::Read::bytes: break;
        case WakeableInput::Read::ended: return 0;
        case WakeableInput::Read::redraw:
          ::el_set(edit_.get(), EL_PREP_TERM, 1);
          ::el_resize(edit_.get());
          ::el_set(edit_.get(), EL_REFRESH);
          continue;
        case WakeableInput::Read::woken: woken_ = true; return -1;
      }
    }
    if (at_mark(paste_begins)) pasting_ = true;
    else if (at_mark(paste_ends)) pasting_ = false;
    else break;
  }
  const char32_t point = next_point();
  // Not a function bound to the key: libedit never frees the names of such functions.
  if (point == '\t' && !pasting_) {
    held_.insert(0, completion());
    return next_character(character);
  }
  *character = static_cast<wchar_t>(point);
  if (pasting_ && (point == '\n' || point == '\r')) *character = line_feed_picture;
  else if (pasting_ && point == '\t') *character = L' ';
  return 1;
}

// The next character. Invalid UTF-8 becomes U+FFFD.
char32_t LineEditor::next_point() {
  const auto first = static_cast<unsigned char>(held_.front());
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  while (held_.size() < length && input_.soon(WakeableInput::rest_of_a_key))
    if (input_.more(held_) != WakeableInput::Read::bytes) break;
  wchar_t point = 0;
  std::mbstate_t state{};
  const std::size_t taken = std::mbrtowc(&point, held_.data(), std::min(length, held_.size()), &state);
  const bool good = taken <= length;
  held_.erase(0, good && taken != 0 ? taken : 1);
  return good ? static_cast<char32_t>(point) : U'\uFFFD';
}

// Consumes the mark if next. A terminal sends the mark in one piece, or nearly.
bool LineEditor::at_mark(std::string_view mark) {
  while (held_.size() < mark.size() && held_.size() > 1 && mark.starts_with(held_) && input_.soon(WakeableInput::rest_of_a_key))
    if (input_.more(held_) != WakeableInput::Read::bytes) break;
  if (!held_.starts_with(mark)) return false;
  held_.erase(0, mark.size());
  return true;
}

// The missing rest of the first word of a line, for a command: to its end, or to the end of the common part of all matches.
std::string LineEditor::completion() {
  const LineInfo* const now = ::el_line(edit_.get());
  const std::string_view typed(now->buffer, static_cast<std::size_t>(now->cursor - now->buffer));
  if (!typed.starts_with('/')) return "";
  std::string common;
  bool found = false;
  for (const std::string& word : words_) {
    if (!word.starts_with(typed)) continue;
    if (!std::exchange(found, true)) common = word;
    else common.resize(static_cast<std::size_t>(std::ranges::mismatch(common, word).in1 - common.begin()));
  }
  return common.size() <= typed.size() ? "" : common.substr(typed.size());
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/text_search.h"

#include <algorithm>
#include <variant>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"

namespace parlance::hub {
namespace {

constexpr std::size_t snippet_before = 40;  // bytes: the match is near the beginning, because a list may cut the line
constexpr std::size_t snippet_bytes = 160;

bool within_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Keeps the text of a link, and underscores inside a word.
std::string without_marks(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (rest.starts_with("**") || rest.starts_with("~~")) ++i;
    else if (rest.starts_with("](") && rest.contains(')')) i += rest.find(')');
    else if (rest[0] != '`' && !(rest[0] == '[' && rest.contains("]("))) out += rest[0];
  }
  const std::size_t heading = out.find_first_not_of("#>");
  return heading != 0 && heading != std::string::npos && out[heading] == ' ' ? out.substr(heading + 1) : out;
}

// The line around `at`, from shortly before.
std::string around(std::string_view text, std::size_t at) {
  std::size_t from = at > snippet_before ? at - snippet_before : 0;
  while (from < at && within_character(text[from])) ++from;
  std::string line(utf8_prefix(text.substr(from), snippet_bytes));
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return (from > 0 ? "…" : "") + without_marks(line) + (from + line.size() < text.size() ? "…" : "");
}

}  // namespace

void SearchedTexts::add(const Event& event) {
  if (const auto* piece = std::get_if<event::Text>(&event.body)) return add_piece("answer", event.seq, piece->text);
  if (const auto* output = std::get_if<event::ToolOutput>(&event.body))
    return output->progress.value_or(false) ? void() : add_piece("call " + output->call, event.seq, output->text);
  finish();
  if (std::holds_alternative<event::Cleared>(event.body)) forget();
  if (const auto* said = std::get_if<event::UserMessage>(&event.body)) add_text(event.seq, said->text);
  if (const auto* call = std::get_if<event::ToolStart>(&event.body)) add_text(event.seq, call->title);
  if (const auto* asked = std::get_if<event::ToolConfirmation>(&event.body)) add_ask(event.seq, asked->ask);
  if (const auto* asked = std::get_if<event::UserQuestion>(&event.body)) add_ask(event.seq, asked->ask);
  if (const auto* asked = std::get_if<event::PlanApproval>(&event.body)) add_ask(event.seq, asked->ask);
}

void SearchedTexts::add_piece(std::string_view stream, std::uint64_t seq, std::string_view text) {
  if (stream_ != stream) {
    finish();
    stream_ = stream;
    seq_ = seq;
  }
  text_ += text;
}

void SearchedTexts::add_text(std::uint64_t seq, std::string_view text) {
  if (!text.empty()) take(seq, text);
}

void SearchedTexts::add_ask(std::uint64_t seq, const Ask& ask) {
  for (const std::string& text : {ask.title, ask.detail.value_or(""), ask.plan.value_or("")}) add_text(seq, text);
  for (const Question& question : ask.questions.value_or(std::vector<Question>())) {
    add_text(seq, question.question);
    for (const QuestionOption& option : question.options) add_text(seq, option.label + " " + option.description);
  }
}

void SearchedTexts::finish() {
  if (!text_.empty()) take(seq_, text_);
  text_.clear();
  stream_.clear();
}

TextSearch::TextSearch(std::string_view words) : words_(to_lower(words)) {}

std::optional<FoundText> TextSearch::newest() {
  finish();
  return found_;
}

void TextSearch::take(std::uint64_t seq, std::string_view text) {
  const std::size_t at = to_lower(text).find(words_);
  if (at != std::string::npos) found_ = FoundText{.seq = seq, .snippet = around(text, at)};
}

std::string TextLines::take_all() {
  finish();
  return std::move(lines_);
}

void TextLines::take(std::uint64_t /*seq*/, std::string_view text) {
  lines_ += as_indexed(std::string(text));
  lines_ += '\n';
}

std::string TextLines::as_indexed(std::string text) {
  std::ranges::replace(text, '\0', ' ');
  return text;
}

SearchedRange searched_range(const std::vector<Event>& events) {
  SearchedRange range;
  for (const Event& event : events) {
    const EventBody& body = event.body;
    if (std::holds_alternative<event::Cleared>(body)) range.cleared = true;
    if (std::holds_alternative<event::TurnEnd>(body)) {
      range.ended = event.seq;
      range.begun = 0;
    }
    const bool begins = std::holds_alternative<event::TurnStart>(body) || std::holds_alternative<event::UserMessage>(body);
    if (begins && range.begun == 0) range.begun = event.seq;
  }
  return range;
}

}  // namespace parlance::hub

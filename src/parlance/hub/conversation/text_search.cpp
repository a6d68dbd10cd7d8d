// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/text_search.h"

#include <algorithm>
#include <variant>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"

namespace parlance::hub {
namespace {

constexpr std::size_t snippet_before = 40;  // bytes: the words stand near the beginning of a line that a list may cut
constexpr std::size_t snippet_bytes = 160;

bool within_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// A link keeps its words, and a word the underscores within.
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

// One line of it, from a little before `at`.
std::string around(std::string_view text, std::size_t at) {
  std::size_t from = at > snippet_before ? at - snippet_before : 0;
  while (from < at && within_character(text[from])) ++from;
  std::string line(utf8_prefix(text.substr(from), snippet_bytes));
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return (from > 0 ? "…" : "") + without_marks(line) + (from + line.size() < text.size() ? "…" : "");
}

}  // namespace

TextSearch::TextSearch(std::string_view words) : words_(to_lower(words)) {}

void TextSearch::add(const Event& event) {
  if (const auto* piece = std::get_if<event::Text>(&event.body)) return add_piece("answer", event.seq, piece->text);
  if (const auto* output = std::get_if<event::ToolOutput>(&event.body))
    return output->progress.value_or(false) ? void() : add_piece("call " + output->call, event.seq, output->text);
  look();
  if (std::holds_alternative<event::Cleared>(event.body)) found_.reset();
  if (const auto* said = std::get_if<event::UserMessage>(&event.body)) add_text(event.seq, said->text);
  if (const auto* call = std::get_if<event::ToolStart>(&event.body)) add_text(event.seq, call->title);
  if (const auto* asked = std::get_if<event::ToolConfirmation>(&event.body)) add_ask(event.seq, asked->ask);
  if (const auto* asked = std::get_if<event::UserQuestion>(&event.body)) add_ask(event.seq, asked->ask);
  if (const auto* asked = std::get_if<event::PlanApproval>(&event.body)) add_ask(event.seq, asked->ask);
}

void TextSearch::add_piece(std::string_view stream, std::uint64_t seq, std::string_view text) {
  if (stream_ != stream) {
    look();
    stream_ = stream;
    seq_ = seq;
  }
  text_ += text;
}

void TextSearch::add_text(std::uint64_t seq, std::string_view text) {
  text_ = text;
  seq_ = seq;
  look();
}

void TextSearch::add_ask(std::uint64_t seq, const Ask& ask) {
  for (const std::string& text : {ask.title, ask.detail.value_or(""), ask.plan.value_or("")}) add_text(seq, text);
  for (const Question& question : ask.questions.value_or(std::vector<Question>())) {
    add_text(seq, question.question);
    for (const QuestionOption& option : question.options) add_text(seq, option.label + " " + option.description);
  }
}

std::optional<FoundText> TextSearch::newest() {
  look();
  return found_;
}

void TextSearch::look() {
  const std::size_t at = to_lower(text_).find(words_);
  if (at != std::string::npos && !text_.empty()) found_ = FoundText{.seq = seq_, .snippet = around(text_, at)};
  text_.clear();
  stream_.clear();
}

}  // namespace parlance::hub

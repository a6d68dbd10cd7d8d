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

// One line of it, from a little before `at`.
std::string around(std::string_view text, std::size_t at) {
  std::size_t from = at > snippet_before ? at - snippet_before : 0;
  while (from < at && within_character(text[from])) ++from;
  std::string line(utf8_prefix(text.substr(from), snippet_bytes));
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return (from > 0 ? "…" : "") + line + (from + line.size() < text.size() ? "…" : "");
}

}  // namespace

TextSearch::TextSearch(std::string_view words) : words_(to_lower(words)) {}

void TextSearch::add(const Event& event) {
  const auto* piece = std::get_if<event::Text>(&event.body);
  if (piece == nullptr) look();
  if (const auto* said = std::get_if<event::UserMessage>(&event.body)) {
    text_ = said->text;
    seq_ = event.seq;
    look();
  }
  if (std::holds_alternative<event::Cleared>(event.body)) found_.reset();
  if (piece == nullptr) return;
  if (text_.empty()) seq_ = event.seq;
  text_ += piece->text;
}

std::optional<FoundText> TextSearch::newest() {
  look();
  return found_;
}

void TextSearch::look() {
  const std::size_t at = to_lower(text_).find(words_);
  if (at != std::string::npos && !text_.empty()) found_ = FoundText{.seq = seq_, .snippet = around(text_, at)};
  text_.clear();
}

}  // namespace parlance::hub

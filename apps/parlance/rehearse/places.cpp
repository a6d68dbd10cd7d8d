// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/places.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace parlance::app {
using namespace hub::editor;

namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }
// A character beyond the first plane is two units of UTF-16, and four bytes of UTF-8.
std::uint32_t units_of(char first) { return static_cast<unsigned char>(first) >= 0xf0 ? 2 : 1; }

std::uint32_t utf16_units(std::string_view text) {
  std::uint32_t units = 0;
  for (const char c : text)
    if (begins_character(c)) units += units_of(c);
  return units;
}

std::string words(const Position& position) {
  return "line " + std::to_string(position.line) + ", character " + std::to_string(position.character);
}

struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
  const TextEdit* edit = nullptr;
};

Result<std::size_t> place_of(std::string_view text, const Position& position) {
  if (const auto offset = offset_of(text, position)) return *offset;
  return fail(Errc::failed, "There is no " + words(position));
}

Result<std::vector<Cut>> cuts_of(std::string_view text, const std::vector<TextEdit>& edits) {
  std::vector<Cut> cuts;
  for (const TextEdit& edit : edits) {
    PARLANCE_TRY(begin, place_of(text, edit.range.start));
    PARLANCE_TRY(end, place_of(text, edit.range.end));
    if (end < begin) return fail(Errc::failed, "A range ends before it begins, at " + words(edit.range.start));
    cuts.push_back({.begin = begin, .end = end, .edit = &edit});
  }
  // Insertions at the same position keep their order, which is the order of their addresses.
  std::ranges::sort(cuts, {}, [](const Cut& cut) { return std::tuple(cut.begin, cut.end, cut.edit); });
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i].begin < cuts[i - 1].end) return fail(Errc::failed, "Two edits overlap at " + words(cuts[i].edit->range.start));
  return cuts;
}

}  // namespace

std::uint32_t line_count(std::string_view text) { return static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1; }

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {.line = line_count(before) - 1, .character = utf16_units(before.substr(line_begin))};
}

std::optional<std::size_t> offset_of(std::string_view text, const Position& position) {
  std::size_t at = 0;
  for (std::uint32_t line = 0; line < position.line; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  for (std::uint32_t left = position.character; left != 0; ++at) {
    if (at >= text.size() || text[at] == '\n') return std::nullopt;
    if (units_of(text[at]) > left) return at;
    left -= units_of(text[at]);
    while (at + 1 < text.size() && !begins_character(text[at + 1])) ++at;
  }
  return at;
}

std::string lines_between(std::string_view text, std::uint32_t first, std::optional<std::uint32_t> last) {
  std::string kept;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (line >= first && (!last || line <= *last)) kept.append(text, at, end - at);
    at = end;
  }
  return kept;
}

Result<std::string> edited(std::string_view text, const std::vector<TextEdit>& edits) {
  PARLANCE_TRY(cuts, cuts_of(text, edits));
  std::string out;
  std::size_t from = 0;
  for (const Cut& cut : cuts) {
    out.append(text, from, cut.begin - from).append(cut.edit->new_text);
    from = cut.end;
  }
  return out.append(text.substr(from));
}

}  // namespace parlance::app

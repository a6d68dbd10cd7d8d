// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/visible_text.h"

#include <algorithm>
#include <iterator>

#include "parlance/base/code_point.h"
#include "parlance/base/utf8.h"

namespace parlance {
namespace {

// Unicode 16: Default_Ignorable_Code_Point, bidirectional controls, C0 and C1 controls, line and paragraph separators, interlinear
// annotations, and spaces except U+0020 and the wide U+3000.
constexpr HiddenRange table[] = {
    {0x0000, 0x0008, HiddenKind::always},   {0x000B, 0x001F, HiddenKind::always},   {0x007F, 0x009F, HiddenKind::always},
    {0x00A0, 0x00A0, HiddenKind::space},    {0x00AD, 0x00AD, HiddenKind::always},   {0x034F, 0x034F, HiddenKind::always},
    {0x061C, 0x061C, HiddenKind::always},   {0x115F, 0x1160, HiddenKind::always},   {0x1680, 0x1680, HiddenKind::space},
    {0x17B4, 0x17B5, HiddenKind::always},   {0x180B, 0x180D, HiddenKind::joiner},   {0x180E, 0x180E, HiddenKind::always},
    {0x180F, 0x180F, HiddenKind::joiner},   {0x2000, 0x200A, HiddenKind::space},    {0x200B, 0x200B, HiddenKind::always},
    {0x200C, 0x200D, HiddenKind::joiner},   {0x200E, 0x200F, HiddenKind::always},   {0x2028, 0x202E, HiddenKind::always},
    {0x202F, 0x202F, HiddenKind::space},    {0x205F, 0x205F, HiddenKind::space},    {0x2060, 0x206F, HiddenKind::always},
    {0x2800, 0x2800, HiddenKind::space},    {0x3164, 0x3164, HiddenKind::always},   {0xFE00, 0xFE0F, HiddenKind::joiner},
    {0xFEFF, 0xFEFF, HiddenKind::always},   {0xFFA0, 0xFFA0, HiddenKind::always},   {0xFFF0, 0xFFFB, HiddenKind::always},
    {0x1BCA0, 0x1BCA3, HiddenKind::always}, {0x1D173, 0x1D17A, HiddenKind::always}, {0xE0000, 0xE00FF, HiddenKind::always},
    {0xE0100, 0xE01EF, HiddenKind::joiner}, {0xE01F0, 0xE0FFF, HiddenKind::always}};

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789ABCDEF"[(value >> shift) & 0xFU];
}
void append_json_escape(std::string& out, char32_t unit) {
  out += "\\u";
  append_hex(out, unit, 4);
}

constexpr char32_t zero_width_joiner = 0x200D;
constexpr char32_t emoji_selector = 0xFE0F;
constexpr char32_t first_joining = 0x0590;  // scripts below it have no joiners

bool is_emoji_below_scripts(char32_t c) { return c == '#' || c == '*' || (c >= '0' && c <= '9') || c == 0xA9 || c == 0xAE; }

void append_mark(std::string& out, char32_t c) {
  if (c < 0x20) return append_utf8(out, 0x2400 + c);
  if (c == 0x7F) return append_utf8(out, 0x2421);
  out += "⟨U+";
  append_hex(out, c, c > 0xFFFF ? 5 : 4);
  out += "⟩";
}

}  // namespace

std::span<const HiddenRange> hidden_ranges() { return table; }

std::optional<HiddenKind> hidden_kind(char32_t c) {
  const auto* after = std::ranges::upper_bound(table, c, {}, &HiddenRange::first);
  if (after == std::begin(table) || c > std::prev(after)->last) return std::nullopt;
  return std::prev(after)->kind;
}

// Prose keeps a single joiner behind an emoji or a letter of a script. A longer run can carry a message and gets marks.
bool VisibleText::is_kept(char32_t c) const {
  const auto kind = hidden_kind(c);
  if (!kind) return true;
  if (reading_ == Reading::exact || *kind == HiddenKind::always) return false;
  if (*kind == HiddenKind::space) return true;
  if (before_ == emoji_selector) return c == zero_width_joiner;
  if (before_ < first_joining) return c == emoji_selector && is_emoji_below_scripts(before_);
  return !hidden_kind(before_);
}

void VisibleText::append(std::string& out, char32_t c) {
  if (is_kept(c)) {
    append_utf8(out, c);
    before_ = c;
  } else {
    append_mark(out, c);
    before_ = 0;
  }
}

std::string visible_text(std::string_view text, Reading reading) {
  std::string out;
  out.reserve(text.size());
  VisibleText visible(reading);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    const bool ends_line = text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    if (!ends_line) visible.append(out, next.value);
    at += next.bytes;
  }
  return out;
}

std::string visible_line(std::string_view text, Reading reading) {
  std::string out;
  for (const char c : visible_text(text, reading)) {
    if (c == '\n') out += "␊";
    else out += c;
  }
  return out;
}

// JSON is ASCII outside its strings. Inside, DEL is the only raw control below U+0080.
std::string visible_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const CodePoint next = code_point_at(json, at);
    at += next.bytes;
    if (next.value < 0x7F || !hidden_kind(next.value)) {
      append_utf8(out, next.value);
    } else if (next.value > 0xFFFF) {
      append_json_escape(out, 0xD7C0 + (next.value >> 10));
      append_json_escape(out, 0xDC00 + (next.value & 0x3FF));
    } else {
      append_json_escape(out, next.value);
    }
  }
  return out;
}

bool has_hidden_characters(std::string_view text) {
  if (!is_valid_utf8(text)) return true;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    const bool ends_line = text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    if (hidden_kind(next.value) && !ends_line) return true;
    at += next.bytes;
  }
  return false;
}

}  // namespace parlance

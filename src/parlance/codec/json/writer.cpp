// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/escape.h"
#include "parlance/codec/json/special.h"

namespace parlance::json {
namespace {

// Between two checks of the room: a chunk reserves six times its size and rarely uses all.
constexpr std::size_t chunk_bytes = 2048;

void write_valid_text(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const char* const special = find_special(at, end);
  out.append(at, special);
  if (special == end) return;
  // A special character is rarely alone: names and values of JSON inside JSON, the lines of a file.
  at = special;
  const auto left = static_cast<std::size_t>(end - at);
  out.reserve(out.size() + left + left / 4 + escaped_bytes * std::min(left, chunk_bytes) + escape_overrun_bytes);
  while (at != end) {
    const char* const stop = static_cast<std::size_t>(end - at) > chunk_bytes ? at + chunk_bytes : end;
    const std::size_t before = out.size();
    out.resize_and_overwrite(before + escaped_bytes * static_cast<std::size_t>(stop - at) + escape_overrun_bytes,
                             [&](char* bytes, std::size_t) {
                               return static_cast<std::size_t>(put_escaped(bytes + before, at, stop, Accept::anything) - bytes);
                             });
  }
}

template <class T>
void append_number(std::string& out, T value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end);
}

}  // namespace

void write_text(std::string& out, std::string_view text) {
  out += '"';
  if (is_valid_utf8(text)) write_valid_text(out, text);
  else write_valid_text(out, to_valid_utf8(text));
  out += '"';
}

void write_integer(std::string& out, std::int64_t value) { append_number(out, value); }
void write_integer(std::string& out, std::uint64_t value) { append_number(out, value); }

void write_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 40> text{};
  // From 2^53 up, the shortest fixed form may be a 22-digit integer, and readers with 64-bit integers refuse such numbers.
  const bool large = std::abs(value) >= 9007199254740992.0;
  const auto [end, error] = large ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
                                  : std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end);
}

namespace {

// The code unit of an escape `\uXXXX` at the beginning of `text`.
std::optional<unsigned> escaped_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  unsigned unit = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return error == std::errc{} && end == text.data() + 6 ? std::optional(unit) : std::nullopt;
}
bool is_first_half(std::optional<unsigned> unit) { return unit && *unit >= 0xD800 && *unit <= 0xDBFF; }
bool is_second_half(std::optional<unsigned> unit) { return unit && *unit >= 0xDC00 && *unit <= 0xDFFF; }

}  // namespace

void write_raw(std::string& out, std::string_view json) {
  std::size_t written = 0;
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at)) {
    const auto unit = escaped_unit(json.substr(at));
    if (is_first_half(unit) && is_second_half(escaped_unit(json.substr(at + 6)))) {
      at += 12;
    } else if (is_first_half(unit) || is_second_half(unit)) {
      (out += json.substr(written, at - written)) += "\\ufffd";
      written = at += 6;
    } else {
      at += 2;
    }
  }
  out += json.substr(std::min(written, json.size()));
}

}  // namespace parlance::json

// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/rows.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include "parlance/codec/json/escape.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/sqlite_bridge/messages.h"

namespace parlance::server {
namespace {

using sqlite::Cell;
using sqlite::Kind;

constexpr std::int64_t safe_integer = (std::int64_t{1} << 53) - 1;
constexpr double most_in_millionths = 1e9;            // beyond this, numbers have more than fifteen digits
constexpr std::size_t number_bytes = 40;              // the longest integer or double, with the following separator
constexpr std::size_t chunk_bytes = 4096;             // of a text, between two looks at the room left
constexpr std::size_t first_bytes = 16 << 10;         // of a result
constexpr std::size_t large_bytes = 4 << 20;          // from here on a buffer is worth large pages
constexpr std::uintptr_t large_page_bytes = 2 << 20;  // the usual size; other sizes neither gain nor lose

// The first access to a fresh page costs more than writing a page of rows.
void use_large_pages(char* bytes, std::size_t size) {
  if (size < large_bytes) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(bytes) + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
  const auto end = (reinterpret_cast<std::uintptr_t>(bytes) + size) / large_page_bytes * large_page_bytes;
  if (begin < end) static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

template <std::size_t N>
char* put(char* at, const char (&text)[N]) {
  std::memcpy(at, text, N - 1);
  return at + N - 1;
}

// Most stored fractions have few places: a price, a share, a coordinate. A whole number of millionths that divides to the value
// is its shortest decimal, because different decimals of up to fifteen digits are different doubles. This takes a quarter of
// std::to_chars's time. Returns `at` unchanged for other values.
char* put_millionths(char* at, double value) {
  constexpr double one = 1e6;
  const double rounded = value * one + std::copysign(0.5, value);
  const auto whole = static_cast<std::int64_t>(rounded);
  if (static_cast<double>(whole) / one != value) return at;
  if (whole < 0) *at++ = '-';
  const std::uint64_t count = whole < 0 ? -static_cast<std::uint64_t>(whole) : static_cast<std::uint64_t>(whole);
  at = std::to_chars(at, at + number_bytes, count / 1'000'000).ptr;
  *at++ = '.';
  auto left = static_cast<std::uint32_t>(count % 1'000'000);
  for (int place = 6; place-- != 0; left /= 10) at[place] = static_cast<char>('0' + left % 10);
  at += 6;
  while (at[-1] == '0') --at;  // ends at a digit: a whole number never comes here
  return at;
}

// Reads back to the same double, always with a point or an exponent: 1.0, 0.1, 1e+16, 1e-05.
char* put_real(char* at, double value) {
  const double size = std::abs(value);
  char* const end = at + number_bytes;
  if (size < 1e15) {
    if (const auto whole = static_cast<std::int64_t>(value); static_cast<double>(whole) == value) {
      if (whole == 0 && std::signbit(value)) return put(at, "-0.0");
      at = std::to_chars(at, end, whole).ptr;
      return put(at, ".0");
    }
  }
  if (size >= 1e16 || size < 1e-4) return std::to_chars(at, end, value, std::chars_format::scientific).ptr;
  if (size < most_in_millionths)
    if (char* const after = put_millionths(at, value); after != at) return after;
  char* const after = std::to_chars(at, end, value, std::chars_format::fixed).ptr;
  return size < 1e15 || std::memchr(at, '.', static_cast<std::size_t>(after - at)) != nullptr ? after : put(after, ".0");
}

constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char* put_base64(char* at, std::string_view bytes) {
  const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 3; left -= 3, from += 3) {
    const std::uint32_t group = static_cast<std::uint32_t>(from[0]) << 16 | static_cast<std::uint32_t>(from[1]) << 8 | from[2];
    *at++ = base64_digits[group >> 18];
    *at++ = base64_digits[group >> 12 & 63];
    *at++ = base64_digits[group >> 6 & 63];
    *at++ = base64_digits[group & 63];
  }
  if (left == 0) return at;
  const std::uint32_t group =
      static_cast<std::uint32_t>(from[0]) << 16 | (left == 2 ? static_cast<std::uint32_t>(from[1]) << 8 : 0U);
  *at++ = base64_digits[group >> 18];
  *at++ = base64_digits[group >> 12 & 63];
  *at++ = left == 2 ? base64_digits[group >> 6 & 63] : '=';
  *at++ = '=';
  return at;
}

// {"$type":"blob","base64":"AP8Q","size":3}; a shortened blob is {"$type":"blob","size":N,"truncated":true,"base64":"…"}.
void write_bytes(OutputBytes& out, const Cell& cell) {
  char* at = out.room(cell.bytes.size() / 3 * 4 + 128);
  at = cell.kind == Kind::blob ? put(at, R"({"$type":"blob",)") : put(at, R"({"$type":"text",)");
  if (cell.cut) {
    at = put(at, R"("size":)");
    at = std::to_chars(at, at + number_bytes, cell.size).ptr;
    at = put(at, R"(,"truncated":true,)");
  }
  at = put(at, R"("base64":")");
  at = put_base64(at, cell.bytes);
  *at++ = '"';
  if (!cell.cut) {
    at = put(at, R"(,"size":)");
    at = std::to_chars(at, at + number_bytes, cell.size).ptr;
  }
  *at++ = '}';
  out.advance_to(at);
}

void write_text(OutputBytes& out, const Cell& cell) {
  const std::size_t before = out.size();
  const char* from = cell.bytes.data();
  const char* const end = from + cell.bytes.size();
  auto accept = json::Accept::ascii;
  char* at = out.room(8);
  *at++ = '"';
  out.advance_to(at);
  while (from != end) {
    const char* const stop = static_cast<std::size_t>(end - from) > chunk_bytes ? from + chunk_bytes : end;
    at = out.room(json::escaped_bytes * static_cast<std::size_t>(stop - from) + json::escape_overrun_bytes + 1);
    at = json::put_escaped(at, from, stop, accept);
    out.advance_to(at);
    if (from == stop) continue;
    // Non-ASCII bytes: checks the whole text for UTF-8.
    if (!json::check_utf8(cell.bytes)) {
      out.shrink_to(before);
      return write_bytes(out, cell);
    }
    accept = json::Accept::anything;
  }
  at = out.room(1);
  *at++ = '"';
  out.advance_to(at);
}

char* put_integer(char* at, std::int64_t value, bool tag) {
  if (!tag || (value <= safe_integer && value >= -safe_integer)) return std::to_chars(at, at + number_bytes, value).ptr;
  at = put(at, R"({"$type":"int","value":")");
  at = std::to_chars(at, at + number_bytes, value).ptr;
  return put(at, "\"}");
}

constexpr std::size_t tagged_number_bytes = 64;
constexpr std::size_t key_step = 16;  // copies a key in steps of a fixed size beyond its end: most keys need one step

char* put_number(char* at, const Cell& cell, RowFormat format) {
  switch (cell.kind) {
    case Kind::integer: return put_integer(at, cell.integer, format.tag_integers);
    case Kind::real:
      if (std::isfinite(cell.real)) return put_real(at, cell.real);
      return cell.real > 0 ? put(at, R"({"$type":"real","value":"Infinity"})")
                           : put(at, R"({"$type":"real","value":"-Infinity"})");
    default: return put(at, "null");
  }
}

wire::Nullable<std::string> nullable(std::string_view text, bool present) {
  using Text = wire::Nullable<std::string>;
  return present ? Text{Text::State::value, std::string(text)} : Text{Text::State::null, {}};
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::integer: return "INTEGER";
    case Kind::real: return "REAL";
    case Kind::text: return "TEXT";
    case Kind::blob: return "BLOB";
    case Kind::null: break;
  }
  return {};
}

}  // namespace

void OutputBytes::grow(std::size_t bytes) {
  const std::size_t used = begin_ ? size() : 0;
  const std::size_t now = begin_ ? static_cast<std::size_t>(end_ - begin_.get()) : 0;
  const std::size_t wanted = std::max(used + bytes, now + now / 2 + first_bytes);
  char* const moved = static_cast<char*>(std::realloc(begin_.get(), wanted));
  if (moved == nullptr) throw std::bad_alloc();
  use_large_pages(moved, wanted);
  static_cast<void>(begin_.release());
  begin_.reset(moved);
  at_ = moved + used;
  end_ = moved + wanted;
}

void write_cell(OutputBytes& out, const Cell& cell, RowFormat format) {
  if (cell.kind == Kind::blob || (cell.kind == Kind::text && cell.cut)) return write_bytes(out, cell);
  if (cell.kind == Kind::text) return write_text(out, cell);
  out.advance_to(put_number(out.room(tagged_number_bytes), cell, format));
}

void RowWriter::begin(std::span<const sqlite::Column> columns) {
  keys_.clear();
  out_.shrink_to(0);
  fixed_bytes_ = 8;
  for (const sqlite::Column& column : columns) {
    std::string key = keys_.empty() ? "{" : ",";
    json::write_text(key, column.name);
    key += ':';
    const std::size_t size = key.size();
    key.resize((size + key_step - 1) / key_step * key_step);
    fixed_bytes_ += key.size() + tagged_number_bytes;
    keys_.push_back({.text = std::move(key), .size = size});
  }
}

void RowWriter::row(std::span<const Cell> cells) {
  before_last_ = out_.size();
  char* at = out_.room(fixed_bytes_);
  if (before_last_ != 0) *at++ = ',';
  if (cells.empty()) *at++ = '{';
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Key& key = keys_[i];
    for (std::size_t done = 0; done < key.size; done += key_step) std::memcpy(at + done, key.text.data() + done, key_step);
    at += key.size;
    const Cell& cell = cells[i];
    if (cell.kind != Kind::text && cell.kind != Kind::blob) {
      at = put_number(at, cell, format_);
      continue;
    }
    out_.advance_to(at);
    // A short text uses the reserved room, which covers the rest of the row.
    if (cell.kind == Kind::text && !cell.cut && cell.bytes.size() <= chunk_bytes) {
      at = out_.room(json::escaped_bytes * cell.bytes.size() + json::escape_overrun_bytes + 2 + fixed_bytes_);
      const char* from = cell.bytes.data();
      const char* const end = from + cell.bytes.size();
      *at++ = '"';
      at = json::put_escaped(at, from, end, json::Accept::ascii);
      if (from == end) {
        *at++ = '"';
        continue;
      }
    }
    write_cell(out_, cell, format_);
    at = out_.room(fixed_bytes_);
  }
  *at++ = '}';
  out_.advance_to(at);
}

void RowWriter::write_result(std::string& out, const sqlite::Page& page) const {
  out.reserve(out.size() + out_.size() + 256 + page.columns.size() * 96);
  use_large_pages(out.data(), out.capacity());
  out += R"({"columns":[)";
  for (const sqlite::Column& column : page.columns) {
    if (&column != page.columns.data()) out += ',';
    sqlite_bridge::ResultColumn result_column{
        .name = column.name,
        .decl_type = nullable(column.declared_type.value_or(""), column.declared_type.has_value()),
        .sqlite_type = nullable(name_of(column.type), column.type != Kind::null),
        .original_name = column.original_name.empty() ? std::nullopt : std::optional(column.original_name)};
    json::write(out, wire::type_of<sqlite_bridge::ResultColumn>(), &result_column);
  }
  out += R"(],"rows":[)";
  out += out_.view();
  out += R"(],"truncated":)";
  out += page.truncated ? "true" : "false";
  out += R"(,"next_offset":)";
  if (page.next_offset) json::write_integer(out, *page.next_offset);
  else out += "null";
  if (page.unsafe_integers) out += R"(,"unsafe_integers":true)";
  if (page.truncated_cells != 0) {
    out += R"(,"truncated_cells":)";
    json::write_integer(out, page.truncated_cells);
  }
  out += '}';
}

std::string to_json(const sqlite::Value& value) {
  Cell cell;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    cell.kind = Kind::integer;
    cell.integer = *integer;
  } else if (const auto* real = std::get_if<double>(&value)) {
    cell.kind = Kind::real;
    cell.real = *real;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    cell.kind = Kind::text;
    cell.size = text->size();
    cell.bytes = *text;
  } else if (const auto* blob = std::get_if<sqlite::Blob>(&value)) {
    cell.kind = Kind::blob;
    cell.size = blob->bytes.size();
    cell.bytes = blob->bytes;
  }
  OutputBytes out;
  write_cell(out, cell, {});
  return std::string(out.view());
}

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/statement.h"

#include <charconv>

#include "parlance/pg/pq_library.h"

namespace parlance::pg {
namespace {

const PGresult* result_of(const std::shared_ptr<void>& result) { return static_cast<const PGresult*>(result.get()); }
int at(std::size_t index) { return static_cast<int>(index); }

int hex_digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

}  // namespace

void Array::add_plain(std::string_view text) {
  if (!empty()) text_ += ',';
  text_ += text;
}

void Array::add(std::string_view text) {
  if (!empty()) text_ += ',';
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

// Rows exist only after a connection was made, so the library is there.
std::size_t Rows::size() const { return static_cast<std::size_t>(pq_library()->ntuples(result_of(result_))); }

bool Rows::is_null(std::size_t row, std::size_t column) const {
  return pq_library()->getisnull(result_of(result_), at(row), at(column)) != 0;
}

std::string_view Rows::text(std::size_t row, std::size_t column) const {
  const PqLibrary& pq = *pq_library();
  return {pq.getvalue(result_of(result_), at(row), at(column)),
          static_cast<std::size_t>(pq.getlength(result_of(result_), at(row), at(column)))};
}

std::optional<std::string> Rows::text_or_null(std::size_t row, std::size_t column) const {
  if (is_null(row, column)) return std::nullopt;
  return std::string(text(row, column));
}

std::int64_t Rows::integer(std::size_t row, std::size_t column) const {
  const std::string_view digits = text(row, column);
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// The server writes bytea as \x and two digits a byte.
std::string Rows::bytes(std::size_t row, std::size_t column) const {
  std::string_view hex = text(row, column);
  if (hex.starts_with("\\x")) hex.remove_prefix(2);
  std::string data;
  data.reserve(hex.size() / 2);
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) data += static_cast<char>(hex_digit(hex[i]) << 4 | hex_digit(hex[i + 1]));
  return data;
}

std::string_view Rows::tag() const {
  return pq_library()->cmdStatus(const_cast<PGresult*>(result_of(result_)));  // it changes nothing
}

}  // namespace parlance::pg

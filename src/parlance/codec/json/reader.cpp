// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/reader.h"

#include <array>
#include <cstring>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/special.h"

namespace parlance::json {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

// The kind of a value by its first character.
constexpr auto first_characters = [] {
  std::array<Token, 256> table{};
  table.fill(Token::bad);
  table['{'] = Token::object;
  table['['] = Token::array;
  table['"'] = Token::text;
  table['t'] = table['f'] = Token::boolean;
  table['n'] = Token::null;
  table['-'] = Token::number;
  for (unsigned char c = '0'; c <= '9'; ++c) table[c] = Token::number;
  return table;
}();

}  // namespace

std::string_view name_of(Token token) {
  switch (token) {
    case Token::object: return "an object";
    case Token::array: return "an array";
    case Token::text: return "text";
    case Token::number: return "a number";
    case Token::boolean: return "a boolean";
    case Token::null: return "null";
    case Token::end: return "the end";
    case Token::bad: return "no JSON";
  }
  return "no JSON";
}

bool Reader::fail(const char* what) {
  if (fault_ == nullptr) fault_ = what;
  return false;
}

void Reader::skip_space() {
  if (at_ != end_ && *at_ > ' ') return;  // peers send hardly any white space
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

Token Reader::peek() {
  skip_space();
  if (fault_ != nullptr) return Token::bad;
  if (at_ == end_) return Token::end;
  return first_characters[static_cast<unsigned char>(*at_)];
}

bool Reader::descend() { return --depth_left_ >= 0 || fail("nested too deeply"); }

bool Reader::enter_object() {
  if (peek() != Token::object) return fail("expected an object");
  ++at_;
  if (!descend()) return false;
  skip_space();
  if (at_ != end_ && *at_ == '}') {
    ++at_;
    ++depth_left_;
    return false;
  }
  return read_key();
}

bool Reader::next_member() {
  bool closed = false;
  return close_or_comma('}', closed) && !closed && read_key();
}

bool Reader::enter_array() {
  if (peek() != Token::array) return fail("expected an array");
  ++at_;
  if (!descend()) return false;
  skip_space();
  if (at_ != end_ && *at_ == ']') {
    ++at_;
    ++depth_left_;
    return false;
  }
  return true;
}

bool Reader::next_element() {
  bool closed = false;
  return close_or_comma(']', closed) && !closed;
}

bool Reader::close_or_comma(char close, bool& closed) {
  if (fault_ != nullptr) return false;
  skip_space();
  if (at_ == end_) return fail("the document ends too early");
  const char c = *at_++;
  closed = c == close;
  if (closed) ++depth_left_;
  if (closed || c == ',') return true;
  --at_;
  return fail(close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
}

bool Reader::read_key() {
  skip_space();
  if (at_ == end_ || *at_ != '"') return fail("expected a member name");
  decoded_key_.clear();
  std::string_view plain;
  if (!scan_text(plain, &decoded_key_)) return false;
  key_ = plain.data() != nullptr ? plain : std::string_view(decoded_key_);
  skip_space();
  if (at_ == end_ || *at_ != ':') return fail("expected ':'");
  ++at_;
  return true;
}

// Text without escapes comes back as a view in `plain`; otherwise plain has no data and the text is appended to `decoded`
// (when given: a skipped text is only checked).
bool Reader::scan_text(std::string_view& plain, std::string* decoded) {
  const char* const run = ++at_;
  at_ = find_special(at_, end_);
  if (at_ == end_ || *at_ != '"') return scan_escaped(run, decoded);
  plain = std::string_view(run, static_cast<std::size_t>(at_ - run));
  ++at_;
  return true;
}

// From the first special byte of a text. `run`: start of the bytes not yet copied.
bool Reader::scan_escaped(const char* run, std::string* decoded) {
  for (;;) {
    if (at_ == end_) return fail("text without an end");
    if (*at_ != '"' && *at_ != '\\') return fail("control character in text");
    if (decoded != nullptr) decoded->append(run, at_);
    if (*at_++ == '"') return true;
    std::string dropped;
    if (!decode_escape(decoded != nullptr ? *decoded : dropped)) return false;
    run = at_;
    at_ = find_special(at_, end_);
  }
}

bool Reader::read_hex4(unsigned& out) {
  if (end_ - at_ < 4) return fail("\\u needs four hex digits");
  out = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = *at_++;
    unsigned value = 0;
    if (digit(c)) value = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'f') value = static_cast<unsigned>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F') value = static_cast<unsigned>(c - 'A' + 10);
    else return fail("\\u needs four hex digits");
    out = out << 4 | value;
  }
  return true;
}

bool Reader::decode_escape(std::string& out) {
  if (at_ == end_) return fail("text without an end");
  switch (*at_++) {
    case '"': out += '"'; return true;
    case '\\': out += '\\'; return true;
    case '/': out += '/'; return true;
    case 'b': out += '\b'; return true;
    case 'f': out += '\f'; return true;
    case 'n': out += '\n'; return true;
    case 'r': out += '\r'; return true;
    case 't': out += '\t'; return true;
    case 'u': break;
    default: return fail("unknown escape in text");
  }
  unsigned unit = 0;
  if (!read_hex4(unit)) return false;
  char32_t code_point = unit;
  if (unit >= 0xD800 && unit <= 0xDBFF && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u') {
    const char* before_second = at_;
    at_ += 2;
    unsigned low = 0;
    if (!read_hex4(low)) return false;
    if (low >= 0xDC00 && low <= 0xDFFF) code_point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    else at_ = before_second;
  }
  // A lone surrogate becomes U+FFFD, as in every program with UTF-8 texts (JavaScript peers send lone surrogates).
  append_utf8(out, code_point);
  return true;
}

bool Reader::read_text(std::string& out) {
  std::string_view text;
  if (!read_text(text, out)) return false;
  if (text.data() != out.data()) out.assign(text);
  return true;
}

bool Reader::read_text(std::string_view& out, std::string& decoded) {
  if (peek() != Token::text) return fail("expected text");
  decoded.clear();
  std::string_view plain;
  if (!scan_text(plain, &decoded)) return false;
  out = plain.data() != nullptr ? plain : std::string_view(decoded);
  return true;
}

bool Reader::read_boolean(bool& out) {
  if (peek() != Token::boolean) return fail("expected a boolean");
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  out = *at_ == 't';
  const std::string_view word = out ? "true" : "false";
  if (!rest.starts_with(word)) return fail("expected a value");
  at_ += word.size();
  return true;
}

bool Reader::read_null() {
  if (peek() != Token::null) return fail("expected null");
  if (end_ - at_ < 4 || std::memcmp(at_, "null", 4) != 0) return fail("expected a value");
  at_ += 4;
  return true;
}

std::string_view Reader::read_number() {
  if (peek() != Token::number) {
    fail("expected a number");
    return {};
  }
  const char* start = at_;
  const auto digits = [&] {
    const char* first = at_;
    while (at_ != end_ && digit(*at_)) ++at_;
    return at_ != first;
  };
  if (*at_ == '-') ++at_;
  bool good = true;
  if (at_ != end_ && *at_ == '0') ++at_;
  else good = digits();
  if (good && at_ != end_ && *at_ == '.') {
    ++at_;
    good = digits();
  }
  if (good && at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    good = digits();
  }
  if (good && at_ != end_ && digit(*at_)) good = false;  // 01
  if (!good) {
    fail("malformed number");
    return {};
  }
  return {start, static_cast<std::size_t>(at_ - start)};
}

bool Reader::skip(std::string_view* raw) {
  const Token token = peek();
  const char* start = at_;
  switch (token) {
    case Token::object:
      for (bool more = enter_object(); more; more = next_member())
        if (!skip()) return false;
      break;
    case Token::array:
      for (bool more = enter_array(); more; more = next_element())
        if (!skip()) return false;
      break;
    case Token::text: {
      std::string_view plain;
      if (!scan_text(plain, nullptr)) return false;
      break;
    }
    case Token::number: read_number(); break;
    case Token::boolean: {
      bool value = false;
      read_boolean(value);
      break;
    }
    case Token::null: read_null(); break;
    case Token::end: return fail("the document ends too early");
    case Token::bad: return fail("expected a value");
  }
  if (ok() && raw != nullptr) *raw = std::string_view(start, static_cast<std::size_t>(at_ - start));
  return ok();
}

bool Reader::finish() {
  skip_space();
  if (!ok()) return false;
  return at_ == end_ || fail("something follows the document");
}

}  // namespace parlance::json

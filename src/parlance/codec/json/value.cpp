// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/writer.h"

namespace parlance::json {
namespace {

// For numbers beyond the range of doubles: decides by the first nonzero digit, possibly far from the point (0.000…1, 1000…0e-5).
bool is_below_one(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, e);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;  // 0e99999999999
  const auto places = static_cast<std::int64_t>(std::min(digits.find('.'), e)) - static_cast<std::int64_t>(first);
  std::string_view power = text.substr(std::min(e + 1, text.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
    return power.starts_with('-');
  return exponent < -places;
}

Value number_value(std::string_view text) {
  const char* end = text.data() + text.size();
  if (text.find_first_of(".eE") == std::string_view::npos && text != "-0") {  // integers have no negative zero
    std::int64_t i = 0;
    if (const auto r = std::from_chars(text.data(), end, i); r.ec == std::errc{} && r.ptr == end) return i;
    std::uint64_t u = 0;
    if (const auto r = std::from_chars(text.data(), end, u); r.ec == std::errc{} && r.ptr == end) return u;
  }
  double d = 0;
  const auto r = std::from_chars(text.data(), end, d);
  if (r.ec == std::errc::result_out_of_range) {  // 1e400 is infinity to JavaScript; 1e-400 is zero
    d = is_below_one(text) ? 0.0 : HUGE_VAL;
    if (text.front() == '-') d = -d;
  }
  return d;
}

bool read_value(Reader& reader, Value& out) {
  switch (reader.peek()) {
    case Token::object: {
      Object object;
      for (bool more = reader.enter_object(); more; more = reader.next_member()) {
        std::string key(reader.key());
        Value value;
        if (!read_value(reader, value)) return false;
        // Looking for duplicates costs n^2 in a hostile object, so only small ones are searched; find() takes the last.
        if (object.members.size() < 64) object.set(std::move(key), std::move(value));
        else object.members.emplace_back(std::move(key), std::move(value));
      }
      out = std::move(object);
      break;
    }
    case Token::array: {
      Array array;
      for (bool more = reader.enter_array(); more; more = reader.next_element())
        if (!read_value(reader, array.emplace_back())) return false;
      out = std::move(array);
      break;
    }
    case Token::text: {
      std::string text;
      if (!reader.read_text(text)) return false;
      out = std::move(text);
      break;
    }
    case Token::number: {
      const std::string_view text = reader.read_number();
      if (reader.ok()) out = number_value(text);
      break;
    }
    case Token::boolean: {
      bool value = false;
      if (reader.read_boolean(value)) out = value;
      break;
    }
    case Token::null:
      if (reader.read_null()) out = Value();
      break;
    case Token::end: return reader.fail("the document ends too early");
    case Token::bad: return reader.fail("expected a value");
  }
  return reader.ok();
}

std::unexpected<Error> fault_of(const Reader& reader) {
  return fail(Errc::invalid_request, "at byte " + std::to_string(reader.offset()) + ": " + reader.fault());
}

}  // namespace

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

const Value* Object::find(std::string_view name) const {
  for (auto it = members.rbegin(); it != members.rend(); ++it)
    if (it->first == name) return &it->second;
  return nullptr;
}

Value& Object::set(std::string name, Value value) {
  for (auto it = members.rbegin(); it != members.rend(); ++it)  // of duplicates, find() sees this member
    if (it->first == name) return it->second = std::move(value);
  return members.emplace_back(std::move(name), std::move(value)).second;
}

bool Value::number(double& out) const {
  if (const auto* i = std::get_if<std::int64_t>(&data)) out = static_cast<double>(*i);
  else if (const auto* u = std::get_if<std::uint64_t>(&data)) out = static_cast<double>(*u);
  else if (const auto* d = std::get_if<double>(&data)) out = *d;
  else return false;
  return true;
}

bool Value::integer(std::int64_t& out) const {
  if (const auto* i = std::get_if<std::int64_t>(&data)) {
    out = *i;
    return true;
  }
  const auto* d = std::get_if<double>(&data);
  if (d == nullptr || std::trunc(*d) != *d || std::abs(*d) >= 9.2e18) return false;
  out = static_cast<std::int64_t>(*d);
  return true;
}

const Value* Value::find(std::string_view name) const {
  const Object* o = object();
  return o != nullptr ? o->find(name) : nullptr;
}

std::string_view Value::text_or(std::string_view name, std::string_view otherwise) const {
  const Value* member = find(name);
  const std::string* t = member != nullptr ? member->text() : nullptr;
  return t != nullptr ? std::string_view(*t) : otherwise;
}

std::int64_t Value::integer_or(std::string_view name, std::int64_t otherwise) const {
  const Value* member = find(name);
  std::int64_t value = 0;
  return member != nullptr && member->integer(value) ? value : otherwise;
}

bool Value::boolean_or(std::string_view name, bool otherwise) const {
  const Value* member = find(name);
  const bool* b = member != nullptr ? member->boolean() : nullptr;
  return b != nullptr ? *b : otherwise;
}

bool operator==(const Value& a, const Value& b) {
  double x = 0;
  double y = 0;
  if (a.number(x) && b.number(y)) return a.data.index() == b.data.index() ? a.data == b.data : x == y;
  const Object* o = a.object();
  const Object* p = b.object();
  if (o == nullptr || p == nullptr) return a.data.index() == b.data.index() && a.object() == nullptr && a.data == b.data;
  if (o->members.size() != p->members.size()) return false;
  for (const auto& [name, value] : o->members) {
    const Value* other = p->find(name);
    if (other == nullptr || !(value == *other)) return false;
  }
  return true;
}

bool operator==(const Object& a, const Object& b) { return Value(a) == Value(b); }

Value parse_or_null(std::string_view text) { return text.empty() ? Value() : parse(text).value_or(Value()); }

Result<Value> parse(std::string_view text) {
  if (!is_valid_utf8(text)) return fail(Errc::invalid_request, "the document is not UTF-8");
  Reader reader(text);
  Value value;
  if (!read_value(reader, value) || !reader.finish()) return fault_of(reader);
  return value;
}

void write(std::string& out, const Value& value) {
  if (value.is_null()) {
    out += "null";
  } else if (const bool* b = value.boolean()) {
    out += *b ? "true" : "false";
  } else if (const auto* i = std::get_if<std::int64_t>(&value.data)) {
    write_integer(out, *i);
  } else if (const auto* u = std::get_if<std::uint64_t>(&value.data)) {
    write_integer(out, *u);
  } else if (const auto* d = std::get_if<double>(&value.data)) {
    write_number(out, *d);
  } else if (const std::string* t = value.text()) {
    write_text(out, *t);
  } else if (const Array* a = value.array()) {
    out += '[';
    for (std::size_t n = 0; n < a->size(); ++n) {
      if (n != 0) out += ',';
      write(out, (*a)[n]);
    }
    out += ']';
  } else if (const Object* o = value.object()) {
    out += '{';
    for (std::size_t n = 0; n < o->members.size(); ++n) {
      if (n != 0) out += ',';
      write_text(out, o->members[n].first);
      out += ':';
      write(out, o->members[n].second);
    }
    out += '}';
  }
}

std::string to_text(const Value& value) {
  std::string out;
  write(out, value);
  return out;
}

bool is_valid(std::string_view text) {
  if (!is_valid_utf8(text)) return false;
  Reader reader(text);
  return reader.skip() && reader.finish();
}

Result<std::string> compact(std::string_view text) {
  if (!is_valid_utf8(text)) return fail(Errc::invalid_request, "the document is not UTF-8");
  Reader reader(text);
  if (!reader.skip() || !reader.finish()) return fault_of(reader);
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\') {
      out += c;
      out += text[++i];
      continue;
    }
    if (c == '"') inside = !inside;
    if (inside || (c != ' ' && c != '\n' && c != '\t' && c != '\r')) out += c;
  }
  return out;
}

}  // namespace parlance::json

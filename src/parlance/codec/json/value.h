// SPDX-License-Identifier: Apache-2.0
// A JSON value, for documents without a declared type (tool inputs, model answers, gob interface values). Messages with a
// declared type use typed.h instead. A value; one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::json {

class Value;
using Array = std::vector<Value>;

// Members in the order of the document. The last of duplicate members counts, as in JavaScript.
class Object {
 public:
  std::vector<std::pair<std::string, Value>> members;
  const Value* find(std::string_view name) const;
  Value& set(std::string name, Value value);  // Replaces or appends.
};

class Value {
 public:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> data;

  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();  // These six are compiled once, in value.cpp. Otherwise every file with a Value would compile them.
  Value(std::nullptr_t) : Value() {}
  Value(bool v) : data(v) {}
  Value(int v) : data(std::int64_t{v}) {}
  Value(std::int64_t v) : data(v) {}
  Value(std::uint64_t v) {  // A single form for each number: unsigned only if signed cannot hold it.
    if (v <= static_cast<std::uint64_t>(INT64_MAX)) data = static_cast<std::int64_t>(v);
    else data = v;
  }
  Value(double v) : data(v) {}
  Value(const char* v) : data(std::string(v)) {}
  Value(std::string_view v) : data(std::string(v)) {}
  Value(std::string v) : data(std::move(v)) {}
  Value(Array v) : data(std::move(v)) {}
  Value(Object v) : data(std::move(v)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(data); }
  const bool* boolean() const { return std::get_if<bool>(&data); }
  const std::string* text() const { return std::get_if<std::string>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
  const Object* object() const { return std::get_if<Object>(&data); }
  Array* array() { return std::get_if<Array>(&data); }
  Object* object() { return std::get_if<Object>(&data); }
  bool number(double& out) const;         // Any number.
  bool integer(std::int64_t& out) const;  // An integer, or a double with an integer value.

  // Members and elements by a path of names. Null if an element of the path is missing.
  const Value* find(std::string_view name) const;
  std::string_view text_or(std::string_view name, std::string_view otherwise) const;
  std::int64_t integer_or(std::string_view name, std::int64_t otherwise) const;
  bool boolean_or(std::string_view name, bool otherwise) const;

  friend bool operator==(const Value& a, const Value& b);  // Members in any order; 5 equals 5.0.
};

// Faults name their place: "at byte 17: expected ':'". Integers beyond 64 bits become doubles.
Result<Value> parse(std::string_view text);
Value parse_or_null(std::string_view text);  // Null for an empty text and for malformed JSON.
void write(std::string& out, const Value& value);
std::string to_text(const Value& value);

// The unchanged text if it is one complete JSON value.
bool is_valid(std::string_view text);
// The same document on one line without blanks between tokens. Absent: malformed JSON.
Result<std::string> compact(std::string_view text);

}  // namespace parlance::json

// SPDX-License-Identifier: Apache-2.0
// Any JSON value, for the few places that handle documents without a declared type (tool inputs, model answers, gob interface
// values). Messages with a declared type go through typed.h instead. A value; one thread at a time.
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

// Members in the order of the document. With duplicates the last one wins, as in JavaScript.
class Object {
 public:
  std::vector<std::pair<std::string, Value>> members;
  const Value* find(std::string_view name) const;
  Value& set(std::string name, Value value);  // replaces or appends
};

class Value {
 public:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> data;

  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();  // these six once, in value.cpp: every file that has a Value would compile them all over again
  Value(std::nullptr_t) : Value() {}
  Value(bool v) : data(v) {}
  Value(int v) : data(std::int64_t{v}) {}
  Value(std::int64_t v) : data(v) {}
  Value(std::uint64_t v) {  // one form for each number: unsigned only where signed cannot hold it
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
  bool number(double& out) const;         // any number
  bool integer(std::int64_t& out) const;  // an integer, or a double that is one

  // Members and elements by path of names; null pointer where something on the way is missing.
  const Value* find(std::string_view name) const;
  std::string_view text_or(std::string_view name, std::string_view otherwise) const;
  std::int64_t integer_or(std::string_view name, std::int64_t otherwise) const;
  bool boolean_or(std::string_view name, bool otherwise) const;

  friend bool operator==(const Value& a, const Value& b);  // members in any order; 5 equals 5.0
};

// Faults name the place: "at byte 17: expected ':'". Integers beyond 64 bits become doubles.
Result<Value> parse(std::string_view text);
Value parse_or_null(std::string_view text);  // null for nothing, and for what is no JSON
void write(std::string& out, const Value& value);
std::string to_text(const Value& value);

// The text as it stands if it is one complete JSON value.
bool is_valid(std::string_view text);
// The same document on one line without blanks between tokens; nothing when it is no JSON.
Result<std::string> compact(std::string_view text);

}  // namespace parlance::json

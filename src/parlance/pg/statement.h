// SPDX-License-Identifier: Apache-2.0
// A statement with what it is given, and what it gives back. Values; any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::pg {

// A parameter: text, or bytes as they are (bytea), or null.
struct Parameter {
  std::optional<std::string> value{};
  bool binary = false;

  Parameter(std::nullopt_t) {}
  Parameter(std::string text) : value(std::move(text)) {}
  Parameter(std::string_view text) : value(text) {}
  Parameter(const char* text) : value(text) {}
  Parameter(std::optional<std::string> text) : value(std::move(text)) {}
  Parameter(std::integral auto number) : value(std::to_string(number)) {}
  static Parameter bytes(std::string data) {
    Parameter made(std::move(data));
    made.binary = true;
    return made;
  }
};

struct Statement {
  std::string sql{};  // one; parameters are $1, $2, …
  std::vector<Parameter> parameters{};
};

// A parameter for `unnest($1::text[], …)`: many values in one statement.
class Array {
 public:
  void add(std::string_view text);
  void add(std::integral auto number) { add_plain(std::to_string(number)); }
  bool empty() const { return text_.size() == 1; }
  std::string text() const { return text_ + "}"; }

 private:
  void add_plain(std::string_view text);
  std::string text_ = "{";
};

// What one statement gave. Values are text as the server writes them.
class Rows {
 public:
  explicit Rows(std::shared_ptr<void> result) : result_(std::move(result)) {}
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  bool is_null(std::size_t row, std::size_t column) const;
  std::string_view text(std::size_t row, std::size_t column) const;  // as long as the Rows live; of null: empty
  std::optional<std::string> text_or_null(std::size_t row, std::size_t column) const;
  std::int64_t integer(std::size_t row, std::size_t column) const;  // 0 where there is none
  bool truth(std::size_t row, std::size_t column) const { return text(row, column) == "t"; }
  std::string bytes(std::size_t row, std::size_t column) const;  // of a bytea
  std::string_view tag() const;                                  // "COMMIT", "UPDATE 3"

 private:
  std::shared_ptr<void> result_;
};

}  // namespace parlance::pg

// SPDX-License-Identifier: Apache-2.0
// Rows of a database as JSON, written directly from SQLite's cells into one buffer: no allocation for a cell, no intermediate
// copy. Filled on a database's worker; read on the loop after the request's end. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/sqlite/query.h"

namespace parlance::server {

struct RowFormat {
  bool tag_integers = false;    // {"$type":"int","value":"9007199254740993"} beyond 2^53
  bool tag_infinities = false;  // {"$type":"real","value":"Infinity"}
};

// A buffer that grows by realloc, which moves large buffers without copying.
class OutputBytes {
 public:
  char* room(std::size_t bytes) {  // for so many more; `advance_to` says how many came
    if (static_cast<std::size_t>(end_ - at_) < bytes) grow(bytes);
    return at_;
  }
  void advance_to(char* at) { at_ = at; }
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_.get()); }
  void shrink_to(std::size_t size) { at_ = begin_.get() + size; }
  std::string_view view() const { return {begin_.get(), size()}; }
  void release() { begin_.reset(), at_ = end_ = nullptr; }

 private:
  void grow(std::size_t bytes);
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> begin_;
  char* at_ = nullptr;
  char* end_ = nullptr;
};

// Collects arriving rows as JSON text.
class RowWriter final : public sqlite::RowSink {
 public:
  explicit RowWriter(RowFormat format = {}) : format_(format) {}
  void begin(std::span<const sqlite::Column> columns) override;
  void row(std::span<const sqlite::Cell> cells) override;
  std::size_t bytes() const override { return out_.size(); }
  void take_back() override { out_.shrink_to(before_last_); }

  // {"columns":[…],"rows":[…],"truncated":…,"next_offset":…}
  void write_result(std::string& out, const sqlite::Page& page) const;

 private:
  RowFormat format_;
  struct Key {  // {"a": and ,"b": with some bytes behind
    std::string text;
    std::size_t size;
  };
  std::vector<Key> keys_;
  std::size_t fixed_bytes_ = 0;  // of a row with only numbers
  OutputBytes out_;
  std::size_t before_last_ = 0;
};

// The JSON forms, for other writers of database values.
void write_cell(OutputBytes& out, const sqlite::Cell& cell, RowFormat format);
std::string to_json(const sqlite::Value& value);

}  // namespace parlance::server

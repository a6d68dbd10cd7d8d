// SPDX-License-Identifier: Apache-2.0
// Reading: one statement, one page of its rows. Rows go to a sink as they come, a page is what is said about them. Worker thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parlance/sqlite/connection.h"
#include "parlance/sqlite/limits.h"

namespace parlance::sqlite {

struct Column {
  std::string name{};           // unique in its result: x, x:1, x:2
  std::string original_name{};  // empty: `name`
  std::optional<std::string> declared_type{};
  Kind type = Kind::null;  // of the first value in this page that is not null
};

// Takes the rows of one result, one after the other. It is asked on the worker's thread.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(std::span<const Column> columns) = 0;
  virtual void row(std::span<const Cell> cells) = 0;  // the cells' bytes are good until it returns
  virtual std::size_t bytes() const = 0;              // of all rows so far, as they will be sent
  virtual void take_back() = 0;                       // the last row
};

struct PageLimits {
  std::uint64_t limit = limits::sqlite_rows;
  std::uint64_t offset = 0;
  std::size_t bytes = limits::sqlite_result_bytes;
  bool infinities = false;  // they may be told; otherwise they are an error
};

struct Page {
  std::vector<Column> columns{};
  std::uint64_t rows = 0;
  bool truncated = false;
  std::optional<std::uint64_t> next_offset{};
  bool unsafe_integers = false;  // beyond what a double holds exactly
  std::uint64_t truncated_cells = 0;
};

struct ReadRequest {
  std::string sql{};
  Parameters parameters{};
  PageLimits limits{};
};

Outcome<Page> read(Connection& connection, Run& run, const ReadRequest& request, RowSink& sink);

// The rows of a statement that is prepared and bound. `to_its_end`: also those beyond the limit are stepped over, because the
// statement has effects.
Outcome<Page> fetch(Connection& connection, Statement& statement, const PageLimits& limits, RowSink& sink, bool to_its_end);

bool is_blank(std::string_view sql);         // nothing but white space, comments and semicolons
int count_statements(std::string_view sql);  // of text that need not be correct
bool begins_with_word(std::string_view sql, std::string_view word);

}  // namespace parlance::sqlite

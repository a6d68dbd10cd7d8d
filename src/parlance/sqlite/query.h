// SPDX-License-Identifier: Apache-2.0
// Reads a page of a single statement's rows. Rows go to a sink on arrival; a page is their description. Worker thread only.
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
  std::string name{};           // Unique in its result: x, x:1, x:2.
  std::string original_name{};  // Empty: equal to `name`.
  std::optional<std::string> declared_type{};
  Kind type = Kind::null;  // Of the first value in this page other than null.
};

// Receives the rows of a result in order, on the worker's thread.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void begin(std::span<const Column> columns) = 0;
  virtual void row(std::span<const Cell> cells) = 0;  // The bytes of the cells are valid until the return.
  virtual std::size_t bytes() const = 0;              // Of all rows so far, in their sent form.
  virtual void take_back() = 0;                       // The last row.
};

struct PageLimits {
  std::uint64_t limit = limits::sqlite_rows;
  std::uint64_t offset = 0;
  std::size_t bytes = limits::sqlite_result_bytes;
  bool infinities = false;  // True: infinities are allowed. False: an error.
};

struct Page {
  std::vector<Column> columns{};
  std::uint64_t rows = 0;
  bool truncated = false;
  std::optional<std::uint64_t> next_offset{};
  bool unsafe_integers = false;  // Beyond the exact range of a double.
  std::uint64_t truncated_cells = 0;
};

struct ReadRequest {
  std::string sql{};
  Parameters parameters{};
  PageLimits limits{};
};

Outcome<Page> read(Connection& connection, Run& run, const ReadRequest& request, RowSink& sink);

// The rows of a prepared and bound statement. `to_its_end`: also steps over rows beyond the limit, because the statement has
// effects.
Outcome<Page> fetch(Connection& connection, Statement& statement, const PageLimits& limits, RowSink& sink, bool to_its_end);

bool is_blank(std::string_view sql);         // White space, comments and semicolons only.
int count_statements(std::string_view sql);  // Of possibly incorrect text.
bool begins_with_word(std::string_view sql, std::string_view word);

}  // namespace parlance::sqlite

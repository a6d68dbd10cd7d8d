// SPDX-License-Identifier: Apache-2.0
// Writes with any number of statements, all or nothing. Worker thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parlance/sqlite/query.h"

namespace parlance::sqlite {

struct WriteRequest {
  std::string sql{};
  Parameters parameters{};  // For a single statement.
  PageLimits limits{};      // Of the rows of RETURNING or of a PRAGMA.
};

struct WriteResult {
  std::int64_t changes = 0;        // Rows without changes by triggers and cascades.
  std::int64_t total_changes = 0;  // Rows with these changes.
  std::optional<std::int64_t> last_insert_rowid{};
  std::optional<Page> result{};  // Of the last statement with rows; its rows are in the sink.
};

// Either all statements take effect or none does: also after an error, a timeout or a cancel.
Outcome<WriteResult> write(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink);

// Runs statements inside an open transaction (preview.cpp). `several`: errors name the statement.
Outcome<WriteResult> write_statements(Connection& connection, const WriteRequest& request, RowSink& sink, bool several);

}  // namespace parlance::sqlite

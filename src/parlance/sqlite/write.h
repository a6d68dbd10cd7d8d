// SPDX-License-Identifier: Apache-2.0
// Writing: one statement or several, all or nothing. Worker thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parlance/sqlite/query.h"

namespace parlance::sqlite {

struct WriteRequest {
  std::string sql{};
  Parameters parameters{};  // for a single statement
  PageLimits limits{};      // of the rows that RETURNING or a PRAGMA brings
};

struct WriteResult {
  std::int64_t changes = 0;        // rows, without those that triggers and cascades changed
  std::int64_t total_changes = 0;  // with them
  std::optional<std::int64_t> last_insert_rowid{};
  std::optional<Page> result{};  // of the last statement that brought rows; the sink has them
};

// What happened is either all that was asked for, or nothing: on an error, a timeout and a cancel as well.
Outcome<WriteResult> write(Connection& connection, Run& run, const WriteRequest& request, RowSink& sink);

// Statement by statement inside a transaction that is open already (preview.cpp). `several`: said in what goes wrong.
Outcome<WriteResult> write_statements(Connection& connection, const WriteRequest& request, RowSink& sink, bool several);

}  // namespace parlance::sqlite

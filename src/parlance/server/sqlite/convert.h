// SPDX-License-Identifier: Apache-2.0
// Conversions between wire messages and values of the engine: parameters, schemas, failures. Values; any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/protocol/sqlite_bridge/messages.h"
#include "parlance/sqlite/engine.h"

namespace parlance::server {

// An array for ?, an object for names. Numbers without fraction and exponent become INTEGER, all others REAL.
Result<sqlite::Parameters> to_parameters(std::string_view json);

// What a request may ask for of a result: at most `max_rows`, nothing below zero.
sqlite::Outcome<sqlite::PageLimits> to_page_limits(std::optional<std::int64_t> limit, std::optional<std::int64_t> offset,
                                                   std::uint64_t max_rows, std::size_t max_bytes);
// 0: none.
sqlite::Outcome<std::chrono::milliseconds> to_timeout(std::int64_t timeout_ms);

sqlite_bridge::Failure to_wire(const sqlite::Failure& failure);
sqlite_bridge::ColumnInfo to_wire(const sqlite::TableColumn& column);
std::vector<sqlite_bridge::ColumnInfo> to_wire(const std::vector<sqlite::TableColumn>& columns);
sqlite_bridge::SchemaInfo to_wire(std::string path, const sqlite::Schema& schema);

sqlite_bridge::Preview to_wire(const sqlite::Preview& preview);

// For a log line: at most 200 bytes, control characters escaped.
std::string shown_sql(std::string_view sql);

}  // namespace parlance::server

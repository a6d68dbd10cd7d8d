// Between what travels about databases and what the engine knows: parameters, schemas, failures. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "protocol/sqlite_bridge/messages.h"
#include "sqlite/engine.h"

namespace parlance::service {

// An array for ?, an object for names. Numbers without fraction and exponent become INTEGER, all others REAL.
Result<sqlite::Parameters> to_parameters(std::string_view json);

sqlite_bridge::Failure to_wire(const sqlite::Failure& failure);
sqlite_bridge::ColumnInfo to_wire(const sqlite::TableColumn& column);
std::vector<sqlite_bridge::ColumnInfo> to_wire(const std::vector<sqlite::TableColumn>& columns);
sqlite_bridge::SchemaInfo to_wire(std::string path, const sqlite::Schema& schema);

sqlite_bridge::Preview to_wire(const sqlite::Preview& preview);

// For a log line: at most 200 bytes, control characters escaped.
std::string shown_sql(std::string_view sql);

}  // namespace parlance::service

// SPDX-License-Identifier: Apache-2.0
// Creates and upgrades the tables of a database: numbered steps, each a transaction. Several programs may run this
// simultaneously: one does the work. Blocking; one thread at a time.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::pg {

// Version N adds, N + 1 removes: concurrent programs must not read the data removed by a step.
struct Step {
  int least_reader = 1;  // the oldest program (by the number of its last step) that can run beside this step's tables
  std::array<std::string_view, 4> sql{};
};

// Several sets of tables may share a database, each with its own version table.
struct Migrations {
  std::string_view version_table{};
  std::string_view whose{};  // for errors: "the tables of …"
  int first = 1;             // version after the first step; tables of a lower version are refused
  std::span<const Step> steps{};
  // SQL in the transaction of a step that raises the least reader. The SQL raises `older_one_works`, with names, while older
  // programs run. Null: running programs are not recorded.
  std::string (*refuse_older)(int least_reader) = nullptr;
};

inline constexpr std::string_view older_one_works = "PF004";  // SQLSTATE

// Upgrades an empty or older database to the last step. A refused database stays unchanged. Errors: disconnected, those of the
// server, and failed. A database fails if a newer parlance made the tables and no longer supports this version. It fails if a
// version before the first release made the tables, or if an older running program still reads the removed data.
Result<void> migrate(Connection& connection, const Migrations& migrations);

// Checks existing tables without changes. Errors: the first two of `migrate`, and disconnected.
Result<void> check_version(Connection& connection, const Migrations& migrations);

}  // namespace parlance::pg

// SPDX-License-Identifier: Apache-2.0
// How the tables of a database come about, and how older ones become new ones: numbered steps, each a transaction. Several programs may do it at
// once: one does the work. Blocking; one thread at a time.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::pg {

// Version N adds, N + 1 removes: what a step takes away, no program may read that works beside it.
struct Step {
  int least_reader = 1;  // the oldest program (by the number of its last step) that can work beside what this one makes
  std::string_view sql{};
  std::string_view more{};  // SQL as well
};

// Several may stand in one database, each with a table of its own that says how far it is.
struct Migrations {
  std::string_view version_table{};
  std::string_view whose{};  // for errors: "the tables of …"
  std::span<const Step> steps{};
  // SQL that raises `older_one_works`, naming them, while programs work that are older than the least reader; in the transaction of a step
  // that raises it. Null: nobody keeps who works here.
  std::string (*refuse_older)(int least_reader) = nullptr;
};

inline constexpr std::string_view older_one_works = "PF004";  // SQLSTATE

// Brings an empty or older database up to the last step. Errors: failed (a newer parlance made it and no longer cares for us; an older one works
// that still reads what a step would take away; and why the server refused), disconnected.
Result<void> migrate(Connection& connection, const Migrations& migrations);

// Of tables that are there, and changes nothing. Errors: failed (a newer parlance made them and no longer cares for us), disconnected.
Result<void> check_version(Connection& connection, const Migrations& migrations);

}  // namespace parlance::pg

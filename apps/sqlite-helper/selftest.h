// SPDX-License-Identifier: Apache-2.0
// sqlite-helper selftest DB: does the read gate work on this machine, with this SQLite? Tries every known bypass, each on a copy
// of the database, so that a successful bypass harms no data.
#pragma once

#include <string>

namespace parlance::app {

// Prints a line for each attempt and a verdict. 0: all attempts were refused or had no effect; 1: an attempt succeeded, or the
// database is unreadable.
int run_sqlite_selftest(const std::string& database);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// sqlite-helper selftest DB: does the read gate hold on this machine, with this SQLite? Every known way around it is tried, each on a
// copy of the database, so that one which succeeded would harm nobody.
#pragma once

#include <string>

namespace parlance::app {

// Prints one line a try and a verdict. 0: all of them were refused or did nothing; 1: one was not, or the database cannot be read.
int run_sqlite_selftest(const std::string& database);

}  // namespace parlance::app

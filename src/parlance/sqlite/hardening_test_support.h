// SPDX-License-Identifier: Apache-2.0
// Common parts of the hardening tests: a database with a table of two rows, and endless statements.
#pragma once

#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {

// Never ends by itself; its steps are short.
inline constexpr const char* endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";
// A function call of some seconds that cannot be interrupted.
inline constexpr const char* slow_function = "SELECT instr(zeroblob(400000), zeroblob(200000)||x'01')";

class Hardening : public EngineTest {
 protected:
  Hardening() { raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1,'x'),(2,'y')"); }
  // Ends by itself after a stop. `endless` and a held lock would never end.
  void expect_that_it_ends() {
    EXPECT_TRUE(loop.run_until([&] { return !engine->has_stuck_statements(); }));
  }
};

}  // namespace parlance::sqlite::test

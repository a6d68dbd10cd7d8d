// SPDX-License-Identifier: Apache-2.0
// What the tests of the hardening rules share: a database with a table of two rows, and statements that do not end.
#pragma once

#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {

// Never ends by itself; its steps are short.
inline constexpr const char* endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";
// One function call of some seconds, which nothing can interrupt.
inline constexpr const char* slow_function = "SELECT instr(zeroblob(400000), zeroblob(200000)||x'01')";

class Hardening : public EngineTest {
 protected:
  Hardening() { raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1,'x'),(2,'y')"); }
  // What was stopped ends by itself: `endless` and a lock that is held would keep it for ever.
  void expect_that_it_ends() {
    const TimePoint limit = Clock::now() + 60s;
    while (engine->has_stuck_statements() && Clock::now() < limit) loop.run_for(10ms);
    EXPECT_FALSE(engine->has_stuck_statements());
  }
};

}  // namespace parlance::sqlite::test

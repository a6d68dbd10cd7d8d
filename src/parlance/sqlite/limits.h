// SPDX-License-Identifier: Apache-2.0
// Limits of sqlite, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

// ---- storage
inline constexpr auto sqlite_busy = 15s;  // Ten concurrent writers wait for each other within this time.

// ---- databases of a person, opened by sqlite-helper
inline constexpr std::uint64_t sqlite_rows = 1000;           // Rows of one result.
inline constexpr std::size_t sqlite_result_bytes = 5 << 20;  // Rows of one result as JSON.
inline constexpr std::size_t sqlite_cut_bytes = 64 << 10;    // Kept bytes of a cell in a row above the limit.
inline constexpr auto sqlite_request_time = 30s;             // The extension waits as long for an answer.
inline constexpr auto sqlite_read_busy = 2s;                 // Wait for a foreign lock, for reads
inline constexpr auto sqlite_write_busy = 5s;                // … and writing.
inline constexpr auto sqlite_busy_pause = 5ms;               // Between two attempts at a lock.
inline constexpr auto sqlite_idle = 60s;                     // Without a request a database is closed.
inline constexpr auto sqlite_stuck_grace = 100ms;            // Before a stopped statement is abandoned,
inline constexpr std::size_t sqlite_stuck_workers = 8;       // … and the number of abandoned statements.
inline constexpr int sqlite_progress_steps = 1000;           // Instructions between two checks of the deadline: about 20 us.
inline constexpr int sqlite_cell_bytes = 256 << 20;          // One text or blob; half of SQLite's heap limit.
inline constexpr int sqlite_read_sql_bytes = 1 << 20;        // One reading statement
inline constexpr int sqlite_write_sql_bytes = 16 << 20;      // … and of a script: as much as a line carries.
inline constexpr int sqlite_program_steps = 10'000'000;      // One prepared statement; real statements have less than 10,000.
inline constexpr int sqlite_expression_depth = 200;          // SQLite's parser recurses; real expressions nest below 50.
inline constexpr int sqlite_trigger_depth = 50;              // Nested triggers.
inline constexpr std::int64_t sqlite_soft_heap_bytes = 256LL << 20;  // Of the process: caches shrink above the limit,
inline constexpr std::int64_t sqlite_hard_heap_bytes = 512LL << 20;  // … and a statement fails above the hard limit.
inline constexpr std::size_t sqlite_undo_writes = 20;                // Changesets for undo, for each database and session,
inline constexpr std::size_t sqlite_undo_bytes = 32 << 20;           // … and the sum of the sizes.
inline constexpr std::size_t sqlite_preview_changes = 100;           // Changed rows with values in a preview.

}  // namespace parlance::limits

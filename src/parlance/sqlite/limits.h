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
inline constexpr std::uint64_t sqlite_rows = 1000;           // Of one result: what a grid shows at once.
inline constexpr std::size_t sqlite_result_bytes = 5 << 20;  // Rows of one result as JSON.
inline constexpr std::size_t sqlite_cut_bytes = 64 << 10;    // Kept of a cell in a row that alone passes the limit above.
inline constexpr auto sqlite_request_time = 30s;             // The extension waits as long for an answer.
inline constexpr auto sqlite_read_busy = 2s;                 // For a lock that another program holds, reading
inline constexpr auto sqlite_write_busy = 5s;                // … and writing.
inline constexpr auto sqlite_busy_pause = 5ms;               // Between two looks at such a lock, and at the deadline.
inline constexpr auto sqlite_idle = 60s;                     // Without a request a database is closed.
inline constexpr auto sqlite_stuck_grace = 100ms;            // For a stopped statement to end before it is left behind,
inline constexpr std::size_t sqlite_stuck_workers = 8;       // … and how many of those may run on.
inline constexpr int sqlite_progress_steps = 1000;           // Instructions between two looks at the deadline: some 20 us.
inline constexpr int sqlite_cell_bytes = 256 << 20;          // Of one text or blob that is read; half of what SQLite may use.
inline constexpr int sqlite_read_sql_bytes = 1 << 20;        // Of one statement that reads
inline constexpr int sqlite_write_sql_bytes = 16 << 20;      // … and of a script: as much as a line carries.
inline constexpr int sqlite_program_steps = 10'000'000;      // Of one prepared statement; real ones stay below 10,000.
inline constexpr int sqlite_expression_depth = 200;          // SQLite's parser recurses; real ones nest below 50.
inline constexpr int sqlite_trigger_depth = 50;              // Triggers that fire triggers.
inline constexpr std::int64_t sqlite_soft_heap_bytes = 256LL << 20;  // Of the process: above it caches shrink,
inline constexpr std::int64_t sqlite_hard_heap_bytes = 512LL << 20;  // … above this a statement fails.
inline constexpr std::size_t sqlite_undo_writes = 20;                // Changesets kept for undo, of one database and session,
inline constexpr std::size_t sqlite_undo_bytes = 32 << 20;           // … and how large they may be together.
inline constexpr std::size_t sqlite_preview_changes = 100;           // Changed rows that a preview tells with their values.

}  // namespace parlance::limits

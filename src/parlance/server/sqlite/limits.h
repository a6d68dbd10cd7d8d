// SPDX-License-Identifier: Apache-2.0
// The limits of server/sqlite: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t sqlite_line_bytes = 16 << 20;           // Of a request; longer lines are skipped.
inline constexpr std::size_t sqlite_requests = 1024;                 // Running or waiting at the same time; above, reading stops.
inline constexpr std::uint64_t sqlite_preview_rows = 50;             // Of a table read as a resource.
inline constexpr auto sqlite_progress_pause = 250ms;                 // Between two progress notifications of a statement.
inline constexpr auto sqlite_watch_pause = 1s;                       // Between two looks at a subscribed database.
inline constexpr std::size_t sqlite_known_databases = 1000;          // Databases with listed tables, the most recently opened.
inline constexpr std::uint64_t sqlite_full_check_bytes = 256 << 20;  // Larger databases get the quick check by default.

}  // namespace parlance::limits

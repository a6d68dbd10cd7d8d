// SPDX-License-Identifier: Apache-2.0
// The limits of server/sqlite: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t sqlite_line_bytes = 16 << 20;   // One request; a longer line is passed over.
inline constexpr std::size_t sqlite_requests = 1024;         // Running or waiting at once; above it reading stops.
inline constexpr std::uint64_t sqlite_preview_rows = 50;     // Of a table that is read as a resource.
inline constexpr auto sqlite_progress_pause = 250ms;         // Between two words about how far a statement is.
inline constexpr auto sqlite_watch_pause = 1s;               // Between two looks at a database that somebody subscribed to.
inline constexpr std::size_t sqlite_known_databases = 1000;  // Whose tables are listed, those that were opened last.
inline constexpr std::uint64_t sqlite_full_check_bytes = 256
                                                         << 20;  // Above it a database's check is the quick one, unless asked.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of database views: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t database_views = 16;  // Simultaneously: each is a process, and a person uses one or two.
inline constexpr auto database_glance = 1s;        // Between two checks for changes by other programs.
inline constexpr auto database_eof_grace = 1s;     // For the helper's end without viewers, before SIGTERM,
inline constexpr auto database_term_grace = 2s;    // … and before SIGKILL. The next opening undoes an incomplete write.

// The search for offered databases: below the folders of conversations, the latest first.
inline constexpr std::size_t database_folders = 20;
inline constexpr int database_depth = 3;                 // Below such a folder; deeper ones are named by their path.
inline constexpr std::size_t database_entries = 20'000;  // Files and folders read in total: a tenth of a second.
inline constexpr std::size_t databases_offered = 50;     // More is no list to choose from.

}  // namespace parlance::limits

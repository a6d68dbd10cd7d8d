// SPDX-License-Identifier: Apache-2.0
// The limits of databases that pages look at: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t database_views = 16;  // At once: each is a process, and a person looks at one or two.
inline constexpr auto database_glance = 1s;        // Between two looks whether somebody else has changed the file.
inline constexpr auto database_eof_grace = 1s;     // For the helper to end when nobody looks any more, before SIGTERM,
inline constexpr auto database_term_grace = 2s;    // … and before SIGKILL. What it was writing is undone at the next opening.

// Where databases are looked for, so that a person can choose: below the folders of conversations, the latest ones first.
inline constexpr std::size_t database_folders = 20;
inline constexpr int database_depth = 3;                 // Below such a folder; deeper ones are named by their path.
inline constexpr std::size_t database_entries = 20'000;  // Files and folders that are looked at in all: a tenth of a second.
inline constexpr std::size_t databases_offered = 50;     // More is no list to choose from.

}  // namespace parlance::limits

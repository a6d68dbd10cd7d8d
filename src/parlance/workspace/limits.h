// SPDX-License-Identifier: Apache-2.0
// The limits of workspace: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t file_list_entries = 1000;
inline constexpr std::size_t search_hits = 200;
inline constexpr std::size_t search_files = 50000;          // Files read by a search.
inline constexpr std::size_t file_names_found = 20;         // Listed matches for typed text: a list beside a field.
inline constexpr auto file_names_time = 2s;                 // Looking through a home folder would take minutes.
inline constexpr auto file_names_kept = 5s;                 // Typing asks several times a second.
inline constexpr std::size_t ignore_file_bytes = 64 << 10;  // Of a .gitignore: long ones have some kilobytes.
inline constexpr std::size_t search_line_bytes = 400;       // Shown of a matching line.
inline constexpr std::size_t search_pattern_bytes = 1000;   // From a person or a model; base/regex bounds the cost of a pattern.
inline constexpr auto search_time = 10s;
inline constexpr std::size_t command_output_bytes = 64 << 10;  // Kept of a command's output: first and last half.

}  // namespace parlance::limits

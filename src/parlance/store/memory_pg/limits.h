// SPDX-License-Identifier: Apache-2.0
// The limits of store/memory_pg: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// A server that was not there is left alone for so long: who asks meanwhile hears so at once, and does not wait for it as well.
inline constexpr auto memory_server_pause = 1s;
inline constexpr auto memory_migration = 10min;  // Large tables are changed in that time, and others wait for who does it.
// Of people whose memories were asked for last, what is kept of them: some 20 MB and their vectors each, 38 MB for 100,000 of 384.
inline constexpr std::size_t memory_people_kept = 32;
inline constexpr std::size_t memory_people_bytes = 512 << 20;  // All vectors of those; of the one who asks there is always room.
// Looked through for what the person wrote before a memory was made: one step of a turn, pieces of text included.
inline constexpr int memory_origin_events = 2'000;
// What is kept of the index of words is brought up to so many changes, a few microseconds each; of an import it is asked anew.
inline constexpr std::int64_t memory_changes_applied = 64;
inline constexpr std::size_t memory_vectors_read = 4096;  // In one answer of the server: 3 MB of 384.

}  // namespace parlance::limits

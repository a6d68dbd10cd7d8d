// SPDX-License-Identifier: Apache-2.0
// The limits of store/memory_pg: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// Pause after a failed connection: calls meanwhile fail at once instead of waiting.
inline constexpr auto memory_server_pause = 1s;
inline constexpr auto memory_migration = 10min;  // Changes of large tables fit in this time; other processes wait.
// Cached users, most recently used: some 20 MB and their vectors each, 38 MB for 100,000 vectors of 384.
inline constexpr std::size_t memory_people_kept = 32;
inline constexpr std::size_t memory_people_bytes = 512 << 20;  // Vectors of all cached users; the current user always fits.
// Events searched backwards for the person's message before a memory: one step of a turn, pieces of text included.
inline constexpr int memory_origin_events = 2'000;
// Changes applied to cached lookups, a few microseconds each; larger changes such as an import clear the cache.
inline constexpr std::int64_t memory_changes_applied = 64;
inline constexpr std::size_t memory_vectors_read = 4096;  // Per answer of the server: 3 MB of 384 components.

}  // namespace parlance::limits

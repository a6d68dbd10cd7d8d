// SPDX-License-Identifier: Apache-2.0
// The limits of store/hub_pg: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// A hub without renewal for this time may be marked dead. 5 s separate the end of its child processes (lease_own) from the first
// possible takeover.
inline constexpr auto lease = 15s;
inline constexpr auto lease_own = 10s;          // The hub's own limit, from the send time of the last successful renewal.
inline constexpr auto lease_renewal = 3s;       // Two renewals may be lost.
inline constexpr auto store_reconnect = 200ms;  // Between two connection attempts.
inline constexpr auto outcome_look = 50ms;      // Poll for the outcome of a command without notices …
inline constexpr auto outcome_wait = 1s;        // … and with notices, because a notice may be lost.
// With notices, comparisons run at the renewal period of the lease; without, a person waits for the next comparison.
inline constexpr auto compare_without_notices = 250ms;
// Executed commands: callers repeat a question for an outcome only within seconds.
inline constexpr std::size_t commands_kept = 10'000;
// Ids of removed conversations, for late commits: their logs end with the removal.
inline constexpr std::size_t removed_kept = 4096;
inline constexpr auto migration = 10min;  // Changes of large tables fit in this time; other hubs wait for the migrating hub.
// Commits per transaction. Further commits wait for the next transaction, because a large group delays its first commit.
inline constexpr std::size_t group_commits = 256;
inline constexpr std::size_t group_bytes = 4 << 20;
inline constexpr std::size_t read_rows = 4096;    // Events per read.
inline constexpr std::size_t loaded_rows = 2048;  // Conversations per statement at the start: about 1 MiB.

inline constexpr std::int64_t runners_known = 1000;  // Runners per query; each is a line or two.

}  // namespace parlance::limits

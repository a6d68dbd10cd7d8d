// SPDX-License-Identifier: Apache-2.0
// The limits of store/hub_pg: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// A hub that said nothing for so long may be taken for dead. Together with the next: 5 s lie between the end of its children and the
// first moment at which another may take its conversations.
inline constexpr auto lease = 15s;
inline constexpr auto lease_own = 10s;          // After the sending of the last renewal that succeeded, it takes itself for dead.
inline constexpr auto lease_renewal = 3s;       // Two may be lost.
inline constexpr auto store_reconnect = 200ms;  // Between two attempts to reach the server.
inline constexpr auto outcome_look = 50ms;      // Whether the owner has done a command, where no notice says so …
inline constexpr auto outcome_wait = 1s;        // … and where one may have been lost.
// Where notices arrive all is compared as often as the lease is renewed; where none do, a person waits for it.
inline constexpr auto compare_without_notices = 250ms;
inline constexpr std::size_t commands_kept = 10'000;  // Done ones: who asks for the outcome of one twice has long heard it.
inline constexpr auto migration = 10min;  // Large tables are changed in that time, and other hubs wait for who does it.
// Commits in one transaction. More wait for the next: the first would wait for too much.
inline constexpr std::size_t group_commits = 256;
inline constexpr std::size_t group_bytes = 4 << 20;
inline constexpr std::size_t read_rows = 4096;  // Events that one reading looks at.

inline constexpr std::int64_t places_known = 1000;  // Runners that are looked at; each is a line or two.

}  // namespace parlance::limits

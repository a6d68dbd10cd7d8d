// SPDX-License-Identifier: Apache-2.0
// The limits of the client of a gateway: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto first_reconnect_pause = 300ms;          // A load balancer selects another gateway in this time.
inline constexpr auto longest_reconnect_pause = 10s;          // A person notices the return of the gateway soon.
inline constexpr int repeats = 3;                             // Of a request that each connection loses.
inline constexpr auto snapshot_wait = 30s;                    // For the first snapshot of a slow gateway.
inline constexpr auto gateway_update_wait = 10s;              // Of one read of changes without a change.
inline constexpr std::uint64_t gateway_conversations = 2000;  // Listed at the start, newest first; others are found by id.
inline constexpr std::uint64_t gateway_event_part = 500;      // Older events in one request: about a screen of a terminal.
inline constexpr std::size_t settled_requests = 256;          // Kept for their askers, newest.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of peer: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// Handlers running at once on one connection; a request above it is answered `overloaded` or left unread.
inline constexpr std::size_t running_calls = 256;
// Calls waiting for their reply on one connection.
inline constexpr std::size_t pending_calls = 4096;
// Default deadline of a call whose dialect names none.
inline constexpr auto call_timeout = 30s;

}  // namespace parlance::limits

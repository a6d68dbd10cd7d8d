// SPDX-License-Identifier: Apache-2.0
// The limits of pg: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

// A running server answers in milliseconds, a just promoted server in about a second.
inline constexpr auto pg_connect = 5s;
// After this silence the connection is given up: sent statements may have run or not.
inline constexpr auto pg_silence = 5s;
// A silent client's transaction holds locks that others wait for: the server ends the transaction.
inline constexpr auto pg_idle_in_transaction = 10s;
// A notification takes milliseconds; through a pooler, notifications never arrive.
inline constexpr auto pg_listen = 2s;

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of pg: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

// A server that is there answers in milliseconds, one that has just been promoted in about a second.
inline constexpr auto pg_connect = 5s;
// No byte for so long, and the connection is given up: what was sent may have happened or not.
inline constexpr auto pg_silence = 5s;
// A transaction whose client says nothing more holds locks that others wait for: the server ends it.
inline constexpr auto pg_idle_in_transaction = 10s;
// A notification takes milliseconds; through a pooler it never arrives.
inline constexpr auto pg_listen = 2s;

}  // namespace parlance::limits

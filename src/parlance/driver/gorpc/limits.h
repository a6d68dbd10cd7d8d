// The limits of driver/gorpc: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto agent_wait = 20s;     // The deployed gateway waits as long.
inline constexpr auto agent_retry = 300ms;  // … and tries as often; a watch on the socket's folder wakes us sooner.

}  // namespace parlance::limits

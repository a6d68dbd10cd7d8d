// The limits of transport/http: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto sse_keep_alive = 15s;  // Proxies cut streams that stay silent for a minute or less.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of transport/http: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto sse_keep_alive = 15s;  // Proxies cut streams that stay silent for a minute or less.

// Of a streamed answer, kept for a reader that has no room; then the server is made to wait. As much as one read of a socket brings.
inline constexpr std::size_t arrived_bytes = 256 << 10;

}  // namespace parlance::limits

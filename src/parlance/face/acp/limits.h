// SPDX-License-Identifier: Apache-2.0
// The limits of face/acp: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto acp_file_patience =
    10s;  // For a client to read or write a file in its editor; then it is as if it could not.

// ---- over HTTP, where a connection is only a name that a client sends along
inline constexpr std::size_t acp_http_connections = 1'000;
inline constexpr auto acp_http_idle = 10min;  // Without a request or a stream: whoever left said so to nobody.
inline constexpr auto acp_http_sweep = 1min;  // … and how often that is looked for.
// Waiting in the streams of one connection before its sessions are followed no further; what is behind lies in the store.
inline constexpr std::size_t acp_http_buffered_bytes = 1 << 20;
inline constexpr std::size_t acp_http_id_bytes = 1'024;  // Of a request or a session: what the reference SDK takes.

}  // namespace parlance::limits

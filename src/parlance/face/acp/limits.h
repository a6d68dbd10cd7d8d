// SPDX-License-Identifier: Apache-2.0
// The limits of face/acp: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto acp_file_patience =
    10s;  // For a client's read or write of an editor file; afterwards the client counts as unable.

// ---- over HTTP: a connection is only a name in the client's requests
inline constexpr std::size_t acp_http_connections = 1'000;
inline constexpr auto acp_http_idle = 10min;  // Without a request or a stream: clients may leave silently.
inline constexpr auto acp_http_sweep = 1min;  // … period of the check.
// Bytes in the streams of a connection before its sessions stop following; later events stay in the store.
inline constexpr std::size_t acp_http_buffered_bytes = 1 << 20;
inline constexpr std::size_t acp_http_id_bytes = 1'024;  // Of a request or a session: the limit of the reference SDK.

}  // namespace parlance::limits

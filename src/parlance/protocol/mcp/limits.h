// SPDX-License-Identifier: Apache-2.0
// The limits of protocol/mcp: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t mcp_page = 100;               // Entries of one page of a list.
inline constexpr std::size_t mcp_completions = 100;        // Of one answer, as the protocol says.
inline constexpr std::size_t mcp_subscriptions = 1000;     // Resources that one client hears of.
inline constexpr std::size_t mcp_body_bytes = 16 << 20;    // Of one HTTP request; images as base64 stay below.
inline constexpr std::size_t mcp_http_sessions = 1000;     // Of one endpoint; above it the one that was idle longest goes.
inline constexpr auto mcp_http_session_idle = 30min;       // Without a request or an open stream a session is forgotten.
inline constexpr std::size_t mcp_http_streams = 256;       // Of one session: answers that are running or wait to be fetched.
inline constexpr std::size_t mcp_stream_bytes = 16 << 20;  // Kept of one stream for a client that comes back.
inline constexpr auto mcp_stream_kept = 60s;               // So long after its last event.
inline constexpr auto mcp_retry = 500ms;                   // What clients wait before they come back for the rest of a stream.
inline constexpr int mcp_resumptions = 20;                 // In a row without an event, before a client gives a stream up.
inline constexpr auto mcp_begin_stream = 1s;               // A call that takes longer is answered as a stream.
inline constexpr auto mcp_call_time = 60s;                 // For a server to answer, unless the caller says otherwise.
inline constexpr auto mcp_end_time = 2s;                   // For a server to hear that its session is over.
inline constexpr auto mcp_discover_time = 10s;             // For a server to say which era it is of.
inline constexpr std::size_t mcp_pages = 1000;             // Of one list, before a client takes the server for broken.
inline constexpr int mcp_input_rounds = 20;                // Of one call that needs input again and again.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// Limits of protocol/mcp, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t mcp_page = 100;               // Entries of a list page.
inline constexpr std::size_t mcp_completions = 100;        // Values of an answer, by the protocol.
inline constexpr std::size_t mcp_subscriptions = 1000;     // Subscribed resources of a client.
inline constexpr std::size_t mcp_body_bytes = 16 << 20;    // Bytes of an HTTP request; base64 images are smaller.
inline constexpr std::size_t mcp_http_sessions = 1000;     // Sessions of an endpoint; above it, the longest idle session ends.
inline constexpr auto mcp_http_session_idle = 30min;       // A session ends after this time without a request or open stream.
inline constexpr std::size_t mcp_http_streams = 256;       // Running or unfetched answers of a session.
inline constexpr std::size_t mcp_stream_bytes = 16 << 20;  // Kept messages of a stream for a reconnect.
inline constexpr auto mcp_stream_kept = 60s;               // Time to keep them after the last event.
inline constexpr auto mcp_retry = 500ms;                   // Pause of clients before a reconnect.
inline constexpr auto mcp_longest_retry = 60s;             // Pause of clients after many streams of messages without an event.
inline constexpr int mcp_resumptions = 20;      // Reconnects for an answer in a row without an event before a client gives up.
inline constexpr auto mcp_begin_stream = 1s;    // A longer call is answered as a stream.
inline constexpr auto mcp_call_time = 60s;      // For a server's answer, unless the caller decides otherwise.
inline constexpr auto mcp_end_time = 2s;        // For a server to accept the end of its session.
inline constexpr auto mcp_discover_time = 4s;   // For a server to show its era; the first turn of a chat waits 10 s.
inline constexpr auto mcp_sse_time = 10s;       // For a server in the form of 2024-11-05.
inline constexpr std::size_t mcp_pages = 1000;  // Pages of a list before the server counts as faulty.
inline constexpr int mcp_input_rounds = 20;     // Rounds of a call that requires input repeatedly.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// Limits of ACP, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::acp::limits {

using namespace std::chrono_literals;

// Bytes of a message: the limit of the reference SDK.
inline constexpr std::size_t message_bytes = 32 << 20;
// For initialize, authenticate, session/new and similar: real agents need up to 8 s on a busy machine.
inline constexpr auto request = 60s;
// iFlow sends //ready first. After this time, the client continues.
inline constexpr auto ready = 2s;
// Time for an agent over HTTP or WebSocket to answer the end of the connection.
inline constexpr auto goodbye = 2s;
// A refusal repeats the malformed message up to this length.
inline constexpr std::size_t repeated_bytes = 4 << 10;

// Clients of a connection to a runner: one for each conversation.
inline constexpr std::size_t shared_clients = 1024;
// Concurrent requests of an agent on one connection, all sessions together.
inline constexpr std::size_t shared_asked = 16 << 10;

}  // namespace parlance::acp::limits

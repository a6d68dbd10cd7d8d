// SPDX-License-Identifier: Apache-2.0
// Limits of the editor bridge, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::editor::limits {

using namespace std::chrono_literals;

// One line. A file is a single escaped message.
inline constexpr std::size_t line_bytes = 64 << 20;
// For an answer without a person.
inline constexpr auto request = 10s;
// Problems of getDiagnostics: more than a person reads, and a small answer.
inline constexpr std::size_t diagnostics = 1000;
// Over a socket: interval and time limit of an agent's heartbeats. The editor's process answers without its person.
inline constexpr auto heartbeat = 5s;
inline constexpr auto pulse = 2s;
// Pause between attempts to connect: a reloaded window returns soon, a closed window does not.
inline constexpr auto first_reconnect = 250ms;
inline constexpr auto last_reconnect = 5s;
// Over stdin and stdout, until the other side has proved that it reads lines: time to read a single line.
inline constexpr auto piece = 50ms;
// Over TCP: a client without a message for this time is disconnected.
inline constexpr auto first_line = 10s;
inline constexpr std::size_t connections = 64;  // Programs of one window's terminals.

}  // namespace parlance::editor::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of the editor bridge: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::editor::limits {

using namespace std::chrono_literals;

// One line. A file goes whole in one message, escaped.
inline constexpr std::size_t line_bytes = 64 << 20;
// An answer that no person has to give.
inline constexpr auto request = 10s;
// Of getDiagnostics: more than anybody reads, and an answer stays small.
inline constexpr std::size_t diagnostics = 1000;
// Over a socket: how often an agent asks whether the editor is alive, and how long that may take. Its process answers while a person does not.
inline constexpr auto heartbeat = 5s;
inline constexpr auto pulse = 2s;
// Between two tries to connect: a window that is loaded anew is back soon, one that was closed is not.
inline constexpr auto first_reconnect = 250ms;
inline constexpr auto last_reconnect = 5s;
// Over stdin and stdout, until the other side has shown that it reads lines: how long it may take to read one by itself.
inline constexpr auto piece = 50ms;
// Over TCP: who says nothing for so long is somebody else.
inline constexpr auto first_line = 10s;
inline constexpr std::size_t connections = 64;  // programs of one window's terminals

}  // namespace parlance::editor::limits

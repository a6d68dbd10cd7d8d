// SPDX-License-Identifier: Apache-2.0
// The limits of ACP: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::acp::limits {

using namespace std::chrono_literals;

// One message: what the reference SDK takes.
inline constexpr std::size_t message_bytes = 32 << 20;
// initialize, authenticate, session/new and the like: real agents take up to 8 s to begin on a busy machine.
inline constexpr auto request = 60s;
// iFlow says //ready before it can be talked to; an agent that never does is talked to after this.
inline constexpr auto ready = 2s;
// What an agent over HTTP or WebSocket has to say to our goodbye; then it is left.
inline constexpr auto goodbye = 2s;
// A wrong message comes back in the answer that refuses it, if it is no longer than this.
inline constexpr std::size_t told_back_bytes = 4 << 10;

// Clients of one connection to a runner: a conversation each.
inline constexpr std::size_t shared_clients = 1024;
// What an agent may ask at once over one connection, all sessions together.
inline constexpr std::size_t shared_asked = 16 << 10;

}  // namespace parlance::acp::limits

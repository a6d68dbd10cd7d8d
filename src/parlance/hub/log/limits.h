// SPDX-License-Identifier: Apache-2.0
// The limits of hub/log: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// Pieces of text are joined for so long, or until they are so big, before they become one event: a screen shows 60 pictures a
// second, and a webview takes some 7,000 messages.
inline constexpr auto event_piece_time = 16ms;
inline constexpr std::size_t event_piece_bytes = 4 << 10;
inline constexpr auto store_retry = 2s;  // A full disk or a locked database may pass.

// Read at once of what a machine of a runner is to delete: more is read when these are gone.
inline constexpr std::size_t left_sessions = 256;

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of hub/log: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// Pieces of text are joined for this time or up to this size before they become one event. A screen shows 60 frames a second, and
// a webview accepts some 7,000 messages a second.
inline constexpr auto event_piece_time = 16ms;
inline constexpr std::size_t event_piece_bytes = 4 << 10;
// The longest text of one event; longer texts become several events. A browser reads an event in a single task of some 7 ms for
// each MiB: 2 ms for this size, 55 ms for a text of 8 MiB.
inline constexpr std::size_t event_text_bytes = 256 << 10;
inline constexpr auto store_retry = 2s;  // A full disk or a locked database may pass.

// Sessions per read for a runner to delete; the next read follows their deletion.
inline constexpr std::size_t unused_sessions = 256;

}  // namespace parlance::limits

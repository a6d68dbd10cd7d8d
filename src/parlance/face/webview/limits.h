// SPDX-License-Identifier: Apache-2.0
// The limits of face/webview: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto webview_batch_time = 16ms;                // Pieces of a screen frame leave together.
inline constexpr auto webview_state_time = 100ms;               // Between two messages with the whole state.
inline constexpr std::size_t webview_conversations = 200;       // In the state: a list for a person.
inline constexpr std::size_t webview_history_events = 4000;     // Newest events of the shown conversation.
inline constexpr std::size_t webview_output_bytes = 256 << 10;  // Limit of unsent bytes: beyond, the hub's events wait.
inline constexpr std::size_t webview_files = 50;                // Files per read or prompt, and folders of a workspace.
inline constexpr std::size_t webview_picked_files = 1000;       // Kept picked files, the newest.
inline constexpr std::size_t webview_event_bytes = 256 << 10;   // Of events per read.

}  // namespace parlance::limits

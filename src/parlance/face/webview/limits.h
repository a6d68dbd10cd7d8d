// SPDX-License-Identifier: Apache-2.0
// The limits of face/webview: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto webview_batch_time = 16ms;                // Pieces of one picture of a screen leave together.
inline constexpr auto webview_state_time = 100ms;               // Between two tellings of the state: it is told whole.
inline constexpr std::size_t webview_conversations = 200;       // In the state: a list that a person looks through.
inline constexpr std::size_t webview_history_events = 4000;     // Of the conversation that is shown, the newest.
inline constexpr std::size_t webview_output_bytes = 256 << 10;  // Waiting for the socket before more is taken from the hub.
inline constexpr std::size_t webview_files = 50;                // Read or attached at once, and folders of a workspace.
inline constexpr std::size_t webview_picked_files = 1000;       // Kept of what the person picked, the newest.
inline constexpr std::size_t webview_event_bytes = 256 << 10;   // Of events, taken at once.

}  // namespace parlance::limits

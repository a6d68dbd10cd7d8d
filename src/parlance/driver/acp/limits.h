// SPDX-License-Identifier: Apache-2.0
// The limits of driver/acp: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto acp_prompt_timeout = 60s;  // initialize and session/new of a new program.
inline constexpr auto acp_close_patience = 2s;   // For session/close, before the connection closes anyway.
// In a turn, without an end by the agent; beyond, the driver ends the oldest.
inline constexpr std::size_t acp_open_calls = 4096;
inline constexpr int acp_mode_corrections = 3;    // Per turn: an agent beyond the limit ignores mode changes.
inline constexpr auto acp_history_quiet = 100ms;  // Without an update after session/load: the history is complete.
inline constexpr auto acp_late_history = 3s;      // For the whole history; later updates count as new events.
inline constexpr int acp_follow_ups = 8;          // Per turn: stops a program that rejects every request with feedback.
inline constexpr std::size_t acp_replayed_bytes = 64 << 20;  // Size limit of the history from session/load.

inline constexpr std::size_t runners = 4096;  // Known runners of all users; a name needs little memory.
// … of a team's user; beyond, the runner with the longest disconnect is dropped.
inline constexpr std::size_t runners_of_user = 16;
inline constexpr std::size_t runners_of_machine = 256;       // … of the person of the gateway's machine, in a separate budget.
inline constexpr std::size_t runner_agents = 64;             // Per runner, far above real installations.
inline constexpr std::size_t runner_folders = 64;            // … each costs a check of every path.
inline constexpr std::size_t runner_offer_bytes = 64 << 10;  // The store keeps offers.
inline constexpr auto runner_offer_patience = 30s;           // From the connection to the offer.
inline constexpr std::size_t runner_path_bytes = 4096;       // Of a remote folder or file: the limit of common systems.
// For a file search on the runner, which takes up to 2 s: a person is typing meanwhile.
inline constexpr auto runner_files_patience = 5s;
// Wanted sessions in a message; for more, the message carries only the fact.
inline constexpr std::size_t runner_sessions_sent = 200'000;
inline constexpr auto runner_tended = 1h;  // Period of the list of wanted sessions to a runner, which deletes the others.
inline constexpr std::size_t runner_files_asked = 8;  // … parallel file searches: a typing person needs only the latest answer.
inline constexpr auto runner_goodbye = 2s;            // For a refused runner to read the reason.

}  // namespace parlance::limits

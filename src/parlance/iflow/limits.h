// SPDX-License-Identifier: Apache-2.0
// The limits of iflow: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto iflow_timeout = 30s;                     // The SDK's, for a connection and each request but a prompt.
inline constexpr std::size_t iflow_file_bytes = 10 << 20;      // The SDK's limit for a file read or written by the agent.
inline constexpr auto iflow_question_patience = 300s;          // For a person; then the agent receives an empty answer.
inline constexpr std::size_t iflow_known_calls = 10'000;       // Remembered tool calls of a turn.
inline constexpr std::size_t iflow_queued_messages = 4'096;    // Not yet received; then the agent waits.
inline constexpr std::size_t iflow_history_messages = 10'000;  // Kept frames of the raw stream, the newest,
inline constexpr std::size_t iflow_history_bytes = std::size_t{64} << 20;  // … and no more than this.
inline constexpr std::size_t iflow_attachment_bytes = 20 << 20;            // Of an image or a sound in a message.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of iflow: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto iflow_timeout = 30s;                     // The SDK's, for a connection and each request but a prompt.
inline constexpr std::size_t iflow_file_bytes = 10 << 20;      // The SDK's, of a file that the agent may read or write.
inline constexpr auto iflow_question_patience = 300s;          // For a person; then the agent hears that nothing was answered.
inline constexpr std::size_t iflow_known_calls = 10'000;       // Tool calls of one turn that are remembered.
inline constexpr std::size_t iflow_queued_messages = 4'096;    // Not yet received; then the agent waits.
inline constexpr std::size_t iflow_history_messages = 10'000;  // Of the raw stream that are kept, the newest,
inline constexpr std::size_t iflow_history_bytes = std::size_t{64} << 20;  // … and no more than this.
inline constexpr std::size_t iflow_attachment_bytes = 20 << 20;            // Of an image or a sound that goes with a message.

}  // namespace parlance::limits

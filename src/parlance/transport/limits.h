// SPDX-License-Identifier: Apache-2.0
// Limits of transport, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// A frame of a text dialect. Whole files and base64 images are a single line; the Claude CLI writes lines of 50 MiB.
inline constexpr std::size_t frame_bytes = 64 << 20;
// First read buffer of a connection: small, for ten thousand idle connections.
inline constexpr std::size_t read_buffer_first_bytes = 1 << 10;
// Capacity of a pipe in Linux, and the largest read of a pipe.
inline constexpr std::size_t pipe_bytes = 64 << 10;
// The buffer doubles after full reads. Above 256 KiB, larger reads of a pipe or socket are no faster.
inline constexpr std::size_t read_buffer_most_bytes = 256 << 10;
// Limit of waiting output for a producer of frames: four full pipes of Linux.
inline constexpr std::size_t write_queue_bytes = 256 << 10;
// A peer without progress for this time counts as gone.
inline constexpr auto stall = 120s;
// After this silence of a TCP peer, the system probes at this interval. The peer counts as gone after this number of probes
// without an answer: together `stall`.
inline constexpr auto tcp_silence = 60s;
inline constexpr auto tcp_question_every = 15s;
inline constexpr int tcp_questions = 4;

}  // namespace parlance::limits

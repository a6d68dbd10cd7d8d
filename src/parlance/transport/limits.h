// SPDX-License-Identifier: Apache-2.0
// The limits of transport: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// One frame of any text dialect. Whole files and base64 images travel in one line; the Claude CLI writes lines of 50 MiB.
inline constexpr std::size_t frame_bytes = 64 << 20;
// A connection's first read buffer: small, because ten thousand idle connections keep one each.
inline constexpr std::size_t read_buffer_first_bytes = 1 << 10;
// What a pipe of Linux holds, and a read of one brings at most.
inline constexpr std::size_t pipe_bytes = 64 << 10;
// It doubles while reads fill it. 256 KiB is where larger reads of a pipe or socket stop paying.
inline constexpr std::size_t read_buffer_most_bytes = 256 << 10;
// Bytes waiting to be written at which a producer of frames is made to wait: four full pipes of Linux.
inline constexpr std::size_t write_queue_bytes = 256 << 10;
// A peer that takes nothing for so long while bytes wait for it is gone in all but name.
inline constexpr auto stall = 120s;
// A TCP peer that is silent for so long is asked by the system whether it is there, this often, and is gone after as many questions without
// an answer: together `stall`.
inline constexpr auto tcp_silence = 60s;
inline constexpr auto tcp_question_every = 15s;
inline constexpr int tcp_questions = 4;

}  // namespace parlance::limits

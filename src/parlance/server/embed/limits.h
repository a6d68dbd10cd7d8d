// SPDX-License-Identifier: Apache-2.0
// The limits of server/embed: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t embed_texts = 2048;              // Of a request to our service: OpenAI's limit.
inline constexpr std::size_t embed_request_bytes = 16 << 20;  // Its body; 2048 texts of 8 KiB.
inline constexpr std::size_t embed_call_texts = 256;  // Joined into a call of the embedder: about 13 ms of the built-in embedder,
inline constexpr std::size_t embed_call_bytes = 256 << 10;    // … the waiting time of a request that arrives meanwhile.
inline constexpr std::size_t embed_waiting_bytes = 64 << 20;  // Of texts in the queue; above: overloaded.
inline constexpr std::size_t embed_dimension = 1 << 16;       // Of a vector from elsewhere; the largest known model has 12,288.
// The size of a request to another service: small, because some services count a request's tokens and some accept at most 32
// texts.
inline constexpr std::size_t embed_backend_texts = 32;
inline constexpr std::size_t embed_backend_bytes = 64 << 10;
inline constexpr std::size_t embed_backend_requests = 4;      // At the same time: llama.cpp's server has four places.
inline constexpr std::size_t embed_shortest_cut_bytes = 256;  // A text too long for a model is halved down to this size.
inline constexpr int embed_attempts = 4;                      // With the waits below: about 2 s of trouble are bridged.
inline constexpr auto embed_retry_first = 250ms;              // Doubles, with a random half.
inline constexpr auto embed_retry_most = 5s;
inline constexpr auto embed_retry_after_most = 30s;  // A longer requested wait is an error.

}  // namespace parlance::limits

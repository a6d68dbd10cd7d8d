// SPDX-License-Identifier: Apache-2.0
// The limits of server/embed: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t embed_texts = 2048;              // Of one request to our service: what OpenAI's API takes.
inline constexpr std::size_t embed_request_bytes = 16 << 20;  // Its body; 2048 texts of 8 KiB.
inline constexpr std::size_t embed_call_texts = 256;  // Joined into one call of the embedder: about 13 ms of the built-in one,
inline constexpr std::size_t embed_call_bytes = 256 << 10;    // … which is what a request that comes meanwhile waits.
inline constexpr std::size_t embed_waiting_bytes = 64 << 20;  // Of texts that wait for the embedder; above it: overloaded.
inline constexpr std::size_t embed_dimension = 1 << 16;       // Of a vector from elsewhere; the largest known model has 12,288.
// What is sent to another service at once: small, because some count a request's tokens and some take 32 texts at most.
inline constexpr std::size_t embed_backend_texts = 32;
inline constexpr std::size_t embed_backend_bytes = 64 << 10;
inline constexpr std::size_t embed_backend_requests = 4;      // At the same time: llama.cpp's server has four places.
inline constexpr std::size_t embed_shortest_cut_bytes = 256;  // A text that is too long for a model is halved down to this.
inline constexpr int embed_attempts = 4;                      // With the waits below: about 2 s of trouble are bridged.
inline constexpr auto embed_retry_first = 250ms;              // Doubles, half of it random.
inline constexpr auto embed_retry_most = 5s;
inline constexpr auto embed_retry_after_most = 30s;  // A service that asks for more is an error now.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// Limits of model, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto model_connect = 10s;
inline constexpr auto model_idle = 300s;          // Reasoning models are silent for minutes before their first byte.
inline constexpr auto model_total = 3600s;        // An answer with all attempts; the longest known reasoning takes half of this.
inline constexpr int model_attempts = 5;          // Attempts. With the pauses below, about 8 s of failures are bridged.
inline constexpr auto model_retry_first = 500ms;  // Doubles, half random, to spread the clients.
inline constexpr auto model_retry_most = 30s;
// A longer pause requested by a server is an error at once: a person should know.
inline constexpr auto model_retry_after_most = 120s;
// Bytes of text, reasoning and arguments; real answers have less than 1 MiB.
inline constexpr std::size_t model_answer_bytes = 32 << 20;
inline constexpr std::size_t model_answer_calls = 256;  // Tool calls of an answer.

}  // namespace parlance::limits

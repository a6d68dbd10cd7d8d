// SPDX-License-Identifier: Apache-2.0
// Limits of model, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto model_connect = 10s;
inline constexpr auto model_silence = 15s;        // Without a byte; a notice to the person follows.
inline constexpr auto model_idle = 300s;          // Reasoning models stay silent for minutes before their first byte.
inline constexpr auto model_total = 3600s;        // One answer with all attempts; the longest known reasoning takes 1800 s.
inline constexpr int model_attempts = 5;          // With the waits below: about 8 s of trouble are bridged.
inline constexpr auto model_retry_first = 500ms;  // Doubles; half random, to spread clients.
inline constexpr auto model_retry_most = 30s;
// A longer pause requested by a server is an error at once: a person should know.
inline constexpr auto model_retry_after_most = 120s;
// Bytes of text, reasoning and arguments; real answers have less than 1 MiB.
inline constexpr std::size_t model_answer_bytes = 32 << 20;
inline constexpr std::size_t model_answer_calls = 256;  // Tool calls of an answer.

}  // namespace parlance::limits

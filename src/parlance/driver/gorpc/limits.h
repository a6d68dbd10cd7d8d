// SPDX-License-Identifier: Apache-2.0
// The limits of driver/gorpc: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto agent_wait = 20s;  // Same as the deployed gateway.
inline constexpr auto chat_kept = 120s;  // Far above the time of a hanging, killed and restarted gateway.
inline constexpr int chat_repeats = 3;   // Per answer, after deaths of the agent: the answer may be the cause.
inline constexpr std::uint32_t tool_rounds =
    100;  // Large tasks need dozens; beyond, a person decides whether the model repeats itself.
// Newest pictures of tools in a request; APIs shrink or refuse more than 20. Older pictures are dropped in steps, because each
// step invalidates the model's cache behind it.
inline constexpr std::size_t tool_pictures = 20;
inline constexpr std::size_t tool_pictures_step = 10;
inline constexpr int cut_answers = 3;       // In a row: a model does not recover after two notices.
inline constexpr auto agent_retry = 300ms;  // … pause between attempts; a watch on the socket's folder wakes earlier.

}  // namespace parlance::limits

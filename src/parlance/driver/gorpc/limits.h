// SPDX-License-Identifier: Apache-2.0
// The limits of driver/gorpc: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto agent_wait = 20s;  // The deployed gateway waits as long.
inline constexpr auto chat_kept = 120s;  // What a gateway takes that is hanging, killed and started again, and much more.
inline constexpr int chat_repeats = 3;   // Of one answer, at an agent that died over it: it may be the answer that kills it.
inline constexpr std::uint32_t tool_rounds =
    100;  // Large tasks need dozens; a person decides whether a model that needs more goes in circles.
// Pictures of tools in a request, the newest; APIs shrink or refuse more than 20. Older pictures leave in steps, because each step costs
// the model's cache of everything behind it.
inline constexpr std::size_t tool_pictures = 20;
inline constexpr std::size_t tool_pictures_step = 10;
inline constexpr int cut_answers = 3;       // In a row: a model that was told twice does not get it done.
inline constexpr auto agent_retry = 300ms;  // … and tries as often; a watch on the socket's folder wakes us sooner.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// Two clocks: a monotonic clock for deadlines, and the wall clock for times that people read. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlance {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;
using WallClock = std::chrono::system_clock;
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

inline constexpr TimePoint never = TimePoint::max();  // As a deadline: no limit.

inline WallTime wall_now() { return std::chrono::floor<std::chrono::milliseconds>(WallClock::now()); }

// "2026-03-01T09:30:00.125Z": UTC, milliseconds.
std::string to_rfc3339(WallClock::time_point time);
// Reads RFC 3339 with any number of fraction digits, and Z or an offset. No value: the text has another form.
std::optional<WallTime> from_rfc3339(std::string_view text);

}  // namespace parlance

// The limits of the editor bridge: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::editor::limits {

using namespace std::chrono_literals;

// One line. A file goes whole in one message, escaped.
inline constexpr std::size_t line_bytes = 64 << 20;
// An answer that no person has to give.
inline constexpr auto request = 10s;

}  // namespace parlance::editor::limits

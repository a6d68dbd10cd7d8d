// The limits of driver/acp: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto acp_prompt_timeout = 60s;              // initialize and session/new of a program that had to be started.
inline constexpr auto acp_close_patience = 2s;               // For session/close, before the connection goes in any case.
inline constexpr std::size_t acp_open_calls = 4096;          // Of one turn, that the agent never ended; the oldest are closed.
inline constexpr std::size_t acp_replayed_bytes = 64 << 20;  // What a session/load may tell again.

}  // namespace parlance::limits

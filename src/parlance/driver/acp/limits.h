// SPDX-License-Identifier: Apache-2.0
// The limits of driver/acp: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto acp_prompt_timeout = 60s;      // initialize and session/new of a program that had to be started.
inline constexpr auto acp_close_patience = 2s;       // For session/close, before the connection goes in any case.
inline constexpr std::size_t acp_open_calls = 4096;  // Of one turn, that the agent never ended; the oldest are closed.
inline constexpr int acp_mode_corrections = 3;       // In one turn: more is an agent that does not listen.
inline constexpr auto acp_history_quiet = 100ms;     // Without an update after session/load: the history is complete.
inline constexpr auto acp_late_history = 3s;         // For all of it; an agent that goes on after that tells news.
inline constexpr int acp_follow_ups = 8;             // In one turn: a program that rejects everything with words ends here.
inline constexpr std::size_t acp_replayed_bytes = 64 << 20;  // What a session/load may tell again.

inline constexpr std::size_t runners = 4096;        // Known at once, of everybody; a name costs little.
inline constexpr std::size_t runners_of_user = 16;  // … of one user of a team; for more, the one that is gone the longest goes.
inline constexpr std::size_t runners_of_machine =
    256;                                           // … of the person of the gateway's machine, who has nobody to take them from.
inline constexpr std::size_t runner_agents = 64;   // Of one runner: nobody has more programs.
inline constexpr std::size_t runner_folders = 64;  // … each costs a look at every path.
inline constexpr std::size_t runner_offer_bytes = 64 << 10;  // It is kept in the store.
inline constexpr auto runner_offer_patience = 30s;           // From the connection to its offer.
inline constexpr std::size_t runner_path_bytes = 4096;       // Of a folder or file there: no system takes longer ones.
inline constexpr auto runner_files_patience = 5s;  // For files of its machine, which looks for 2 s: a person types meanwhile.
inline constexpr std::size_t runner_sessions_told = 200'000;  // Wanted ones in one message: of more it is said that there are.
inline constexpr auto runner_tended = 1h;                     // How often a runner hears which are, and deletes what was missed.
inline constexpr std::size_t runner_files_asked = 8;          // … and at once: who types on wants the last answer only.
inline constexpr auto runner_goodbye = 2s;                    // For one that is let go, to read why.

}  // namespace parlance::limits

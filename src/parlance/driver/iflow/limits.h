// SPDX-License-Identifier: Apache-2.0
// The limits of driver/iflow: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// ---- discovery
inline constexpr std::size_t iflow_wrapper_bytes = 64 << 10;       // Wrappers have some 400; what is larger is another program.
inline constexpr auto iflow_shell_patience = 5s;                   // A login shell reads files of the person's own.
inline constexpr std::size_t iflow_shell_output_bytes = 64 << 10;  // … which may print as they like.
inline constexpr auto iflow_version_patience = 10s;                // `iflow --version` loads all of the program.

// ---- the process
inline constexpr unsigned short iflow_port = 8090;         // Where iFlow and its SDK look first.
inline constexpr unsigned short iflow_ports = 100;         // Tried from there on.
inline constexpr auto iflow_probe_delay = 500ms;           // Before the first probe: it takes longer to start in any case.
inline constexpr auto iflow_probe_interval = 300ms;        // Between two probes.
inline constexpr int iflow_probes = 20;                    // Then it is left to the connection itself.
inline constexpr auto iflow_probe_patience = 2s;           // For one probe.
inline constexpr auto iflow_start_patience = 30s;          // For the whole start.
inline constexpr auto iflow_term_grace = 5s;               // After SIGTERM, before SIGKILL.
inline constexpr std::size_t iflow_output_line = 8 << 10;  // Of a line of its output that is looked at.

// ---- availability
inline constexpr auto iflow_available_for = 2min;   // That it is there is believed for so long,
inline constexpr auto iflow_unavailable_for = 15s;  // that it is not only until somebody may have installed it.

inline constexpr std::size_t iflow_settings_bytes = 1 << 20;  // A settings.json that is larger is none.

}  // namespace parlance::limits

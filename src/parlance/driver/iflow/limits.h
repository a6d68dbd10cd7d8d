// SPDX-License-Identifier: Apache-2.0
// The limits of driver/iflow: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// ---- discovery
inline constexpr std::size_t iflow_wrapper_bytes = 64 << 10;  // Wrappers have some 400 bytes; a larger file is another program.
inline constexpr auto iflow_shell_patience = 5s;              // A login shell reads the person's own files.
inline constexpr std::size_t iflow_shell_output_bytes = 64 << 10;  // … with arbitrary output.
inline constexpr auto iflow_version_patience = 10s;                // `iflow --version` loads the whole program.

// ---- the process
inline constexpr unsigned short iflow_port = 8090;         // The default port of iFlow and its SDK.
inline constexpr unsigned short iflow_ports = 100;         // Attempts from this port on.
inline constexpr auto iflow_probe_delay = 500ms;           // Before the first probe: every start takes longer.
inline constexpr auto iflow_probe_interval = 300ms;        // Between two probes.
inline constexpr int iflow_probes = 20;                    // Afterwards the connection itself decides.
inline constexpr auto iflow_probe_patience = 2s;           // For a probe.
inline constexpr auto iflow_start_patience = 30s;          // For the whole start.
inline constexpr auto iflow_term_grace = 5s;               // After SIGTERM, before SIGKILL.
inline constexpr std::size_t iflow_output_line = 8 << 10;  // Inspected length of an output line.

// ---- availability
inline constexpr auto iflow_available_for = 2min;   // Cache time of a found iFlow,
inline constexpr auto iflow_unavailable_for = 15s;  // and of a missing iFlow: a person may install it.

inline constexpr std::size_t iflow_settings_bytes = 1 << 20;  // A larger file is no settings.json.

}  // namespace parlance::limits

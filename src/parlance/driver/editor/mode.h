// SPDX-License-Identifier: Apache-2.0
// Whether an editor started this program (by the environment), and an interface for programs without a loop. Any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "parlance/driver/editor/bridge_client.h"

namespace parlance::driver {

// VSCODE_INTEGRATION is `true`, case-insensitive. Otherwise: mock mode.
bool is_vscode_mode();

// Messages on stderr at the begin of the bridge, and for a missing answer; Chinese for a Chinese locale in the environment, else
// English.
std::string_view started_notice();
std::string_view no_response_notice();

// Prints lines on stderr if DEBUG_AGENT is set and not empty; otherwise an empty function.
std::function<void(std::string_view)> debug_lines();
bool debug_contents();  // DEBUG_AGENT is 2: with parameters and results

// The client of this process over stdin and stdout, which belong to the client after the first call. For external programs;
// parlance's own programs get their client as an argument. At a terminal and outside integration mode the client uses the
// announced window's socket. Errors: invalid_request without a window; those of announced_window().
Result<BridgeClient*> get_client();

// get_client with a request. A missing answer (is_no_response) is reported on stderr too.
Result<std::string> send_vscode_request(std::string method, std::string params_json = "{}",
                                        std::chrono::milliseconds timeout = editor::limits::request);

}  // namespace parlance::driver

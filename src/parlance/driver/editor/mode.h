// SPDX-License-Identifier: Apache-2.0
// Whether an editor has started us, as the environment says; and what programs that do without a loop call. Any thread.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "parlance/driver/editor/bridge_client.h"

namespace parlance::driver {

// VSCODE_INTEGRATION is `true`, in any case of its letters. Anything else: mock mode.
bool is_vscode_mode();

// What is said on stderr when the bridge begins, and when the editor gave no answer; Chinese where the environment names a Chinese
// locale, else English.
std::string_view started_notice();
std::string_view no_response_notice();

// Lines on stderr when DEBUG_AGENT is set and not empty; otherwise an empty function.
std::function<void(std::string_view)> debug_lines();
bool debug_contents();  // DEBUG_AGENT is 2: those lines tell parameters and results as well

// The one client of this process, over stdin and stdout, which belong to it from the first call on. For programs that were written against
// one; our own are handed theirs. At a terminal, which cannot carry the bridge, and outside integration mode it is over the socket of the
// window that is announced. Errors: invalid_request where none is; those of announced_window().
Result<BridgeClient*> get_client();

// get_client, and a request of it. Where the editor gives no answer (is_no_response), that is said on stderr, too.
Result<std::string> send_vscode_request(std::string method, std::string params_json = "{}",
                                        std::chrono::milliseconds timeout = editor::limits::request);

}  // namespace parlance::driver

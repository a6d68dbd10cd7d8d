// SPDX-License-Identifier: Apache-2.0
// A program's actions after its start: the file for scripts, the browser for people.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

// The file contains the token: private, even in a folder writable for everybody. A reader never sees a partial file.
Result<void> write_ready_file(const std::string& path, const std::string& text);
// Before the start: removes an earlier run's file, which would announce readiness at a dead address, and fails if no file can be
// written there. "": no file.
Result<void> prepare_ready_file(const std::string& path);

// A page's address in the form for `descriptor`: complete at a terminal. A log has more readers than a token may have (all
// administrators read a journal). So elsewhere the part behind '#' is omitted, with a note about the token's location: kept in
// `state_folder`, or given.
std::string for_readers(const std::string& page_url, int descriptor, const std::string& state_folder);

// Opens the address in the person's browser and returns at once. Every account of the machine can read a command line, so the browser
// receives a page in HOME with mode 0600 that leads to the address. A shell removes the page after a minute. A failure is logged.
void open_in_browser(const std::string& url);

}  // namespace parlance::app

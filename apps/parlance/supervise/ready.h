// SPDX-License-Identifier: Apache-2.0
// What a program does once everything is ready, besides saying so: the file for scripts, the browser for people.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

// It holds the token: for our eyes alone, also in a folder that everybody writes to. Whoever sees the file sees all of it.
Result<void> write_ready_file(const std::string& path, const std::string& text);
// One that an earlier run left would tell whoever waits for it that all is ready, at an address where nobody is. "": nothing to do.
Result<void> remove_ready_file(const std::string& path);

// A page's address as it may be printed at `descriptor`: whole at a terminal. A log has more readers than a token may have (a journal that of
// all administrators), so anywhere else what stands behind '#' is left out, and it is said where the token is: kept in `state_folder`, or given.
std::string for_readers(const std::string& page_url, int descriptor, const std::string& state_folder);

// Opens the address in the person's browser and returns at once. Every account of the machine can read a command line, so the browser
// receives a page in HOME with mode 0600 that leads to the address. A shell removes the page after a minute. A failure is logged.
void open_in_browser(const std::string& url);

}  // namespace parlance::app

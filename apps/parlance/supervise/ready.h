// What a program does once everything is ready, besides saying so: the file for scripts, the browser for people.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

// It holds the token: for our eyes alone, also in a folder that everybody writes to. Whoever sees the file sees all of it.
Result<void> write_ready_file(const std::string& path, const std::string& text);
// One that an earlier run left would tell whoever waits for it that all is ready, at an address where nobody is. "": nothing to do.
Result<void> remove_ready_file(const std::string& path);

// Returns at once; that it fails is no reason to end.
void open_in_browser(const std::string& url);

}  // namespace parlance::app

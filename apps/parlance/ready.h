// What a program does once everything is ready, besides saying so: the file for scripts, the browser for people.
#pragma once

#include <string>

#include "base/result.h"

namespace parlance::app {

// Written beside it first and then renamed, mode 0600 (it holds the token): whoever sees the file sees all of it.
Result<void> write_ready_file(const std::string& path, const std::string& text);

// Returns at once; that it fails is no reason to end.
void open_in_browser(const std::string& url);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The message after an unknown command: one sentence, a suggestion, never a value (possibly a key).
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace parlance::app {

// `parlance` alone: an overview in twenty lines with working commands.
void print_first_help();

// Prints the message on stderr, or the requested help, and returns the exit code.
int report_usage(CLI::App& app, const CLI::ParseError& error);

}  // namespace parlance::app

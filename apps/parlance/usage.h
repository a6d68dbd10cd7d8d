// SPDX-License-Identifier: Apache-2.0
// What a person is told who typed something that is no command: one sentence, what was meant, never a value (which may be a key).
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace parlance::app {

// `parlance` alone: what it can do, in twenty lines that work when they are typed.
void print_first_help();

// Tells it on stderr, or prints the help that was asked for, and returns the exit code.
int tell_usage(CLI::App& app, const CLI::ParseError& error);

}  // namespace parlance::app

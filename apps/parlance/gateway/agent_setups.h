// SPDX-License-Identifier: Apache-2.0
// Commands for known agents that lack an installation or a sign-in on this machine. A sign-in counts as present if a file of
// credentials exists or a variable with a key is set. No file is opened, and no value is read. Agents with a key ring may have a
// sign-in without such a file, so the result is advice. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/setup_messages.h"

namespace parlance::app {

// The machine, replaceable in tests.
struct SetupMachine {
  std::function<bool(std::string_view program)> has_program{};  // on PATH
  std::function<bool(std::string_view name)> has_variable{};    // set and not empty
  std::function<bool(const std::string& path)> has_file{};      // path below the home folder, without "~/"
};
SetupMachine this_machine(std::string home);

// `own_claude`: a setting names the program of Claude Code, so that it needs no advice.
std::vector<page::AgentSetup> agent_setups(const SetupMachine& machine, bool own_claude);

}  // namespace parlance::app

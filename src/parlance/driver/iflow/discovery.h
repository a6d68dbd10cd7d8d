// SPDX-License-Identifier: Apache-2.0
// Where iFlow is installed on this machine, on Unix: its program, the JavaScript file behind that, and the Node that runs it.
// Nothing here fails: what is not found is absent, and why is told. (The rules of Windows: wrapper.h.) Loop thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/async/loop.h"

namespace parlance::driver {

// What of the machine is looked at; tests make their own.
struct Surroundings {
  std::string path{};   // PATH
  std::string shell{};  // the person's login shell; empty: none is asked
  std::string home{};
  static Surroundings of_this_process();
};

using Told = std::function<void(std::string_view reason)>;
// To the log, as information.
Told told_to_log();

// As it was found, before any link is followed: in PATH; else as the login shell finds it, which knows of nvm, fnm and volta; else in the
// folders of iFlow's own SDK.
Task<std::optional<std::string>> find_iflow(Loop& loop, Surroundings place, Told told);

// The file that Node is to run: where the program's links lead, or what the wrapper there starts. Blocks for a moment.
std::optional<std::string> script_of_iflow(const std::string& program, const Told& told);

// Beside the program; in the `bin` above its real place; in PATH.
std::optional<std::string> node_of_iflow(const std::string& program, const Surroundings& place, const Told& told);

struct FoundIflow {
  std::string program{};
  std::string node{};    // empty: the program is started itself
  std::string script{};  // the same
};
// All three in one. With a script but without Node, or the other way round, the program stands alone.
Task<std::optional<FoundIflow>> discover_iflow(Loop& loop, Surroundings place, Told told);
// The same of a program that a person named, by its path or a name in PATH.
Task<std::optional<FoundIflow>> look_at_iflow(std::string program, Surroundings place, Told told);

// What `--version` says, or empty.
Task<std::string> version_of_iflow(Loop& loop, FoundIflow found, Told told);

}  // namespace parlance::driver

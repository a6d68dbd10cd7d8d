// SPDX-License-Identifier: Apache-2.0
// Finds iFlow on this Unix machine: its program, the JavaScript file behind it, and the Node for this file. No function fails: a
// missing part is absent, with a logged reason. (The rules of Windows: wrapper.h.) Loop thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/async/loop.h"

namespace parlance::driver {

// The inspected parts of the machine; tests use their own.
struct Surroundings {
  std::string path{};   // PATH
  std::string shell{};  // the person's login shell; empty: not used
  std::string home{};
  static Surroundings of_this_process();
};

using Reporter = std::function<void(std::string_view reason)>;
// To the log, as information.
Reporter report_to_log();

// The program before any link is followed. Order: PATH; the login shell, which knows nvm, fnm and volta; the folders of iFlow's
// SDK.
Task<std::optional<std::string>> find_iflow(Loop& loop, Surroundings place, Reporter report);

// The file for Node: the target of the program's links, or the entry of its wrapper. Blocks briefly.
std::optional<std::string> script_of_iflow(const std::string& program, const Reporter& report);

// Order: beside the program; in the `bin` above its resolved path; in PATH.
std::optional<std::string> node_of_iflow(const std::string& program, const Surroundings& place, const Reporter& report);

struct FoundIflow {
  std::string program{};
  std::string node{};    // empty: start the program itself
  std::string script{};  // empty likewise
};
// All three. If only script or only Node is found, the program runs by itself.
Task<std::optional<FoundIflow>> discover_iflow(Loop& loop, Surroundings place, Reporter report);
// The same for a named program: its path, or a name in PATH.
Task<std::optional<FoundIflow>> look_at_iflow(std::string program, Surroundings place, Reporter report);

// The output of `--version`, or empty.
Task<std::string> version_of_iflow(Loop& loop, FoundIflow found, Reporter report);

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// The scripts of a folder that a command runs, as one digest. A person reads a command such as `./deploy.sh`, not the script. The digest is
// taken with the question and again before the run, so that a changed script is asked about again. Blocking; any thread.
#pragma once

#include <string>

namespace parlance::toolbox {

// Covers each part of a list or pipe: a first word that leads into `folder`, and the file that a known interpreter is given. "": no script.
// Not covered: what a script includes or starts itself, and build files such as a Makefile.
std::string script_digest(const std::string& folder, const std::string& command);

}  // namespace parlance::toolbox

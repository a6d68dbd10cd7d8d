// SPDX-License-Identifier: Apache-2.0
// A digest of the folder's scripts in a command. A person reads a command such as `./deploy.sh`, not the script. The digest is
// computed with the question and again before the run, and a changed script needs a new question. Blocking; any thread.
#pragma once

#include <string>

namespace parlance::toolbox {

// Covers each part of a list or pipe: a first word inside `folder`, and the file argument of a known interpreter. Empty: no
// script. Not covered: files included or started by a script, and build files such as a Makefile.
std::string script_digest(const std::string& folder, const std::string& command);

}  // namespace parlance::toolbox

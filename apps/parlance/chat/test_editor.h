// SPDX-License-Identifier: Apache-2.0
// /testvs: what of the editor works, by trying it. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::app {

struct EditorCheck {
  std::string what{};
  bool passed = false;
  std::string detail{};  // what came, or why nothing did
};

// Six checks. Nothing of the person's is changed: the diff and the change that it tries leave the active file as it is.
Task<std::vector<EditorCheck>> check_editor(hub::Editor& editor);

std::string check_table(const std::vector<EditorCheck>& checks, bool real);

}  // namespace parlance::app

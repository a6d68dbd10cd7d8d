// SPDX-License-Identifier: Apache-2.0
// /testvs: tries the functions of the editor and reports the working ones. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::app {

struct EditorCheck {
  std::string what{};
  bool passed = false;
  std::string detail{};  // the received value, or the reason of the failure
};

// Six checks. The shown diff and the applied change do not change the active file.
Task<std::vector<EditorCheck>> check_editor(hub::Editor& editor);

std::string check_table(const std::vector<EditorCheck>& checks, bool real);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The window of the editor in whose terminal a command was started, for commands that serve it to others. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/driver/editor/window_link.h"

namespace parlance::app {

class NearWindow {
 public:
  // Errors: invalid_params when no window is announced; those of announced_window().
  static Result<std::unique_ptr<NearWindow>> find(Loop& loop, driver::EditorEars ears, std::function<void()> connected = {});

  Task<Result<void>> begin();  // it has been reached once; when it goes, it is looked for again and again
  Task<void> look();           // the same, where it may also come later
  hub::Editor& editor() { return link_.editor(); }
  Task<std::vector<std::string>> folders();  // that are open in it; none when it does not say

 private:
  NearWindow(Loop& loop, driver::WindowSettings settings);

  driver::WindowLink link_;
  Scope scope_;
};

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The editor's window around a command's terminal, for commands that pass the window on to other programs. Loop thread only.
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
  // Errors: invalid_params without an announced window; the errors of announced_window().
  static Result<std::unique_ptr<NearWindow>> find(Loop& loop, driver::EditorHandlers handlers,
                                                  std::function<void()> connected = {});

  Task<Result<void>> begin();  // returns after the first connection; later searches again after a loss
  Task<void> look();           // the same, but accepts a later window
  hub::Editor& editor() { return link_.editor(); }
  Task<std::vector<std::string>> folders();  // the open folders; none if unreported

 private:
  NearWindow(Loop& loop, driver::WindowSettings settings);

  driver::WindowLink link_;
  Scope scope_;
};

}  // namespace parlance::app

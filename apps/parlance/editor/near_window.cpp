// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/editor/near_window.h"

#include <utility>

namespace parlance::app {

NearWindow::NearWindow(Loop& loop, driver::WindowSettings settings) : link_(loop, std::move(settings)), scope_(loop) {}

Result<std::unique_ptr<NearWindow>> NearWindow::find(Loop& loop, driver::EditorHandlers handlers,
                                                     std::function<void()> connected) {
  PARLANCE_TRY(announced, driver::announced_window());
  if (!announced)
    return fail(
        Errc::invalid_params,
        "PARLANCE_EDITOR_SOCKET is not set: start this in a terminal of the editor's window, or set what parlance rehearse "
        "editor --listen unix prints");
  return std::unique_ptr<NearWindow>(new NearWindow(loop, {.address = *std::move(announced),
                                                           .ours = {.name = "parlance editor", .version = PARLANCE_VERSION},
                                                           .handlers = std::move(handlers),
                                                           .connected = std::move(connected)}));
}

Task<void> NearWindow::look() {
  scope_.start(link_.run());
  co_await link_.tried();
}

Task<Result<void>> NearWindow::begin() {
  co_await look();
  if (link_.peer() == nullptr) co_return std::unexpected(link_.why_not().in("the editor's window"));
  co_return Result<void>{};
}

Task<std::vector<std::string>> NearWindow::folders() {
  std::vector<std::string> paths;
  if (const auto all = co_await editor().workspace_folders())
    for (const hub::editor::Folder& folder : all->folders) paths.push_back(folder.path);
  if (paths.empty())
    if (auto first = co_await editor().workspace_folder()) paths.push_back(*std::move(first));
  co_return paths;
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/editor_window.h"

#include <cstdio>
#include <string>
#include <utility>

#include "apps/parlance/chat/in_front.h"
#include "parlance/driver/editor/mode.h"

namespace parlance::app {

EditorWindow::EditorWindow(Loop& loop, driver::WindowAddress address)
    : address_(address.socket),
      link_(loop, {.address = std::move(address),
                   .ours = {.name = "parlance chat", .version = PARLANCE_VERSION},
                   .handlers = {.context = [this](const editor::ContextChanged& now) { context_ = now; },
                                .mentioned =
                                    [this](const editor::AtMentioned& lines) {
                                      if (mentioned_) mentioned_(lines);
                                    },
                                .diagnose = driver::debug_lines(),
                                .contents = driver::debug_contents()},
                   .connected = [this] { context_.reset(); }}),
      scope_(loop) {}

Task<void> EditorWindow::begin() {
  scope_.start(link_.run());
  // A window that hangs is not waited for: a person wants to begin.
  const auto tried = [](driver::WindowLink& link) -> Task<Result<void>> {
    co_await link.tried();
    co_return Result<void>{};
  };
  Loop& loop = scope_.loop();
  static_cast<void>(co_await with_deadline(loop, loop.now() + editor::limits::pulse, tried(link_)));
  const std::string said = link_.peer() != nullptr ? std::string(driver::started_notice())
                                                   : "The editor's window is not there (" + link_.why_not().message +
                                                         "); it is looked for again and again.";
  std::fprintf(stderr, "%s\n", said.c_str());
}

void EditorWindow::join(ChatPlace& place) {
  place.editor = &link_.editor();
  place.context = [this] { return in_front(context(), link_.editor()); };
  place.status = [this](editor::Status now) { link_.send_status(std::move(now)); };
}

}  // namespace parlance::app

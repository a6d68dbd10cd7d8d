// SPDX-License-Identifier: Apache-2.0
// The editor's window around a chat's terminal: stdin and stdout belong to the person, and the editor is reached over its socket.
// Loop thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "apps/parlance/chat/chat.h"
#include "parlance/async/scope.h"
#include "parlance/driver/editor/window_link.h"

namespace parlance::app {

class EditorWindow {
 public:
  EditorWindow(Loop& loop, driver::WindowAddress address);

  Task<void> begin();           // reports on stderr whether the window was found; searches again after a failure
  void join(ChatPlace& place);  // adds the editor to the chat
  void on_mention(std::function<void(const editor::AtMentioned&)> handler) { mentioned_ = std::move(handler); }

 private:
  const editor::ContextChanged* context() const { return link_.peer() != nullptr && context_ ? &*context_ : nullptr; }

  std::optional<editor::ContextChanged> context_{};
  std::function<void(const editor::AtMentioned&)> mentioned_{};
  std::string address_;
  driver::WindowLink link_;
  Scope scope_;
};

}  // namespace parlance::app

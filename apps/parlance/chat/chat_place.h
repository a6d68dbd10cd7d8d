// SPDX-License-Identifier: Apache-2.0
// The place of a chat: the person's input and output, and the editor beside them. Loop thread only.
#pragma once

#include <functional>
#include <vector>

#include "apps/parlance/terminal/console.h"
#include "apps/parlance/terminal/paper.h"
#include "parlance/async/task.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/notices.h"

namespace parlance::app {

// All referenced objects outlive the chat.
struct ChatPlace {
  Console& console;
  Paper& paper;
  hub::Editor* editor = nullptr;  // a real editor
  // The context of a prompt; empty: none.
  std::function<Task<std::vector<hub::PromptContext>>()> context{};
  std::function<void(editor::Status now)> status{};  // the agent's activity has changed
  bool prompts = true;                               // shows a prompt before each input
};

}  // namespace parlance::app

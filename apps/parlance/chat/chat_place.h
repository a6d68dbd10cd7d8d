// SPDX-License-Identifier: Apache-2.0
// Where a chat takes place: what the person types with and reads from, and the editor beside them. Loop thread only.
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

// What it points to outlives the chat.
struct ChatPlace {
  Console& console;
  Paper& paper;
  hub::Editor* editor = nullptr;  // a real one
  // What goes along with a prompt; empty: nothing.
  std::function<Task<std::vector<hub::PromptContext>>()> context{};
  std::function<void(editor::Status now)> status{};  // what the agent does has changed
  bool prompts = true;                               // it is shown that we listen
};

}  // namespace parlance::app

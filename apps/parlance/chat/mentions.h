// SPDX-License-Identifier: Apache-2.0
// What the person of an editor pointed at for the conversation (atMentioned): it goes along with the next prompt, once. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/notices.h"

namespace parlance::app {

class Mentions {
 public:
  // In words: "main.cpp:3-5". Of more than a prompt takes the oldest goes.
  std::string add(const editor::AtMentioned& lines);
  // What waits, with its lines as the editor has them now, and behind it what of `context` is not among it. Nothing waits any more.
  Task<std::vector<hub::PromptContext>> before(std::vector<hub::PromptContext> context, hub::Editor& editor);

 private:
  std::vector<hub::PromptContext> waiting_;
};

}  // namespace parlance::app

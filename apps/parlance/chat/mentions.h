// SPDX-License-Identifier: Apache-2.0
// Parts of files that the person mentioned in an editor (atMentioned): sent once, with the next prompt. Loop thread only.
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
  // Returns the lines in words: "main.cpp:3-5". Above the limit of a prompt, the oldest mention is dropped.
  std::string add(const editor::AtMentioned& lines);
  // The waiting mentions with the editor's current lines, followed by the other entries of `context`. Empties the list.
  Task<std::vector<hub::PromptContext>> before(std::vector<hub::PromptContext> context, hub::Editor& editor);

 private:
  std::vector<hub::PromptContext> waiting_;
};

}  // namespace parlance::app

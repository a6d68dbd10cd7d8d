// SPDX-License-Identifier: Apache-2.0
// What is in front of a person in their editor, which goes along with a prompt: the lines that are selected, else the file that is open.
// Loop thread only.
#pragma once

#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/notices.h"

namespace parlance::app {

// `told`: by the editor, last; null: one that does not tell by itself is asked.
Task<std::vector<hub::PromptContext>> in_front(const editor::ContextChanged* told, hub::Editor& editor);

}  // namespace parlance::app

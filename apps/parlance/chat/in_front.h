// SPDX-License-Identifier: Apache-2.0
// The person's view in the editor, sent with a prompt: the selected lines, else the open file. Loop thread only.
#pragma once

#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/notices.h"

namespace parlance::app {

// `report`: the editor's last report; null: the editor sends no reports and is asked.
Task<std::vector<hub::PromptContext>> in_front(const editor::ContextChanged* report, hub::Editor& editor);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// Converts a stateless chat request for the hub: earlier messages become the log, the person's last message becomes the prompt,
// and the client's instructions follow the agent's own instructions. Values; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/hub.h"
#include "parlance/hub/log/imported_history.h"
#include "parlance/model/model.h"

namespace parlance::face {

struct ImportedChat {
  hub::ImportedHistory history{};
  hub::PromptOptions options{};
  // Whether the person's message is the last message. Otherwise the agent continues by itself.
  bool prompts = false;
  std::string text{};
  std::vector<hub::Attachment> attachments{};
};

// System messages go first, from any position: agents read instructions before messages.
ImportedChat import_chat(std::vector<model::Message> messages, const std::function<std::string(std::string_view)>& new_id);

}  // namespace parlance::face

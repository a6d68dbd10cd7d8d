// SPDX-License-Identifier: Apache-2.0
// A stateless chat request as the hub takes it: what was said before goes into the log, the last message of the person is the
// prompt, what the client's program demands of the agent stands behind the agent's own instructions. Values; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/hub.h"
#include "parlance/model/model.h"

namespace parlance::face {

struct SaidSoFar {
  hub::Past past{};
  hub::PromptOptions options{};
  // The person's last message, when it is the last of all. Otherwise the agent goes on by itself.
  bool prompts = false;
  std::string text{};
  std::vector<hub::Attachment> attachments{};
};

// Messages of the role system go first, wherever they stood: agents take their instructions before what is said.
SaidSoFar said_so_far(std::vector<model::Message> messages, const std::function<std::string(std::string_view)>& new_id);

}  // namespace parlance::face

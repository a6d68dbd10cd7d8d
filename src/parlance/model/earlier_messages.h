// SPDX-License-Identifier: Apache-2.0
// The messages of a conversation before the messages of a request. An agent keeps them across requests as a list of parts, so
// that a request of a long conversation costs as much as its new messages. Immutable once shared. Loop thread only.
#pragma once

#include <memory>
#include <vector>

#include "parlance/model/model.h"

namespace parlance::model {

struct EarlierMessages {
  EarlierMessages(std::shared_ptr<EarlierMessages> earlier, std::vector<Message> these)
      : before(std::move(earlier)), messages(std::move(these)) {}
  virtual ~EarlierMessages();
  EarlierMessages(const EarlierMessages&) = delete;
  EarlierMessages& operator=(const EarlierMessages&) = delete;

  std::shared_ptr<EarlierMessages> before;  // null: `messages` are the first
  std::vector<Message> messages;
};

// Puts ChatRequest::earlier into `messages`. For models that read all messages.
void take_in_earlier(ChatRequest& request);

}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
// The messages of a conversation that its agent keeps (docs/decisions/0068-history-by-digest.md). A Chat names them by the digest
// of their content and carries later messages only. An agent that does not serve ContinueChat gets all messages in each Chat.
// Loop thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "parlance/hub/agent/history.h"
#include "parlance/protocol/gorpc/messages.h"

namespace parlance::driver {

class KeptHistory {
 public:
  // Before each Chat. Without `wanted`, and for an agent without the ability, the Chat carries all messages.
  void use(const std::optional<gorpc::AbilitiesReply>& agent, bool wanted);
  const hub::HistoryMark& mark() const { return mark_; }  // the agent keeps the messages before it
  // Refers to the kept messages, and asks the agent to keep the settled messages of `part` too. `args` has the system messages and
  // then the messages of `part`, which began at `mark`. The settled messages have no attachments.
  void refer(gorpc::ContinueChatArgs& args, const hub::HistoryPart& part);
  // After each Chat: true if the agent lacks the kept messages, and a Chat with all messages must follow.
  bool must_repeat(const Result<gorpc::ContinueChatReply>& reply);

 private:
  struct Place {
    hub::HistoryMark mark{};
    std::string digest{};
  };
  bool used_ = false;
  bool unserved_ = false;  // the agent announced the ability and refused its use
  hub::HistoryMark mark_{};
  std::string digest_{};          // empty: the agent keeps no messages
  std::optional<Place> asked_{};  // becomes valid with the agent's confirmation
};

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// What a person wants of a conversation, as values: a hub that does not have the conversation leaves it for the one that has. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/error.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/given_answer.h"
#include "parlance/hub/conversation/prompt.h"

namespace parlance::hub {

struct ConversationChanges {
  std::optional<std::string> title{};
  std::optional<Mode> mode{};
  std::optional<std::string> model{};
  std::optional<bool> think{};
  std::optional<bool> archived{};
  std::optional<Access> access{};
};

struct Prompted {
  std::string turn{};    // it runs, or
  std::string queued{};  // it waits under this id
};

// Each is a method of the hub.
enum class CommandKind : std::uint8_t {
  prompt,
  carry_on,
  prepare,
  restart,
  withdraw,
  stop,
  go_on,
  set,
  set_option,
  clear,
  remove,
  answer,
  reask
};

struct Command {
  std::string id{};  // given when it is left for another hub: twice is once
  std::string conversation{};
  std::string user{};  // User::id of who wants it …
  std::string by{};    // … and their name; empty: the person of this machine
  CommandKind kind = CommandKind::stop;
  std::string text{};   // of a prompt; the value of an option
  std::string about{};  // the option, the ask, the prompt of the queue
  PromptOptions options{};
  std::vector<Attachment> attachments{};
  std::vector<PromptContext> context{};
  ConversationChanges changes{};
  GivenAnswer given{};
};

// What came of it.
struct CommandOutcome {
  std::optional<Error> error{};
  Prompted prompted{};
};

// Goes with what the command has changed.
struct CommandDone {
  std::string id{};
  CommandOutcome outcome{};
};

}  // namespace parlance::hub

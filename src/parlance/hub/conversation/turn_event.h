// SPDX-License-Identifier: Apache-2.0
// The events of a turn: its borders, the prompt, and the texts of the answer. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/stop_reason.h"

namespace parlance::hub::event {

// The first event of a turn; UserMessage follows, unless the turn continues earlier work.
struct TurnStart {
  std::string turn{};
  std::optional<PromptOptions> options{};  // options for the agent from the frontend; absent: defaults
  // User::name of the user who started a turn without a message; absent: the person of this machine
  std::optional<std::string> by{};
  friend bool operator==(const TurnStart&, const TurnStart&) = default;
};

struct UserMessage {  // programs know their own prompts; frontends that share conversations overload this kind
  static constexpr bool for_pages_alone = true;
  std::string turn{};
  std::string text{};
  std::optional<std::vector<AttachmentInfo>> attachments{};
  std::optional<std::vector<PromptContext>> context{};
  std::optional<std::string> by{};  // User::name of the author; absent: the person of this machine
  friend bool operator==(const UserMessage&, const UserMessage&) = default;
};

struct Text {  // a piece: append to the text before
  std::string text{};
  friend bool operator==(const Text&, const Text&) = default;
};

struct ThinkingStart {  // redundant for others: the first piece implies it
  static constexpr bool for_pages_alone = true;
  friend bool operator==(const ThinkingStart&, const ThinkingStart&) = default;
};

struct ThinkingContent {  // a piece
  std::string text{};
  friend bool operator==(const ThinkingContent&, const ThinkingContent&) = default;
};

struct ThinkingEnd {
  std::int64_t duration_ms = 0;  // 0 from an agent: the hub measures the time
  friend bool operator==(const ThinkingEnd&, const ThinkingEnd&) = default;
};

// Every fold hides earlier events, and the agent forgets them; the log keeps all events.
struct Cleared {
  std::optional<std::string> by{};  // User::name
  friend bool operator==(const Cleared&, const Cleared&) = default;
};

// The last event of a turn. Failure precedes the stop reason `error`.
struct TurnEnd {
  std::string turn{};
  StopReason stop_reason = StopReason::end_turn;
  std::int64_t duration_ms = 0;
  friend bool operator==(const TurnEnd&, const TurnEnd&) = default;
};

}  // namespace parlance::hub::event

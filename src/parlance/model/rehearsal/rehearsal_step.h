// SPDX-License-Identifier: Apache-2.0
// The next step of the rehearsal, and the facts for its choice. All facts derive from the messages of a single call. Values; any
// thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"
#include "parlance/model/remembered.h"

namespace parlance::model::rehearsal {

// An answer of the model.
struct Step {
  std::string think{};
  std::string say{};
  std::vector<ToolCall> calls{};
  std::optional<StopReason> stop{};
  std::optional<Error> error{};                     // After `think` and `say`, in place of an end.
  std::optional<std::chrono::milliseconds> pace{};  // In place of the settings'.
  std::size_t piece_bytes = 0;                      // 0: the usual size.
};

enum class Fate : std::uint8_t { done, failed, refused };

struct PastCall {
  ToolCall call;
  std::string result;
  Fate fate = Fate::done;
};

// The running turn: the person's last message, and all later messages.
struct Turn {
  std::string text;                    // Of the last user message.
  std::string system;                  // The system messages, joined.
  std::size_t number = 0;              // Number of this user message, from 1.
  bool first_answer = true;            // True: the conversation has no answer yet.
  std::size_t steps = 0;               // Answers since the user message.
  std::vector<PastCall> calls;         // Since the user message, in order.
  std::size_t last_calls = 0;          // Number of calls in the latest answer.
  std::vector<std::string> tools;      // Names of callable tools.
  std::vector<Remembered> remembered;  // Memories found by the agent for `text`.
  std::vector<std::string> attached;   // Attachments of `text`, described.

  bool has(std::string_view tool) const;
  const PastCall* last(std::string_view tool) const;  // The latest call of that tool in this turn.
  std::size_t count(std::string_view tool) const;
};
Turn look_at(const ChatRequest& request);

// A refusal contains "refused", "denied", "rejected" or "declined"; all others are failures.
Fate fate_of(const ToolResult& result);

// The beginning of a result, for quoting: at most `bytes`, whole characters, with "…" after a cut.
std::string quote(std::string_view result, std::size_t bytes = 400);

// The answer to a command, or to free text (rehearsal_commands.cpp).
Step next_step(const Turn& turn);

}  // namespace parlance::model::rehearsal

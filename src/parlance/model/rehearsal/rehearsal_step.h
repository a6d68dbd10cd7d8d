// SPDX-License-Identifier: Apache-2.0
// What the rehearsal does next, and what it looks at to decide. Everything is derived from the messages of one call.
// Values; any thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/model/model.h"
#include "parlance/model/remembered.h"

namespace parlance::model::rehearsal {

// One answer of the model.
struct Step {
  std::string think{};
  std::string say{};
  std::vector<ToolCall> calls{};
  std::optional<StopReason> stop{};
  std::optional<Error> error{};                     // after `think` and `say`, instead of an end
  std::optional<std::chrono::milliseconds> pace{};  // instead of the settings'
  std::size_t piece_bytes = 0;                      // 0: the usual size
};

enum class Fate : std::uint8_t { done, failed, refused };

struct PastCall {
  ToolCall call;
  std::string result;
  Fate fate = Fate::done;
};

// The turn that is running: what the person wrote last, and what has happened since.
struct Turn {
  std::string text;                    // of the last user message
  std::string system;                  // what it was told before everything, in one piece
  std::size_t number = 0;              // of this user message, from 1
  bool first_answer = true;            // nothing has been answered in this conversation yet
  std::size_t steps = 0;               // answers since the user message
  std::vector<PastCall> calls;         // since the user message, in order
  std::size_t last_calls = 0;          // how many of them belong to the latest answer
  std::vector<std::string> tools;      // names that may be called
  std::vector<Remembered> remembered;  // what the agent found in its memory for `text`
  std::vector<std::string> attached;   // what came with `text`, described

  bool has(std::string_view tool) const;
  const PastCall* last(std::string_view tool) const;  // the latest call of that tool in this turn
  std::size_t count(std::string_view tool) const;
};
Turn look_at(const ChatRequest& request);

// A refusal reads like one ("refused", "denied", "rejected", "declined"); other failures are failures.
Fate fate_of(const ToolResult& result);

// The beginning of a result, for quoting: at most `bytes`, whole characters, with "…" where it was cut.
std::string quote(std::string_view result, std::size_t bytes = 400);

// The answer to a command, or to free text (rehearsal_commands.cpp).
Step next_step(const Turn& turn);

}  // namespace parlance::model::rehearsal

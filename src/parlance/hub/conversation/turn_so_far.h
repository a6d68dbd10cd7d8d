// SPDX-License-Identifier: Apache-2.0
// The state of a turn at the death of its process: a fold over the turn's events. The log is written before publication, so the
// fold contains exactly the published events. Pure; values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

struct Event;  // conversation/event.h

// Failure::code: the agent lost its partial answer and starts the answer again; the partial text stays in the log and is not
// counted.
inline constexpr std::string_view answers_anew = "answers_anew";

// A call without an end.
struct OpenCall {
  ToolCall call{};     // with its latest input; its occasion is empty
  bool begun = false;  // the call ran or had output: its result is unknown
};

struct TurnSoFar {
  std::string by{};  // User::name of the turn's author; empty: the person of this machine
  PromptOptions options{};
  std::vector<AttachmentInfo> attachments{};  // of its prompt
  std::uint32_t answers = 0;                  // model answers that ended with calls
  std::vector<OpenCall> calls{};              // in order of announcement
  std::vector<Ask> asks{};                    // asks of these calls, oldest first, unchanged
  bool reported_usage = false;                // an answer reported its usage

  // The partial answer: everything after the end of the last call.
  std::string text{};
  std::string thought{};
  bool thinking = false;  // before its end
  bool usage = false;     // the partial answer reported its usage; only calls or the end of the turn may follow

  // RFC 3339, UTC.
  std::string began{};
  std::string thinking_since{};
  std::string last{};

  void see(const Event& event);  // adds the next event; a `turn_start` resets the state
  // The agent has answered, thought or called: it has the prompt.
  bool agent_has_begun() const {
    return answers != 0 || !calls.empty() || !text.empty() || !thought.empty() || thinking || usage;
  }
};

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// What a turn had come to when the program that ran it died: a fold over its events. What was told was written before, so this is all
// that anybody has seen of it, no more and no less. Pure; values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/tool_call.h"

namespace parlance::hub {

// Failure::code: the agent forgot what it was saying and answers anew; what was told before stands, and does not count as told.
inline constexpr std::string_view answers_anew = "answers_anew";

// A call that was announced and has not ended.
struct OpenCall {
  ToolCall call{};     // with the input that it has by now; its occasion is empty
  bool begun = false;  // it ran, or put something out: nobody knows what came of it
};

struct TurnSoFar {
  std::string by{};  // User::name of the person who began it; empty: the person of this machine
  PromptOptions options{};
  std::vector<AttachmentInfo> attachments{};  // of its prompt
  std::uint32_t answers = 0;                  // of the model, that ended with calls
  std::vector<OpenCall> calls{};              // in the order in which they were announced
  std::vector<Ask> asks{};                    // about these, as they were asked: oldest first
  bool told_usage = false;                    // of any answer

  // Of the answer that was being told: what followed the last call's end.
  std::string text{};
  std::string thought{};
  bool thinking = false;  // not at its end
  bool usage = false;     // and nothing follows but calls, or the turn's end

  // RFC 3339, UTC.
  std::string began{};
  std::string thinking_since{};
  std::string last{};

  void see(const Event& event);  // the next one; a `turn_start` begins anew
};

}  // namespace parlance::hub

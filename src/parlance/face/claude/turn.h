// SPDX-License-Identifier: Apache-2.0
// The end of a turn for a Claude Code host: the result in Claude Code's terms, and the counters. Sans-I/O; loop thread only.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/clock.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/claude/lines.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/toolbox/structured_output.h"

namespace parlance::face {

// The end of a turn for the hub and the host's hooks.
struct ClaudeTurnEnd {
  hub::StopReason stop = hub::StopReason::end_turn;
  bool hook_stopped = false;       // continue: false of a tool hook
  bool stop_hook_stopped = false;  // … of a Stop hook
  bool in_tool = false;            // interrupted with an open call
  bool of_claude_code = false;     // relayed: Claude Code reports its failures itself
};

class ClaudeTurn {
 public:
  void begin(TimePoint now);
  void denied(const std::string& tool, const std::string& call, const json::Value& input);
  void used(const hub::event::Usage& usage, const std::string& model);
  void failed(hub::event::Failure failure) { failure_ = std::move(failure); }
  const std::optional<hub::event::Failure>& failure() const { return failure_; }

  // `most_rounds`: the limit of answers; `output` may be null.
  claude::TurnResult result(const ClaudeTurnEnd& end, const ClaudeLines& lines, std::optional<std::uint32_t> most_rounds,
                            const toolbox::StructuredOutput* output) const;
  // The result of a prompt without a turn.
  static claude::TurnResult without_turn(std::string subtype, std::string text, std::int64_t num_turns);
  // Sets the common members: session, times, usage. Resets the counters for the next turn.
  void complete(claude::TurnResult& result, const std::string& session_id, TimePoint now, const claude::Usage& usage);

 private:
  std::optional<TimePoint> started_{};  // empty outside a turn
  std::optional<hub::event::Failure> failure_;
  json::Array denials_;
  double cost_ = 0;
  std::map<std::string, hub::ModelUsage> by_model_;  // of all turns
  double total_cost_ = 0;
};

// Claude Code counts cache reads and writes separately.
claude::Usage claude_usage(const hub::event::Usage& usage);

// Replaces a refused answer.
inline constexpr std::string_view refusal_text =
    "API Error: the model refused to answer. Say it in another way, or ask another model.";

// A model's failure in Claude Code's text, and its code for programs.
std::string api_error_text(const hub::event::Failure& failure);
std::string api_error_kind(const hub::event::Failure& failure);

}  // namespace parlance::face

// What a host of Claude Code is told at the end of a turn: how it ended, in Claude Code's words, and what was counted. Sans-I/O; loop
// thread only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "codec/json/value.h"
#include "hub/event.h"
#include "protocol/claude/messages.h"
#include "service/claude_lines.h"
#include "service/structured_output.h"

namespace parlance::service {

// The end of a turn, as the hub and the host's hooks know it.
struct ClaudeTurnEnd {
  hub::StopReason stop = hub::StopReason::end_turn;
  bool hook_stopped = false;       // continue: false of a hook about a tool
  bool stop_hook_stopped = false;  // … of a Stop hook
  bool in_tool = false;            // a call was open when it was interrupted
  bool of_claude_code = false;     // one behind us, whose failures need no word of ours
};

class ClaudeTurn {
 public:
  void begin(TimePoint now);
  void denied(const std::string& tool, const std::string& call, const json::Value& input);
  void cost(double more) { cost_ += more; }
  void failed(hub::event::Failure failure) { failure_ = std::move(failure); }
  const std::optional<hub::event::Failure>& failure() const { return failure_; }

  // `most_rounds`: the limit of answers; `output` may be null.
  claude::TurnResult result(const ClaudeTurnEnd& end, const ClaudeLines& lines, std::optional<std::uint32_t> most_rounds,
                            const StructuredOutput* output) const;
  // Of a prompt for which no turn began.
  static claude::TurnResult without_turn(std::string subtype, std::string text, std::int64_t num_turns);
  // What all have in common is put in: session, times, accounts. The next turn begins with nothing counted.
  void complete(claude::TurnResult& result, const std::string& session_id, TimePoint now, const claude::Usage& usage);

 private:
  TimePoint started_{};
  std::optional<hub::event::Failure> failure_;
  json::Array denials_;
  double cost_ = 0;
  double total_cost_ = 0;
};

// What stands in the place of an answer that the model refuses to give.
inline constexpr std::string_view refusal_text =
    "API Error: the model refused to answer. Say it in another way, or ask another model.";

// What went wrong with the model, as Claude Code tells it in the place of an answer; and its word for programs.
std::string api_error_text(const hub::event::Failure& failure);
std::string api_error_kind(const hub::event::Failure& failure);

}  // namespace parlance::service

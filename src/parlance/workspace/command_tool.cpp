// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/command_tool.h"

#include <algorithm>

#include "parlance/base/utf8.h"

namespace parlance::workspace {

CommandOutput::CommandOutput(std::size_t limit_bytes) : half_(limit_bytes / 2) {}

void CommandOutput::add(std::string_view piece) {
  const std::size_t to_head = std::min(half_ - head_.size(), piece.size());
  head_ += piece.substr(0, to_head);
  piece.remove_prefix(to_head);
  tail_ += piece;
  // Cut seldom: a tail that moves with every byte would be copied with every byte.
  if (tail_.size() > 2 * half_ + 1024) {
    dropped_ += tail_.size() - half_;
    tail_.erase(0, tail_.size() - half_);
  }
}

std::string CommandOutput::text() const {
  std::string_view tail = tail_;
  const std::size_t over = tail.size() > half_ ? tail.size() - half_ : 0;
  tail.remove_prefix(over);
  const std::size_t missing = dropped_ + over;
  if (missing == 0) return to_valid_utf8(head_ + std::string(tail));
  return to_valid_utf8(head_) + "\n… " + std::to_string(missing) + " bytes left out …\n" + to_valid_utf8(tail);
}

hub::ToolOutcome outcome_of(const CommandResult& result) {
  hub::ToolOutcome outcome{.text = result.output};
  const auto add = [&](const std::string& line) {
    if (!outcome.text.empty() && !outcome.text.ends_with('\n')) outcome.text += '\n';
    outcome.text += line;
    outcome.state = hub::ToolEndState::failed;
  };
  if (result.timed_out) add("stopped: the command took too long");
  else if (result.signal) add("ended by signal " + std::to_string(*result.signal));
  else if (result.exit_status.value_or(0) != 0) add("exit status " + std::to_string(*result.exit_status));
  else if (outcome.text.empty()) outcome.text = "(no output)";
  return outcome;
}

}  // namespace parlance::workspace

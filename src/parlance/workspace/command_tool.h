// SPDX-License-Identifier: Apache-2.0
// Running a command for a conversation. The implementation needs child processes and lives in toolbox/. Loop thread only.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/workspace/limits.h"

namespace parlance::workspace {

// A program with its literal arguments: without a shell, without our environment.
struct PlainCommand {
  std::vector<std::string> words{};  // the first is an absolute path
  std::vector<std::pair<std::string, std::string>> environment{};
  friend bool operator==(const PlainCommand&, const PlainCommand&) = default;
};

struct CommandRequest {
  std::string command{};                // for the shell
  std::optional<PlainCommand> plain{};  // given: this instead
  std::string folder{};                 // working folder, absolute
  std::chrono::milliseconds timeout{};
};

struct CommandResult {
  std::string output{};              // stdout and stderr in order, cut in the middle above limits::command_output_bytes
  std::optional<int> exit_status{};  // none: ended by a signal or by the timeout
  std::optional<int> signal{};
  bool timed_out = false;
  bool cut = false;
};

class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  // Destroying the task kills the whole process group.
  virtual Task<Result<CommandResult>> run(CommandRequest request, hub::ToolOutputSink output) = 0;
};

// Keeps the first and last half of a command's output, so that memory stays bounded and both the beginning and the final error
// are visible.
class CommandOutput {
 public:
  explicit CommandOutput(std::size_t limit_bytes);
  void add(std::string_view piece);
  std::string text() const;  // valid UTF-8; says how much is missing
  bool cut() const { return dropped_ != 0 || tail_.size() > half_; }

 private:
  std::size_t half_;
  std::string head_;
  std::string tail_;
  std::size_t dropped_ = 0;
};

// The model's result: the output, and the end of a failed command.
hub::ToolOutcome outcome_of(const CommandResult& result);

}  // namespace parlance::workspace

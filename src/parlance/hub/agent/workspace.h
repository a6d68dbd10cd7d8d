// SPDX-License-Identifier: Apache-2.0
// The files and terminals of one conversation, for agents that let their host open files and run programs (ACP fs/*, terminal/*).
// Policy decides each call like a call of the built-in tools: rules, mode, then a person, on the real path (decision 0017). The
// workspace opens exactly the checked file. Loop thread only. Implemented in toolbox/agent_workspace.h.
//
// A workspace belongs to one opened agent and ends with it: the end kills every remaining terminal with all its child processes.
// Errors of all calls: denied (policy, a person, or outside the folders: "Access denied: P"), not_found ("File not found: P", no
// such terminal), invalid_params ("Not a file: P", "File too large: N bytes (max: M)", …), failed (changed since the check; the
// system).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent/tool_host.h"
#include "parlance/hub/conversation/ask.h"

namespace parlance::hub {

struct SessionSetup;  // conversation/session_setup.h

// The kept end of a terminal's output: the default, and the maximum for an agent's request.
inline constexpr std::size_t terminal_output_bytes = 4 << 20;

struct TerminalRequest {
  // With `args`: a program and its arguments, without a shell. Without: a line for the shell, because agents send both forms.
  std::string command{};
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> environment{};  // added to the gateway's environment without its secrets
  std::optional<std::string> folder{};                             // absolute; absent: the conversation's
  std::optional<std::size_t> output_bytes{};                       // kept end of the output; at most terminal_output_bytes
  ToolOutputSink on_output{};                                      // pieces on arrival, valid UTF-8
};

struct TerminalExit {
  std::optional<int> code{};    // absent: a signal ended the program
  std::optional<int> signal{};  // absent: the program ended with a code
  friend bool operator==(const TerminalExit&, const TerminalExit&) = default;
};

struct TerminalOutput {
  std::string text{};      // stdout and stderr in order of arrival; valid UTF-8
  bool truncated = false;  // the beginning was dropped
  std::optional<TerminalExit> exit{};
};

// An agent's access to the files and terminals of its conversation.
class Workspace {
 public:
  virtual ~Workspace() = default;

  // `path` is absolute, or relative to the conversation's folder. Without `line` and `limit`: the whole file. Otherwise the lines
  // from `line` (from 1) on, at most `limit` (0: no limit), without the last line end; empty beyond the end.
  virtual Task<Result<std::string>> read_text_file(std::string path, std::optional<std::uint64_t> line,
                                                   std::optional<std::uint64_t> limit) = 0;
  // Creates or replaces the whole file, with its missing folders. Waits for a person if policy asks.
  virtual Task<Result<void>> write_text_file(std::string path, std::string content) = 0;

  // Returns an id. The terminal runs until its program ends, is killed, or the agent ends. overloaded: too many.
  virtual Task<Result<std::string>> create_terminal(TerminalRequest request) = 0;
  // The kept output so far, without a wait.
  virtual Result<TerminalOutput> terminal_output(const std::string& terminal) const = 0;
  // Completes at the end of the program, at once if it has ended. Destroying the task leaves the program running.
  virtual Task<Result<TerminalExit>> wait_for_terminal(std::string terminal) = 0;
  virtual Result<void> kill_terminal(const std::string& terminal) = 0;     // the id stays valid; no error after the end
  virtual Result<void> release_terminal(const std::string& terminal) = 0;  // kills the program and frees the id
};

struct AskRequest;  // agent/agent.h

// The environment of a workspace: its conversation and its decisions. Outlives the workspace.
class WorkspaceHost {
 public:
  virtual const SessionSetup& setup() const = 0;  // current state; valid until the next await
  // Asks policy, then a person in the running turn. Without a turn no person can answer: calls beyond policy are cancelled.
  virtual Task<Result<AskAnswer>> ask(AskRequest request) = 0;

 protected:
  ~WorkspaceHost() = default;
};

// For a hub without workspaces: every call is `denied`, "File system access not configured".
std::unique_ptr<Workspace> absent_workspace();

}  // namespace parlance::hub

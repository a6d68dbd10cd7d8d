// SPDX-License-Identifier: Apache-2.0
// The files and terminals of one conversation, for agents that ask their host to open and run things for them (ACP fs/*, terminal/*).
// Every call is judged as the same thing done by our own tools would be: rules, mode, then a person, on the real path of what is opened
// (decision 0017), and what was judged is what is opened. Loop thread only. Implemented in toolbox/agent_workspace.h.
//
// It belongs to one opened agent and ends with it: then every terminal that is left is killed, with all that it started.
// Errors of all calls: denied (policy, a person, or outside the folders: "Access denied: P"), not_found ("File not found: P", no such
// terminal), invalid_params ("Not a file: P", "File too large: N bytes (max: M)", …), failed (changed since it was judged; the system).
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
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/tool_host.h"

namespace parlance::hub {

// Of one terminal: kept of its end when the agent does not say, and the most that it may want.
inline constexpr std::size_t terminal_output_bytes = 4 << 20;

struct TerminalRequest {
  // With `args` a program and its words, which no shell understands otherwise; without, a line for the shell, as agents send both.
  std::string command{};
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> environment{};  // on top of ours without its secrets
  std::optional<std::string> folder{};                             // absolute; absent: the conversation's
  std::optional<std::size_t> output_bytes{};                       // kept of its end; at most terminal_output_bytes
  ToolOutputSink on_output{};                                      // pieces as they come, valid UTF-8
};

struct TerminalExit {
  std::optional<int> code{};    // none: ended by
  std::optional<int> signal{};  // this one
  friend bool operator==(const TerminalExit&, const TerminalExit&) = default;
};

struct TerminalOutput {
  std::string text{};      // stdout and stderr as they came; valid UTF-8
  bool truncated = false;  // its beginning is gone
  std::optional<TerminalExit> exit{};
};

// What an agent may do with the files and terminals of its conversation.
class Workspace {
 public:
  virtual ~Workspace() = default;

  // `path` absolute, or relative to the conversation's folder. Without `line` and `limit` the file as it is. Else its lines from `line`
  // (from 1) on, at most `limit` (0: no limit), without the end of the last; nothing where there are none.
  virtual Task<Result<std::string>> read_text_file(std::string path, std::optional<std::uint64_t> line,
                                                   std::optional<std::uint64_t> limit) = 0;
  virtual Task<Result<void>> write_text_file(std::string path, std::string content) = 0;

  // Its id. It runs until it ends, is killed, or the agent is gone. overloaded: too many.
  virtual Task<Result<std::string>> create_terminal(TerminalRequest request) = 0;
  virtual Result<TerminalOutput> terminal_output(const std::string& terminal) const = 0;
  virtual Task<Result<TerminalExit>> wait_for_terminal(std::string terminal) = 0;
  virtual Result<void> kill_terminal(const std::string& terminal) = 0;     // its id stays good; fine when it has ended
  virtual Result<void> release_terminal(const std::string& terminal) = 0;  // kills it, and forgets it
};

struct AskRequest;  // hub/agent.h

// What a workspace stands on: the conversation that it is of, and who decides. Outlives it.
class WorkspaceHost {
 public:
  virtual const Conversation& conversation() const = 0;  // as it is now; good until the next await
  // Policy, then a person in the turn that runs. Where none runs nobody can be asked: what policy does not allow is cancelled then.
  virtual Task<Result<AskAnswer>> ask(AskRequest request) = 0;

 protected:
  ~WorkspaceHost() = default;
};

// Of a hub that was given none: every call is `denied`, "File system access not configured".
std::unique_ptr<Workspace> absent_workspace();

}  // namespace parlance::hub

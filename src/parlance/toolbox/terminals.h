// SPDX-License-Identifier: Apache-2.0
// Commands in the background, with the end of their output. Each is a child with a group of its own. The destructor kills all
// running commands with their descendants. Loop thread only.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/hub/agent/workspace.h"
#include "parlance/process/child_process.h"

namespace parlance::toolbox {

inline constexpr std::size_t terminals_at_once = 32;  // Of an agent, without released terminals.

// The terminals of an agent.
class Terminals {
 public:
  explicit Terminals(Loop& loop);
  ~Terminals();
  Terminals(const Terminals&) = delete;
  Terminals& operator=(const Terminals&) = delete;

  // Returns the id of the new terminal. Errors: overloaded (too many terminals), those of ChildProcess::start.
  Result<std::string> start(ChildSettings settings, std::size_t output_bytes, hub::ToolOutputSink on_output);
  bool full() const { return terminals_.size() >= terminals_at_once; }
  // Error of the following methods: not_found (unknown id).
  Result<hub::TerminalOutput> output(const std::string& id) const;
  Task<Result<hub::TerminalExit>> wait(std::string id);
  Result<void> kill(const std::string& id);
  Result<void> release(const std::string& id);

 private:
  struct Terminal;
  Result<std::shared_ptr<Terminal>> find(const std::string& id) const;
  static Task<void> pump(std::shared_ptr<Terminal> terminal);

  Loop& loop_;
  std::string mark_;  // In the environment of all descendants.
  bool any_ = false;
  std::map<std::string, std::shared_ptr<Terminal>, std::less<>> terminals_;
  Scope scope_;
};

}  // namespace parlance::toolbox

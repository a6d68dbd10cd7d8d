// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the connections of runners, to this hub and to other hubs of a shared store. The hub with the
// connection should own the conversations of the runner. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "parlance/hub/log/runner_connection.h"
#include "parlance/hub/runtime/conversation_runtime.h"

namespace parlance::hub {

class RunnerConnections {
 public:
  explicit RunnerConnections(Core& core) : core_(core) {}

  // To this hub. Errors: denied (the name belongs to another user, or to a newer connection to another hub), those of the store.
  Task<Result<RunnerConnection>> connected(std::string runner, std::string body, std::string user);
  void disconnected(const std::string& runner);  // disconnected from this hub
  void forget(const std::string& runner);        // frees the memory of a removed runner
  void note(RunnerConnection now);  // this hub is the authority on its own connections; otherwise the later report counts
  // Reads the connection from a shared store. Errors: disconnected (no connection; names the time and the remedy).
  Task<Result<void>> refresh(const ConversationRuntime& runtime);
  Result<void> check(
      const ConversationRuntime& runtime) const;  // disconnected: the runner of the conversation is not connected to this hub
  bool is_at_another_hub(
      const ConversationRuntime& runtime) const;  // another hub has the connection to the runner, and should own the conversation

 private:
  Core& core_;
  std::map<std::string, RunnerConnection, std::less<>> runners_;  // runners that connected since the start or are in the store
};

}  // namespace parlance::hub

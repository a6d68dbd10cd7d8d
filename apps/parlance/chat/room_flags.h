// SPDX-License-Identifier: Apache-2.0
// The flags that `chat` and `run` share: the agent, the folder and the gateway of a conversation. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "apps/parlance/chat/rooms.h"
#include "apps/parlance/command.h"
#include "apps/parlance/config/settings.h"
#include "apps/parlance/remote/gateway.h"

namespace CLI {
class App;
}

namespace parlance::app {

struct RoomFlags {
  std::string agent{};  // empty: the default agent
  Words command{};      // behind --: the agent's program
  std::string mode = "default";
  std::string model{};
  GatewayFlags gateway{};

  // The conversation needs a program of this machine, so no running gateway can replace this process.
  bool needs_own_agent() const { return !gateway.to.empty() || !command.empty() || agent == "acp"; }
  // An existing folder as an absolute path; with a gateway of --to unchanged, because the path is on another machine. Errors:
  // not_found, with the name of the flag.
  Result<std::string> folder(const std::string& path, const std::string& flag) const;
  // Errors: not_found (--cwd).
  Result<RoomRequest> request() const;
};

// The agent, --cwd, --to, --token-file, --mode and --with-model.
void declare_room_flags(CLI::App& app, RoomFlags& flags);

// The gateway of --to, otherwise this user's running gateway if `may_share`. Null: this process alone. Errors: those of Gateway::at,
// invalid_params (--to with a program).
Result<std::shared_ptr<Gateway>> gateway_for(Loop& loop, const Settings& settings, const RoomFlags& flags, bool may_share);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// A remote gateway used in a person's name: any of several gateways at the same address. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "apps/parlance/config/gateway_address.h"
#include "apps/parlance/config/settings.h"
#include "parlance/async/loop.h"
#include "parlance/driver/acp/gateway_side.h"
#include "parlance/hub/agent.h"
#include "parlance/transport/frames.h"

namespace CLI {
class App;
}

namespace parlance::app {

// A person's flags, the same for all programs.
struct GatewayFlags {
  std::string to{};  // empty: no gateway, everything is done here
  std::string token_file{};
  std::string folder{};  // --cwd: a path on the gateway's machine; empty: the gateway's own choice, or the client's
  bool wanted() const { return !to.empty(); }
};
// --to, --token-file and --cwd. Without these, the environment counts: PARLANCE_TO, PARLANCE_TOKEN_FILE.
void declare_gateway_flags(CLI::App& app, GatewayFlags& flags, bool with_folder);
GatewayFlags gateway_of_environment();

class Gateway {
 public:
  // Errors: invalid_params, denied (the token's file). Warns on stderr about unencrypted data. `settings` outlive this object.
  static Result<std::shared_ptr<Gateway>> at(Loop& loop, const Settings& settings, const GatewayFlags& flags);
  Gateway(Loop& loop, const Settings& settings, GatewayAddress at, std::string token_file);

  // A new connection, with the current token. After an earlier connection, gives a load balancer a moment to notice a stopped
  // gateway. Errors: with the address and the remedy.
  Task<Result<std::unique_ptr<Frames>>> connect();
  // Checks that the gateway accepts this client; returns the gateway's default folder and agents. Errors: the same; failed (not a
  // parlance gateway).
  Task<Result<acp::GatewayWord>> ask();

  // One of its agents, as an agent of a local hub. The agent works at the gateway, without access to this machine.
  std::unique_ptr<hub::AgentProvider> agent(const std::string& id) const;
  // The agent of this name, or the first. Errors: invalid_params, with the list.
  static Result<acp::OfferedAgent> choose(const acp::GatewayWord& word, const std::string& agent);

  const std::string& shown() const { return at_.shown; }

 private:
  driver::AcpAgentSettings agent_settings(const std::string& id) const;

  Loop& loop_;
  const Settings& settings_;
  GatewayAddress at_;
  std::string token_file_;
  std::shared_ptr<driver::GatewaySide> side_ = std::make_shared<driver::GatewaySide>();
  std::shared_ptr<bool> was_there_ = std::make_shared<bool>(false);
};

// Every agent is at the gateway, so a local program or another address is refused. Errors: invalid_params.
Result<void> check_no_command(const std::vector<std::string>& command);

}  // namespace parlance::app

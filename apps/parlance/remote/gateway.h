// SPDX-License-Identifier: Apache-2.0
// A gateway elsewhere that a program works through, in a person's name: whichever of several answers at its address. Loop thread only.
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

// What a person says of it, the same for all programs.
struct GatewayFlags {
  std::string to{};  // empty: no gateway, everything is done here
  std::string token_file{};
  std::string folder{};  // --cwd: a path over there; empty: the gateway's own choice, or that of whom we serve
  bool wanted() const { return !to.empty(); }
};
// --to, --token-file and --cwd. Without them the environment counts: PARLANCE_TO, PARLANCE_TOKEN_FILE.
void declare_gateway_flags(CLI::App& app, GatewayFlags& flags, bool with_folder);
GatewayFlags gateway_of_environment();

class Gateway {
 public:
  // Errors: invalid_params, denied (the token's file). Says on stderr what would go unencrypted. `settings` outlive it.
  static Result<std::shared_ptr<Gateway>> at(Loop& loop, const Settings& settings, const GatewayFlags& flags);
  Gateway(Loop& loop, const Settings& settings, GatewayAddress at, std::string token_file);

  // A new connection, with the token as it is now. Where one has been before, a load balancer is given a moment to see that a gateway is
  // away. Errors: with the address and what to do.
  Task<Result<std::unique_ptr<Frames>>> connect();
  // Whether it is there and takes us; it says where new conversations work, and whom it has. Errors: the same; failed (no gateway of ours).
  Task<Result<acp::GatewayWord>> ask();

  // One of its agents, as an agent of a hub here. It works there: nothing of this machine is reached.
  std::unique_ptr<hub::AgentProvider> agent(const std::string& id) const;
  // The one of that name, or the first. Errors: invalid_params, with those there are.
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

// Any agent is at the gateway: a program of this machine, or another address, has no place there. Errors: invalid_params.
Result<void> check_no_command(const std::vector<std::string>& command);

}  // namespace parlance::app

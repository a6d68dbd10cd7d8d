// SPDX-License-Identifier: Apache-2.0
// A remote gateway used in a person's name: any of several gateways at the same address. Its hub shows the conversations and agents
// of the gateway, and follows them over reconnects. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/parlance/config/gateway_address.h"
#include "apps/parlance/config/settings.h"
#include "parlance/async/loop.h"
#include "parlance/driver/page/remote_hub.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/hub.h"
#include "parlance/transport/http/http_client.h"

namespace CLI {
class App;
}

namespace parlance::app {

// A person's flags, the same for all programs.
struct GatewayFlags {
  std::string to{};  // empty: the running gateway of this user, if there is one; no_gateway: this process alone
  std::string token_file{};
  std::string folder{};  // --cwd: a path on the gateway's machine; empty: the gateway's own choice, or the client's
  bool wanted() const { return !to.empty() && to != no_gateway; }
  static constexpr std::string_view no_gateway = "none";
};
// --to, --token-file and --cwd. Without these, the environment counts: PARLANCE_TO, PARLANCE_TOKEN_FILE.
void declare_gateway_flags(CLI::App& app, GatewayFlags& flags, bool with_folder);
GatewayFlags gateway_of_environment();

class Gateway {
 public:
  // Errors: invalid_params, denied (the token's file). Warns on stderr about unencrypted data. `settings` outlive this object.
  static Result<std::shared_ptr<Gateway>> at(Loop& loop, const Settings& settings, const GatewayFlags& flags);
  // The running gateway of the state folder, connected. Null: none, or flags of this program (such as a model) that the gateway
  // would ignore.
  static Task<std::shared_ptr<Gateway>> running(Loop& loop, const Settings& settings);
  Gateway(Loop& loop, const Settings& settings, GatewayAddress at, std::string token_file);

  // Connects, once. Call before the members below. Errors: with the address and the remedy.
  Task<Result<void>> start();
  driver::RemoteHub& remote() { return remote_; }
  hub::Hub& hub() { return remote_.hub(); }
  const std::string& default_folder() const { return remote_.copy().about().default_folder; }
  std::map<std::string, std::string, std::less<>> titles();                  // of the newest conversations, by id
  bool has_team() const { return remote_.copy().about().team.has_value(); }  // several users
  // The agent of this name; empty: the first. Errors: not_found (no agent), invalid_params (with the list).
  Result<hub::AgentInfo> choose(const std::string& agent);
  // Called with a line for the person after the end of a connection, and after the next one. Default: a line on stderr.
  std::function<void(const std::string& line)> report;

  const std::string& shown() const { return at_.shown; }
  bool is_own() const { return is_own_; }  // found by `running`: memories and files are on this machine

 private:
  Result<std::vector<HttpHeader>> authorization() const;  // with the current token
  Task<Result<std::unique_ptr<Frames>>> connect();
  Task<Result<std::optional<hub::Attachment>>> attachment(std::string id);
  void connection_changed(const Error* lost);
  void service_changed(const hub::ServiceInfo& service);  // reports a failing store

  Loop& loop_;
  const Settings& settings_;
  GatewayAddress at_;
  std::string token_file_;
  bool is_started_ = false;
  bool store_failed_ = false;
  bool is_own_ = false;
  bool was_there_ = false;  // after an earlier connection, a load balancer may need a moment to notice a stopped gateway
  HttpClient http_;
  driver::RemoteHub remote_;
};

// A request of the page from a shell: connects, and waits for the answer. Errors: those of Gateway::at, the connection and the
// gateway.
template <class Message>
Result<typename Message::Value> request_at(const Settings& settings, const GatewayFlags& flags, Message message) {
  Loop loop;
  PARLANCE_TRY(gateway, Gateway::at(loop, settings, flags));
  PARLANCE_TRY_DO(loop.block_on(gateway->start()));
  return loop.block_on(gateway->remote().store().change(std::move(message)));
}

// Every agent is at the gateway, so a local program or another address is refused. Errors: invalid_params.
Result<void> check_no_command(const std::vector<std::string>& command);

}  // namespace parlance::app

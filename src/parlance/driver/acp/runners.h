// SPDX-License-Identifier: Apache-2.0
// The runners connected to this gateway, and those known to other gateways of the same store. Each agent of a runner becomes an
// agent of the hub with the name RUNNER/AGENT, over the runner's connection (protocol/acp/shared_connection.h). Loop thread only;
// the hub must outlive the object and owns its providers.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/driver/acp/runner_agent.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/team/rights.h"
#include "parlance/transport/frames.h"

namespace parlance::driver {

// A runner's own requests to the gateway, and the permission of its user for each. All other messages belong to sessions that the
// gateway began.
struct RunnerPermission {
  std::string_view method;
  hub::Permission permission;
};
inline constexpr std::array runner_permissions{RunnerPermission{"_parlance/offer", hub::Permission::create}};

class Runners {
 public:
  Runners(Loop& loop, hub::Hub& hub, std::string version);
  ~Runners();

  // Serves a connection of a permitted runner until its end.
  void serve(std::unique_ptr<Frames> frames, hub::CallerPtr caller);
  // For HubSettings::runners_changed.
  void take(const std::vector<hub::RunnerConnection>& runners);

  // For HubSettings::session_unused: deletes unused agent sessions on the runner, now or at its next connection.
  void delete_unused(const std::string& runner);

  std::size_t connected() const;
  // All known runners with their offers; by name.
  std::vector<const KnownRunner*> all() const;

  struct Runner;  // a runner by name, connected or not

 private:
  struct Link;  // its connection
  Task<void> live(std::unique_ptr<Frames> frames, hub::CallerPtr caller);
  Task<void> wait_for_offer(Link& link);
  Task<void> tend(Link& link);
  Task<void> delete_unused(Link& link);
  Task<Result<void>> accept(Link& link);
  Task<Result<hub::RunnerConnection>> store_connection(std::weak_ptr<Link> link, std::string name, std::string body,
                                                       std::string user);
  Task<void> dismiss(std::weak_ptr<Link> link, std::string why);
  // The runner of this name, or a new one. Errors: overloaded, if the connected runners of this user reach the limit of a user or
  // of the gateway. Never drops a connected runner of another user.
  Result<std::shared_ptr<Runner>> runner(const std::string& name, const std::string& user);
  std::size_t names_of(const std::string& user) const;
  bool forget_oldest_gone(const std::string* user);  // of this user, or of all users; false: all are connected
  void show(const std::shared_ptr<Runner>& runner);

  Loop& loop_;
  hub::Hub& hub_;
  std::string version_;
  std::map<std::string, std::shared_ptr<Runner>, std::less<>> runners_;
  Scope scope_;
};

}  // namespace parlance::driver

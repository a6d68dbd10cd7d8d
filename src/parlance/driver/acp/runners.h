// SPDX-License-Identifier: Apache-2.0
// Runners that are connected to this gateway, and those that other gateways of the same store know of: each agent that one offers is an agent
// of the hub, called RUNNER/AGENT, and works over the runner's connection (protocol/acp/shared_connection.h). Loop thread only; the hub
// outlives it, and has its providers.
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

// What a runner asks of the gateway by itself, and the permission that its user needs. All else that it sends belongs to the sessions that
// the gateway has begun there.
struct RunnerPermission {
  std::string_view method;
  hub::Permission permission;
};
inline constexpr std::array runner_permissions{RunnerPermission{"_parlance/offer", hub::Permission::create}};

class Runners {
 public:
  Runners(Loop& loop, hub::Hub& hub, std::string version);
  ~Runners();

  // A connection of who may be a runner; to its end.
  void serve(std::unique_ptr<Frames> frames, hub::CallerPtr caller);
  // For HubSettings::places_changed.
  void take(const std::vector<hub::PlaceAt>& places);

  // For HubSettings::session_left: deletes there what no conversation goes on with any more, now or when that runner is next here.
  void delete_left(const std::string& place);

  std::size_t connected() const;
  // All that are known, with what they offer; by name.
  std::vector<const RunnerPlace*> all() const;

  struct Runner;  // one by its name, whether it is connected or not

 private:
  struct Link;  // its connection
  Task<void> live(std::unique_ptr<Frames> frames, hub::CallerPtr caller);
  Task<void> wait_for_offer(Link& link);
  Task<void> tend(Link& link);
  Task<void> delete_left(Link& link);
  Task<Result<void>> accept(Link& link);
  Task<void> let_go(std::weak_ptr<Link> link, std::string why);
  // The runner of this name, or a new one. Errors: overloaded, when this user's runners that are connected use up all that a user, or the
  // gateway, may have. A name of another user that is connected is never given up for it.
  Result<std::shared_ptr<Runner>> runner(const std::string& name, const std::string& user);
  std::size_t names_of(const std::string& user) const;
  bool forget_oldest_gone(const std::string* user);  // of this user, or of anybody; false: all are connected
  void show(const std::shared_ptr<Runner>& runner);

  Loop& loop_;
  hub::Hub& hub_;
  std::string version_;
  std::map<std::string, std::shared_ptr<Runner>, std::less<>> runners_;
  Scope scope_;
};

}  // namespace parlance::driver

// Runners that are connected to this gateway, and those that other gateways of the same store know of: each agent that one offers is an agent
// of the hub, called RUNNER/AGENT, and works over the runner's connection (protocol/acp/shared_connection.h). Loop thread only; the hub
// outlives it, and has its providers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/driver/acp/runner_agent.h"
#include "parlance/hub/hub.h"
#include "parlance/transport/frames.h"

namespace parlance::driver {

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
  Result<std::shared_ptr<Runner>> runner(const std::string& name);
  void show(const std::shared_ptr<Runner>& runner);

  Loop& loop_;
  hub::Hub& hub_;
  std::string version_;
  std::map<std::string, std::shared_ptr<Runner>, std::less<>> runners_;
  Scope scope_;
};

}  // namespace parlance::driver

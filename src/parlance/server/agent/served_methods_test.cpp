// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "parlance/server/agent/agent_over_gorpc.h"

namespace parlance::server {
namespace {

// Each line of the table promises a method, so a line without a handler is a fault.
TEST(ServedMethods, EveryMethodOfTheTableIsServedUnderBothNamesAndNothingElse) {
  Loop loop{Loop::Time::virtual_};
  ChatStreams streams(loop);
  Router router;
  serve_agent(router, {.loop = loop, .agent = nullptr, .memory = nullptr, .streams = streams});
  std::vector<std::string> listed;
  for (const wire::Method& method : gorpc::methods.all())
    for (const std::string_view service : {gorpc::seed_service, gorpc::deployed_service})
      listed.push_back(std::string(service) + "." + std::string(method.name));
  const auto methods = router.methods();
  std::vector<std::string> served(methods.begin(), methods.end());
  std::ranges::sort(listed);
  std::ranges::sort(served);
  EXPECT_EQ(served, listed);
}

}  // namespace
}  // namespace parlance::server

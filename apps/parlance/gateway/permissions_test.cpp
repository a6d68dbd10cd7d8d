// SPDX-License-Identifier: Apache-2.0
// Each HTTP address with each role: the gateway refuses before a handler runs.
#include <gtest/gtest.h>

#include "apps/parlance/gateway/addresses.h"
#include "apps/parlance/gateway/test_support.h"
#include "parlance/gateway/own_addresses.h"

namespace parlance::app {
namespace {

using hub::TeamRole;

struct RoleAtTheGateway : ::testing::Test {
  RoleAtTheGateway() {
    hub::Team team;
    for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin}) {
      const std::string name(hub::to_string(role));
      team.users.push_back({.id = "user_" + name, .name = name, .role = role});
      team.tokens.push_back({.id = "token_" + name, .hash = gateway::hash_of("secret of " + name), .user = "user_" + name});
    }
    bench.frontends.set_team(std::make_shared<const hub::Team>(std::move(team)));
  }
  HttpResponse send(const Address& address, const std::string& name) {
    const std::string method = address.method == "*" ? "GET" : std::string(address.method);
    std::string path(address.path);
    if (path.ends_with("/*")) path.replace(path.size() - 1, 1, "x");
    HttpRequest request = bench.request(method, path, method == "POST" ? "{}" : "");
    request.headers.front().value = "Bearer secret of " + name;
    const auto answer = bench.loop.block_on(bench.client.fetch(std::move(request)));
    EXPECT_TRUE(answer) << path;
    return answer ? *answer : HttpResponse{};
  }

  static std::string text_of(const HttpResponse& answer) {
    const json::Value body = json::parse_or_null(answer.body);
    const json::Value* const error = body.find("error");
    return error == nullptr ? "" : std::string(error->text_or("message", ""));
  }

  test::GatewayBench bench;
};

TEST_F(RoleAtTheGateway, AnAddressWithoutPermissionIsRefusedWithTheReason) {
  for (const TeamRole role : {TeamRole::viewer, TeamRole::member, TeamRole::admin}) {
    const std::string name(hub::to_string(role));
    const auto expect = [&](const Address& address) {
      const HttpResponse answer = send(address, name);
      const std::string about = std::string(address.path) + " by " + name + ": " + answer.body;
      const bool is_runners = address.permission == Permission::connect;  // refused by the kind of the token
      const bool may = !is_runners && hub::may_anywhere(role, address.permission);
      EXPECT_EQ(answer.status == 403, !may) << about;
      if (!may && !is_runners) EXPECT_EQ(text_of(answer), hub::refusal_for(role, address.permission)) << about;
    };
    for (const Address& address : served_addresses) expect(address);
    for (const Address& address : gateway::own_addresses) expect(address);
  }
}

}  // namespace
}  // namespace parlance::app

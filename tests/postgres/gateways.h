// SPDX-License-Identifier: Apache-2.0
// Starts gateways with a common PostgreSQL server, and pages at each gateway.
#pragma once

#include <csignal>
#include <map>
#include <memory>
#include <string>

#include "tests/postgres/server.h"
#include "tests/system/conversations.h"

namespace parlance::test {

class GatewaysTest : public ConversationsTest {
 protected:
  static constexpr int lease_lost = 75;
  static constexpr const char* the_token = "the-token-of-this-test-is-long-enough";

  struct Gateway {
    std::unique_ptr<Program> program;
    std::string base;
  };

  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    store = postgres().new_database();
    std::filesystem::create_directories(work());
    agent =
        launch(with_program({"agent", "--agent-socket", socket(), "--state", path("agent-state"), "--rehearsal-pace-ms", pace}),
               {{"PARLANCE_STORE", memory_is_shared ? store : ""}});
    token = the_token;
  }
  std::unique_ptr<Program> launch_gateway(const std::string& name) {
    std::vector<std::string> words{"gateway",  "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--state",
                                   path(name), "--folder", work(),        "--lease",        "2"};
    words.insert(words.end(), gateway_flags.begin(), gateway_flags.end());
    Variables environment{{"PARLANCE_STORE", store}, {"PARLANCE_TOKEN", the_token}};
    environment.insert(environment.end(), gateway_environment.begin(), gateway_environment.end());
    return launch(with_program(std::move(words)), std::move(environment));
  }
  void until_ready(Gateway& one) {
    const auto ready_line = [](const std::string& line) { return line.contains("ready on "); };
    until([&] { return std::ranges::any_of(one.program->lines, ready_line) || one.program->ended(); }, "a gateway that is ready");
    if (one.program->ended()) throw std::runtime_error(one.program->errors);
    const std::string line = *std::ranges::find_if(one.program->lines, ready_line);
    one.base = line.substr(line.find("http://"));
    if (!one.base.ends_with('/')) one.base += '/';
    at(one);
    until_agent();
  }
  Gateway start_gateway(const std::string& name) {
    Gateway one{.program = launch_gateway(name)};
    until_ready(one);
    return one;
  }
  // Later requests go to this gateway.
  void at(const Gateway& one) { base = one.base; }
  std::unique_ptr<PageClient> page_at(const Gateway& one) {
    at(one);
    return connect();
  }
  // A page that follows a conversation from its beginning, whichever gateway owns the conversation.
  std::unique_ptr<PageClient> page_in(const Gateway& one, const std::string& id) {
    auto page = page_at(one);
    until([&] { return page->conversations.contains(id); }, "the conversation");
    open(*page, id);
    return page;
  }
  json::Value health_of(const Gateway& one) {
    at(one);
    return parsed(answer("GET", "health").body);
  }
  std::int64_t owned_by(const Gateway& one) { return parlance::test::at(health_of(one), {"gateway"}).integer_or("owned", -1); }

  std::string store;
  std::string pace = "0";
  bool memory_is_shared = false;           // … and not in a file of the agent
  std::vector<std::string> gateway_flags;  // more
  Variables gateway_environment;           // more
  std::unique_ptr<Program> agent;
};

// Each number once, none left out.
inline void expect_no_gap(PageClient& page, const std::string& id) {
  const auto seqs = page.seqs(id);
  for (std::size_t i = 0; i < seqs.size(); ++i) ASSERT_EQ(seqs[i], static_cast<std::int64_t>(i + 1)) << "a gap";
}

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// A team of ann and bob at a gateway with a PostgreSQL: their tokens, and connections with each.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "tests/postgres/gateways.h"
#include "tests/system/runner.h"

namespace parlance::test {

inline constexpr const char* marker = "zebra-7f3a91";  // in private content only

class TeamTest : public WithRunners<GatewaysTest> {
 protected:
  void SetUp() override {
    GatewaysTest::SetUp();
    if (IsSkipped()) return;
    one = start_gateway("one");
    for (const char* name : {"ann", "bob"}) {
      expect_done(command({"users", "add", name}));
      tokens[name] = token_of(name, {});
    }
    until_observed([&] { return comes_in("bob"); }, "a gateway that knows the users");
  }
  Finished command(std::vector<std::string> words) { return parlance(std::move(words), "", {{"PARLANCE_STORE", store}}); }
  static void expect_done(const Finished& finished) { ASSERT_EQ(finished.code, 0) << finished.errors; }
  std::string token_of(const std::string& user, std::vector<std::string> more) {
    std::vector<std::string> words{"tokens", "create", user};
    words.insert(words.end(), more.begin(), more.end());
    const Finished made = command(std::move(words));
    EXPECT_EQ(made.code, 0) << made.errors;
    return made.out.substr(0, made.out.find('\n'));
  }
  // The token of a runner, known to the gateway.
  std::string runner_token_of(const std::string& user) {
    token = token_of(user, {"--kind", "runner"});
    until_observed([&] { return answer("GET", "v1/models").status != 401; }, "a gateway that knows the token");
    return token;
  }
  void as(const std::string& name) { token = name == "machine" ? std::string(the_token) : tokens.at(name); }
  bool comes_in(const std::string& name) {
    as(name);
    return answer("GET", "v1/models").status == 200;
  }
  std::unique_ptr<PageClient> page_of(const std::string& name, const Gateway& where) {
    as(name);
    return page_at(where);
  }
  static Task<std::optional<std::string>> batch_of(Frames& frames) {
    const auto batch = co_await read_frames(frames);
    if (!batch || batch->empty()) co_return std::nullopt;
    std::string all;
    for (const BytesView frame : *batch) all.append(frame).append("\n");
    co_return all;
  }
  // The replies to an editor with these requests, one after the other.
  std::string replies_over_acp(const std::string& name, const std::vector<std::string>& asked) {
    as(name);
    auto frames = get(connect_websocket(
        loop, {.url = "ws" + base.substr(4) + "acp", .headers = {{.name = "Authorization", .value = "Bearer " + token}}}));
    if (!frames) throw std::runtime_error(frames.error().message);
    std::string received;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_TRUE((*frames)->send(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + "," + asked[i] + "}"));
      const std::string answer = R"("id":)" + std::to_string(i);
      while (!received.contains(answer)) {
        const auto batch = loop.block_on(batch_of(**frames));
        if (!batch) throw std::runtime_error("the connection has ended");
        received += *batch;
      }
    }
    return received;
  }
  // A connection that is read to its end.
  struct Listening {
    Listening(Loop& loop, std::unique_ptr<WebSocketFrames> of) : frames(std::move(of)), scope(loop) { scope.start(read()); }
    Task<void> read() {
      for (;;) {
        const auto batch = co_await batch_of(*frames);
        if (!batch) break;
        received += *batch;
      }
      ended = true;
    }
    std::unique_ptr<WebSocketFrames> frames;
    std::string received;
    bool ended = false;
    Scope scope;
  };
  std::unique_ptr<Listening> listening(const std::string& name, const std::string& path) {
    as(name);
    auto frames = get(connect_websocket(
        loop, {.url = "ws" + base.substr(4) + path, .headers = {{.name = "Authorization", .value = "Bearer " + token}}}));
    if (!frames) throw std::runtime_error(path + ": " + frames.error().message);
    return std::make_unique<Listening>(loop, *std::move(frames));
  }
  HttpResponse post_acp(const std::string& name, std::string body, const std::string& connection = "") {
    as(name);
    HttpRequest wanted = request("POST", "acp", std::move(body));
    if (!connection.empty()) wanted.headers.push_back({.name = "Acp-Connection-Id", .value = connection});
    auto response = send(std::move(wanted));
    if (!response) throw std::runtime_error(response.error().message);
    return *std::move(response);
  }
  Task<void> stream_of(HttpRequest wanted, bool& ended) {
    static_cast<void>(co_await client.stream(std::move(wanted), [](BytesView) -> Result<void> { return {}; }));
    ended = true;
  }
  std::string id_of_token(const std::string& user) {
    return text_at(parsed(command({"tokens", "list", user, "--json"}).out).array()->front(), {"id"});
  }

  Gateway one;
  std::map<std::string, std::string> tokens;
};

}  // namespace parlance::test

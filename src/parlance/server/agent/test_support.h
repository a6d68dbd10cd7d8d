// SPDX-License-Identifier: Apache-2.0
// For tests of the agent's services: a model with the test's answers, a memory with failures on request, and a client over
// net/rpc, on a virtual clock.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/transport/memory.h"

namespace parlance::server::test {

using namespace std::chrono_literals;

// Sends its pieces separately, `pace` apart, then ends with `answer`.
class FakeModel final : public model::Model {
 public:
  explicit FakeModel(Loop& loop) : loop_(loop) {}
  Task<Result<model::Completion>> chat(model::ChatRequest request, model::ChunkSink& chunks) override {
    struct Running {
      int& count;
      explicit Running(int& c) : count(c) { ++count; }
      ~Running() { --count; }
    };
    const Running one(running);
    asked.push_back(std::move(request));
    for (const model::Chunk& piece : pieces) {
      if (pace > 0s) co_await sleep_for(loop_, pace);
      PARLANCE_CO_TRY_DO(chunks.on_chunk(piece));
    }
    co_return answer;
  }
  std::string_view name() const override { return "fake"; }

  std::vector<model::ChatRequest> asked;
  std::vector<model::Chunk> pieces;
  Duration pace{0};
  Result<model::Completion> answer = model::Completion{.content = "Hello.", .usage = {.input_tokens = 7, .output_tokens = 2}};
  int running = 0;

 private:
  Loop& loop_;
};

class FakeStore final : public memory::Store {
 public:
  Task<Result<std::vector<memory::Put>>> put(std::string user, std::vector<memory::NewEntry> fresh) override {
    users.push_back(user);
    puts.push_back(fresh.front());
    if (failure) co_return fail(*failure);
    std::vector<memory::Put> done{{.id = "mem_1", .duplicate = puts.size() > 1}};
    co_return done;
  }
  Task<Result<memory::Entry>> get(std::string user, std::string id) override {
    users.push_back(user);
    if (failure) co_return fail(*failure);
    if (id != "mem_1") co_return fail(Errc::not_found, "it is not there");
    co_return entry;
  }
  Task<Result<std::vector<memory::Hit>>> search(std::string user, memory::Query query) override {
    users.push_back(user);
    queries.push_back(query);
    if (failure) co_return fail(*failure);
    co_return hits;
  }
  Task<Result<memory::Page>> list(std::string user, memory::ListQuery query) override {
    users.push_back(user);
    listings.push_back(query);
    if (failure) co_return fail(*failure);
    co_return page;
  }
  Task<Result<std::uint64_t>> forget(std::string user, memory::Forget what) override {
    users.push_back(user);
    if (failure) co_return fail(*failure);
    co_return what.id == "mem_1" ? 1 : 0;
  }
  Task<Result<memory::Stats>> stats(std::string user) override {
    users.push_back(user);
    if (failure) co_return fail(*failure);
    co_return memory::Stats{.entries = 3};
  }

  memory::Entry entry{.id = "mem_1",
                      .text = "I like tea",
                      .category = memory::Category::preference,
                      .importance = 0.8,
                      .created_at = "2024-05-06T07:08:09Z",
                      .updated_at = "2024-05-06T07:08:09Z"};
  std::vector<memory::Hit> hits;
  std::vector<memory::NewEntry> puts;
  std::vector<memory::Query> queries;
  std::vector<memory::ListQuery> listings;
  std::vector<std::string> users;  // the requested user of each call
  memory::Page page;
  std::optional<Error> failure;
};

class AgentBench : public testing::Test {
 protected:
  AgentBench() {
    auto made = std::make_unique<FakeModel>(loop);
    model = made.get();
    agent.emplace(loop, std::move(made), &memory);
  }
  ~AgentBench() override { scope.cancel(); }

  // Serves the parts enabled by the test.
  void serve(bool with_agent = true, bool with_memory = true) {
    serve_agent(
        router,
        {.loop = loop, .agent = with_agent ? &*agent : nullptr, .memory = with_memory ? &memory : nullptr, .streams = streams});
    connect();
  }
  void connect() {
    auto [near, far] = memory_pair(loop);
    server.serve(std::move(far));
    auto connected = loop.block_on(gorpc::connect(loop, std::move(near)));
    ASSERT_TRUE(connected);
    client = *std::move(connected);
    const auto run = [](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); };
    scope.start(run(*client));
  }
  // Simulates the kill of the client's program: its pending calls end silently.
  void hang_up() {
    scope.cancel();
    client.reset();
    loop.run_ready();
  }
  template <class P, class R>
  Task<Result<R>> ask(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, std::string service = "RPCService") {
    const std::string name = gorpc::method_of(service, method);
    co_return co_await client->call_named(name, method, std::move(parameters), no_deadline);
  }
  template <class P, class R>
  Result<R> call(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, std::string service = "RPCService") {
    return loop.block_on(ask(method, std::move(parameters), std::move(service)));
  }
  // Starts a call; its outcome arrives in `into`.
  template <class P, class R>
  void begin(const wire::Call<P, R>& method, std::type_identity_t<P> parameters, std::optional<Result<R>>& into) {
    scope.start(store_outcome(ask(method, std::move(parameters)), into));
    loop.run_ready();
  }
  template <class R>
  static Task<void> store_outcome(Task<Result<R>> task, std::optional<Result<R>>& into) {
    into = co_await std::move(task);
  }
  static gorpc::ChatArgs saying(std::string text, std::string stream = "") {
    return {.messages = {{.role = "user", .content = std::move(text)}}, .stream = std::move(stream)};
  }
  static std::vector<std::string> texts(const gorpc::ChatStreamReply& reply) {
    std::vector<std::string> all;
    for (const gorpc::ChatPiece& piece : reply.pieces) all.push_back(piece.kind + ":" + piece.text);
    return all;
  }
  static json::Value document(const Result<gorpc::ToolResultReply>& reply) {
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *json::parse(reply->result) : json::Value();
  }

  Loop loop{Loop::Time::virtual_};
  FakeStore memory;
  FakeModel* model = nullptr;
  std::optional<agent::ChatAgent> agent;
  ChatStreams streams{loop};
  Router router;
  gorpc::Server server{loop, router};
  std::unique_ptr<Peer> client;
  Scope scope{loop};
};

}  // namespace parlance::server::test

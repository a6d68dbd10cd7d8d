// SPDX-License-Identifier: Apache-2.0
// The whole gateway on a free port, with a hub in memory and an agent with the test's answers; and HTTP and WebSocket clients.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "apps/parlance/gateway/fake_chat_agent.h"
#include "apps/parlance/gateway/frontends.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/test_support.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/websocket_client.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::app::test {

inline constexpr std::string_view completions = "/v1/chat/completions";
// The page's subprotocols, with the token of these gateways.
inline const std::vector<std::string> page_subprotocols{"parlance.v1", "token.t0ken"};

// Answers each chat by `chat_script`, which may send chunks, wait or fail; and the memory calls from its fields.
class FakeAgent final : public agent::ChatBackend, public agent::AgentBackend {
 public:
  using ChatScript = std::function<Task<Result<model::Completion>>(const model::ChatRequest&, model::ChunkSink&)>;

  Task<Result<model::Completion>> chat(model::ChatRequest request, std::string, model::ChunkSink& chunks) override {
    struct Running {
      int& count;
      explicit Running(int& c) : count(c) { ++count; }
      ~Running() { --count; }
    };
    const Running running(running_chats);
    requests.push_back(request);
    co_return co_await chat_script(request, chunks);
  }
  std::vector<std::string> models() const override { return {"rehearsal"}; }

  Task<Result<std::map<std::string, std::int64_t>>> stats(std::string) override {
    if (down) co_return fail(*down);
    co_return std::map<std::string, std::int64_t>{{"memories", 3}, {"messages", 12}};
  }
  Task<Result<std::string>> memory_search(agent::MemorySearch search) override {
    searches.push_back(search);
    if (down) co_return fail(*down);
    co_return memory_document;
  }
  Task<Result<std::string>> memory_get(agent::MemoryPath memory) override {
    users.push_back(memory.user);
    if (memory.path != "m1") co_return fail(Errc::not_found, "memory not found: " + memory.path);
    co_return memory_document;
  }
  void set_parameters(const std::string& conversation, std::optional<agent::ModelParameters> wanted) override {
    kept_parameters.erase(conversation);
    if (!wanted) return;
    parameters.push_back(*wanted);
    kept_parameters.emplace(conversation, *std::move(wanted));
  }
  Task<Result<std::string>> memory_store(agent::MemoryItem item) override {
    items.push_back(item);
    co_return R"({"id":"m1"})";
  }
  Task<Result<std::string>> memory_list(agent::MemoryListing listing) override {
    listings.push_back(listing);
    if (down) co_return fail(*down);
    co_return list_document;
  }
  Task<Result<std::string>> memory_forget(agent::MemoryPath memory) override {
    if (down) co_return fail(*down);
    if (memory.path != "m1") co_return fail(Errc::not_found, "memory not found: " + memory.path);
    forgotten.push_back(memory.path);
    co_return R"({"action":"forgotten","id":"m1"})";
  }

  ChatScript chat_script = [](const model::ChatRequest&, model::ChunkSink&) -> Task<Result<model::Completion>> {
    co_return model::Completion{.content = "Hello.", .usage = {.input_tokens = 7, .output_tokens = 2}, .model = "rehearsal"};
  };
  std::vector<model::ChatRequest> requests;
  std::vector<agent::MemorySearch> searches;
  std::vector<agent::MemoryItem> items;
  std::vector<agent::MemoryListing> listings;
  std::vector<std::string> forgotten;
  std::vector<std::string> users;  // of memories fetched by id
  std::string list_document = R"({"count":1,"items":[{"id":"m1","text":"tea"}]})";
  std::string memory_document = R"({"id":"m1","text":"tea"})";
  std::optional<Error> down;
  int running_chats = 0;
  std::vector<agent::ModelParameters> parameters;                 // as set
  std::map<std::string, agent::ModelParameters> kept_parameters;  // by conversation
};

inline constexpr std::string_view test_token = "t0ken";

class GatewayBench {
 public:
  // `wait`: OpenAiSettings::ask_wait.
  explicit GatewayBench(std::chrono::milliseconds wait = std::chrono::seconds(20)) : ask_wait(wait) {
    hub.add_agent(std::make_unique<FakeChatProvider>(loop, agent));
    store.text_of = wire_form::event_json;
    const Result<void> hub_started = loop.block_on(hub.start());
    const Result<void> faces_started = frontends.start();
    PARLANCE_CHECK(hub_started && faces_started, "a gateway that starts");
  }

  std::string url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(frontends.gateway().port()) + std::string(path);
  }
  HttpRequest request(std::string method, std::string_view path, std::string body = "") const {
    return {.method = std::move(method),
            .url = url(path),
            .headers = {{.name = "Authorization", .value = "Bearer " + std::string(test_token)},
                        {.name = "Content-Type", .value = "application/json"}},
            .body = std::move(body),
            .total_timeout = std::chrono::seconds(20)};
  }
  HttpResponse send(std::string method, std::string_view path, std::string body = "") {
    auto answer = loop.block_on(client.fetch(request(std::move(method), path, std::move(body))));
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : HttpResponse{};
  }
  // `query` as in "?token=…"; headers as given.
  Result<std::unique_ptr<WebSocketFrames>> connect(std::string_view path, std::vector<std::string> subprotocols,
                                                   std::vector<HttpHeader> headers = {}) {
    return loop.block_on(connect_websocket(
        loop, {.url = "ws" + url(path).substr(4), .headers = std::move(headers), .subprotocols = std::move(subprotocols)}));
  }
  // The next message; empty at the end of the connection. Messages of one read are kept.
  std::string receive(Frames& frames) {
    if (received_.empty()) {
      const auto batch = loop.block_on(read_batch(frames));
      for (const std::string& line : batch) received_.push_back(line);
    }
    if (received_.empty()) return "";
    std::string first = received_.front();
    received_.erase(received_.begin());
    return first;
  }
  static std::string header(const HttpResponse& answer, std::string_view name) {
    const std::string* value = find_header(answer.headers, name);
    return value != nullptr ? *value : "";
  }
  // Runs the loop until the condition holds; the time limit ends a failing test.
  void until(const std::function<bool()>& condition) { loop.run_until(condition); }

  Loop loop;
  hub::test::MemoryStore store{loop};
  hub::test::Script script = [](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> {
    co_return hub::StopReason::end_turn;
  };
  hub::test::AgentLog log;
  hub::Hub hub{loop, store};
  FakeAgent agent;
  std::chrono::milliseconds ask_wait;
  std::string embed_url;  // "http://127.0.0.1:PORT/"; empty: none
  GatewayFrontends frontends{loop,
                             hub,
                             agent,
                             agent,
                             {.gateway = {.listen = {.host = "127.0.0.1", .port = 0},
                                          .auth = {.token = std::string(test_token)},
                                          .http = {.half_close_grace = std::chrono::milliseconds(20)}},
                              .page = {.version = "1.2.3", .home = "/home/ann", .default_folder = "/home/ann"},
                              .openai = {.ask_wait = ask_wait,
                                         .wall_clock = [] { return WallTime(std::chrono::seconds(1'700'000'000)); },
                                         .new_id = [](std::string_view prefix) { return std::string(prefix) + "1"; }},
                              .embed_service = [this]() -> Result<std::string> {
                                if (embed_url.empty()) return fail(Errc::disconnected, "no embedding service runs");
                                return embed_url;
                              }}};
  HttpClient client{loop};

 private:
  static Task<std::vector<std::string>> read_batch(Frames& frames) {
    const auto batch = co_await read_frames(frames);
    std::vector<std::string> out;
    if (batch)
      for (const BytesView frame : *batch) out.emplace_back(frame);
    co_return out;
  }
  std::vector<std::string> received_;
};

}  // namespace parlance::app::test

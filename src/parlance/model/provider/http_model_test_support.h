// SPDX-License-Identifier: Apache-2.0
// For tests of the clients of language models: a client of each kind, canned answers, and a virtual clock.
#pragma once

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/provider/anthropic.h"
#include "parlance/model/provider/openai.h"
#include "tests/support/model.h"

namespace parlance::model::test {

using namespace parlance::test;  // tests/support/model.h

inline const Scripted hello{.pieces = {data(R"({"choices":[{"delta":{"content":"Hello"}}]})"),
                                       data(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"), data("[DONE]")}};
inline const Scripted hello_anthropic{
    .pieces = {data(R"({"type":"message_start","message":{"content":[]}})"),
               data(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hello"}})"),
               data(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})"), data(R"({"type":"message_stop"})")}};

class HttpModelTest : public ::testing::Test {
 protected:
  void open(Kind kind, ModelSettings settings = {}) {
    settings.kind = kind;
    if (settings.url.empty()) settings.url = "http://host/v1";
    auto http = std::make_unique<FakeHttp>(loop);
    server = http.get();
    auto made =
        kind == Kind::openai ? make_openai(loop, settings, std::move(http)) : make_anthropic(loop, settings, std::move(http));
    ASSERT_TRUE(made) << made.error().message;
    model = *std::move(made);
    model->set_random([] { return 1.0; });
  }
  void start(ChatRequest request) {
    const auto run = [](HttpModelTest& self, ChatRequest what) -> Task<void> {
      self.result = co_await self.model->chat(std::move(what), self.chunks);
    };
    scope.start(run(*this, std::move(request)));
  }
  json::Value body(std::size_t request = 0) { return json::parse(server->requests.at(request).body).value(); }

  Loop loop{Loop::Time::virtual_};
  Chunks chunks;
  std::unique_ptr<HttpModel> model;
  FakeHttp* server = nullptr;
  std::optional<Result<Completion>> result;
  Scope scope{loop};
};

inline ChatRequest ask(std::string text = "hi") {
  return {.messages = {{.role = Role::user, .content = std::move(text)}}, .model = "m"};
}

// The second request of a loop: tools were asked for, and have answered.
inline ChatRequest loop_request() {
  ChatRequest request = ask("read it");
  request.messages.insert(request.messages.begin(), {.role = Role::system, .content = "rules"});
  request.messages.push_back({.role = Role::assistant,
                              .content = "I look.",
                              .reasoning = "Hm",
                              .tool_calls = {{"t1", "read", R"({"p": 1})"}, {"t2", "list", "broken"}}});
  request.messages.push_back({.role = Role::tool, .tool_results = {{"t1", "text"}, {"t2", "it broke", true}}});
  request.tools = {{"read", "Reads.", R"({"type":"object","properties":{"p":{"type":"integer"}}})"}, {"list", "Lists.", ""}};
  return request;
}

}  // namespace parlance::model::test

// SPDX-License-Identifier: Apache-2.0
// Changed roles, runners in /health and the memory of a shared conversation, with real connections.
#include "tests/postgres/team.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(TeamTest, ADemotionEndsEachConnectionAndItsWorkWithinASecond) {
  tokens["bobs runner"] = runner_token_of("bob");
  const auto bobs = page_of("bob", one);
  const auto anns = page_of("ann", one);
  const auto webview = listening("bob", "webview");
  const auto chats = listening("bob", "ws/chat");
  const auto editor = listening("bob", "acp");
  const auto runner = launch_runner(one.base, tokens["bobs runner"]);
  until_connected(*runner);
  const std::string hello = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}})";
  const HttpResponse begun = post_acp("bob", hello);
  const std::string* const link = find_header(begun.headers, "Acp-Connection-Id");
  ASSERT_NE(link, nullptr) << begun.body;
  HttpRequest stream = request("GET", "acp");
  stream.headers.push_back({.name = "Accept", .value = "text/event-stream"});
  stream.headers.push_back({.name = "Acp-Connection-Id", .value = *link});
  bool stream_ended = false;
  bool chat_ended = false;
  Scope scope(loop);
  scope.start(stream_of(std::move(stream), stream_ended));
  scope.start(stream_of(
      request("POST", "v1/chat/completions", R"({"model":"parlance","messages":[{"role":"user","content":"slow 60 100"}]})"),
      chat_ended));
  const auto runs = [&] {
    return text_at(parsed(answer("GET", "health").body), {"status"}) == "ok" &&
           answer("GET", "metrics").body.contains("parlance_http_conversations 1");
  };
  until_observed(runs, "a request that runs");
  EXPECT_FALSE(stream_ended || chat_ended);

  expect_done(command({"users", "role", "bob", "viewer"}));
  const TimePoint changed = loop.now();
  until([&] { return bobs->ended && webview->ended && chats->ended && editor->ended && stream_ended && chat_ended; }, "the ends");
  EXPECT_LT(loop.now() - changed, std::chrono::seconds(1));
  until([&] { return runner->errors.contains("you are a viewer"); }, "a runner that is refused when it comes back");
  EXPECT_FALSE(anns->ended);
  EXPECT_EQ(
      post_acp("bob", R"({"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":")" + work() + R"(","mcpServers":[]}})",
               *link)
          .status,
      404);
  as("machine");
  until_observed([&] { return answer("GET", "metrics").body.contains("parlance_http_conversations 0"); },
                 "the end of what ran for the request");

  EXPECT_THAT(replies_over_acp("bob", {R"("method":"initialize","params":{"protocolVersion":1})",
                                       R"("method":"session/new","params":{"cwd":")" + work() + R"(","mcpServers":[]})"}),
              HasSubstr("you are a viewer"));
  as("bob");
  for (const char* where : {"memory/list", "databases", "storage/stats", "doctor"})
    EXPECT_EQ(answer("GET", where).status, 403) << where;
  EXPECT_THAT(answer("GET", "health").body, Not(HasSubstr(R"("state":"here")"))) << "the gateway refuses a viewer's runner";
}

TEST_F(TeamTest, HealthShowsARunnerToItsUserAndAdminsOnly) {
  const auto runner = launch_runner(one.base, runner_token_of("ann"));
  until_connected(*runner);
  const auto health = [&](const std::string& name) {
    as(name);
    return answer("GET", "health").body;
  };
  EXPECT_THAT(health("bob"), AllOf(Not(HasSubstr("box")), Not(HasSubstr(farm()))));
  EXPECT_THAT(health("ann"), AllOf(HasSubstr("\"name\":\"box\""), HasSubstr(farm())));
  EXPECT_THAT(health("machine"), HasSubstr("\"name\":\"box\"")) << "an admin";
}

TEST_F(TeamTest, AGuestsMessageUsesNoMemory) {
  agent.reset();
  agent = launch(with_program({"agent", "--agent-socket", socket(), "--state", path("agent-state"), "--rehearsal-pace-ms", pace}),
                 {{"PARLANCE_STORE", store}});
  const auto remembered = [&] {
    as("ann");
    return answer("GET", "memory/list");
  };
  until_observed([&] { return remembered().status == 200; }, "an agent");
  ASSERT_EQ(answer("POST", "memory/store", R"({"text":"The door code is )" + std::string(marker) + "\"}").status, 200);
  const auto anns = page_of("ann", one);
  const auto bobs = page_of("bob", one);
  const std::string id = new_conversation(*anns);
  done(*anns, "set", R"("conversation":")" + id + R"(","access":"team")");
  until([&] { return bobs->conversations.contains(id); }, "the conversation");
  open(*bobs, id);
  std::size_t turns = 0;
  for (const char* said : {"recall door code", "remember that planted-by-bob", "forget door code"}) {
    prompt(*bobs, id, said);
    until_turns(*bobs, id, ++turns);
  }
  EXPECT_THAT(bobs->frames, Not(HasSubstr(marker)));
  EXPECT_THAT(remembered().body, AllOf(HasSubstr(marker), Not(HasSubstr("planted-by-bob"))));
  prompt(*anns, id, "recall door code");
  until_turns(*bobs, id, ++turns);
  EXPECT_THAT(bobs->frames, HasSubstr(marker)) << "ann's own message uses ann's memory";
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// The agent's chats for a client over net/rpc, on a virtual clock; its memory: memory_over_gorpc_test.cpp.
#include "parlance/server/agent/agent_over_gorpc.h"

#include <gmock/gmock.h>

#include "parlance/server/agent/chat_forms.h"
#include "parlance/server/agent/test_support.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class AgentOverGorpc : public test::AgentBench {};

// ---- missing parts
// ---------------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, WithoutItsPartsTheAgentAnswersWithTheSeedsSentences) {
  serve(false, false);
  const auto expect = [](const auto& reply, std::string_view text) {
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().message, text);
  };
  expect(call(gorpc::chat, saying("hi")), "agent not initialized");
  expect(call(gorpc::stats, {}), "storage not initialized");
  expect(call(gorpc::memory_search, {.query = "x"}), "memory store not initialized");
  expect(call(gorpc::memory_get, {.path = "x"}), "memory store not initialized");
  expect(call(gorpc::memory_store, {.text = "x"}), "memory store not initialized");
  expect(call(gorpc::memory_list, {}), "memory store not initialized");
  expect(call(gorpc::memory_forget, {.path = "x"}), "memory store not initialized");
}

TEST_F(AgentOverGorpc, BothServiceNamesAreServed) {
  serve();
  EXPECT_EQ(call(gorpc::chat, saying("hi"))->content, "Hello.");
  EXPECT_EQ(call(gorpc::chat, saying("hi"), "Agent")->content, "Hello.");
  EXPECT_EQ(call(gorpc::chat, saying("hi"), "Other").error().message, "rpc: can't find service Other.Chat");
}

// ---- chat ------------------------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, TheModelGetsTheWholeConversation) {
  serve();
  gorpc::ChatArgs args = saying("read it");
  args.messages.push_back(
      {.role = "assistant",
       .tool_calls = {{.id = "c1", .type = "function", .function = {.name = "read", .arguments = R"({"p":1})"}},
                      {.id = "c2", .type = "function", .function = {.name = "read", .arguments = "{}"}}}});
  // The role of results does not matter: deployed gateways send results as "user" too.
  args.messages.push_back({.role = "user",
                           .tool_results = {{.id = "c1", .type = "function", .result = {R"("plain text")"}},
                                            {.id = "c2", .type = "function", .result = {R"({"success":false,"error":"no"})"}}}});
  args.tools.push_back(
      {.type = "function", .function = {.name = "read", .description = "reads", .parameters = {{"type", {R"("object")"}}}}});
  args.model = "big";
  args.think = "on";
  const auto reply = call(gorpc::chat, args);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->input_tokens, 7);
  EXPECT_EQ(reply->stop, "end_turn");
  const model::ChatRequest& asked = model->asked.at(0);
  EXPECT_EQ(asked.model, "big");
  EXPECT_EQ(asked.think, model::Think::on);
  ASSERT_EQ(asked.messages.size(), 4U);  // behind the agent's own instructions
  EXPECT_EQ(asked.messages[2].tool_calls.at(0), (model::ToolCall{"c1", "read", R"({"p":1})"}));
  EXPECT_EQ(asked.messages[3].role, model::Role::tool);
  EXPECT_EQ(asked.messages[3].tool_results.at(0), (model::ToolResult{"c1", "plain text", false}));
  EXPECT_TRUE(asked.messages[3].tool_results.at(1).failed);
  EXPECT_EQ(asked.tools.at(0).parameters, R"({"type":"object"})");
}

TEST_F(AgentOverGorpc, ToolCallsAndErrorsTravel) {
  serve();
  model->answer = model::Completion{.tool_calls = {{"c9", "run", R"({"command":"ls"})"}}, .stop = model::StopReason::tool_calls};
  const auto reply = call(gorpc::chat, saying("go"));
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->tools.size(), 1U);
  EXPECT_EQ(reply->tools[0].id, "c9");
  EXPECT_EQ(reply->tools[0].type, "function");
  EXPECT_EQ(reply->tools[0].function.name, "run");
  EXPECT_EQ(reply->stop, "tool_calls");
  model->answer = fail(Errc::denied, "the key was refused");
  EXPECT_EQ(call(gorpc::chat, saying("go")).error().message, "the key was refused");
  EXPECT_THAT(call(gorpc::chat, {.messages = {{.role = "wizard", .content = "x"}}}).error().message,
              HasSubstr("Messages[0].Role: \"wizard\""));
}

TEST_F(AgentOverGorpc, RetriesAndSilenceArePiecesOfTheirOwn) {
  serve();
  model->pieces = {model::Retrying{.attempt = 2, .wait = 6'500ms, .reason = "busy", .attempts = 5}, model::Silence{15s},
                   model::Silence{}};
  ASSERT_TRUE(call(gorpc::chat, saying("hi", "s1")));
  EXPECT_THAT(texts(*call(gorpc::chat_stream, {.stream = "s1"})), ElementsAre("retry:7 2 5", "silence:15", "silence:0"));
}

// ---- streams ---------------------------------------------------------------------------------------------------------------------

TEST_F(AgentOverGorpc, AChatIsFollowedPieceByPiece) {
  serve();
  model->pieces = {model::ReasoningDelta{"hm"}, model::TextDelta{"Hel"}, model::TextDelta{"lo."}};
  model->pace = 1s;
  std::optional<Result<gorpc::ChatReply>> reply;
  begin(gorpc::chat, saying("hi", "s1"), reply);
  std::optional<Result<gorpc::ChatStreamReply>> first;
  begin(gorpc::chat_stream, {.stream = "s1"}, first);
  EXPECT_FALSE(first.has_value()) << "there is nothing yet, so it waits";
  loop.advance(1s);
  ASSERT_TRUE(first && *first);
  EXPECT_THAT(texts(**first), ElementsAre("reasoning:hm"));
  EXPECT_EQ((*first)->next, 1);
  EXPECT_FALSE((*first)->done);

  loop.advance(2s);
  ASSERT_TRUE(reply && *reply);
  const auto rest = call(gorpc::chat_stream, {.stream = "s1", .after = 1});
  ASSERT_TRUE(rest);
  EXPECT_THAT(texts(*rest), ElementsAre("text:Hello.")) << "pieces without a reader so far are joined";
  EXPECT_TRUE(rest->done);
  // Another follower, or the same after a lost reply, gets the whole stream.
  const auto again = call(gorpc::chat_stream, {.stream = "s1"});
  ASSERT_TRUE(again);
  EXPECT_THAT(texts(*again), ElementsAre("reasoning:hm", "text:Hello."));
  EXPECT_EQ(again->next, 2);
}

TEST_F(AgentOverGorpc, AFollowerMayComeBeforeItsChat) {
  serve();
  std::optional<Result<gorpc::ChatStreamReply>> early;
  begin(gorpc::chat_stream, {.stream = "s1"}, early);
  loop.advance(500ms);
  model->pieces = {model::TextDelta{"Hello."}};
  ASSERT_TRUE(call(gorpc::chat, saying("hi", "s1")));
  loop.run_ready();
  ASSERT_TRUE(early && *early);
  EXPECT_THAT(texts(**early), ElementsAre("text:Hello."));

  std::optional<Result<gorpc::ChatStreamReply>> lost;
  begin(gorpc::chat_stream, {.stream = "unknown"}, lost);
  loop.advance(10s);
  ASSERT_TRUE(lost && !*lost);
  EXPECT_EQ(lost->error().message, "no Chat runs under the name unknown");
}

TEST_F(AgentOverGorpc, SilenceIsFilledSoThatNoClientGivesUp) {
  serve();
  model->pieces = {model::TextDelta{"late"}};
  model->pace = 100s;
  std::optional<Result<gorpc::ChatReply>> reply;
  begin(gorpc::chat, saying("hi", "s1"), reply);
  std::optional<Result<gorpc::ChatStreamReply>> pieces;
  begin(gorpc::chat_stream, {.stream = "s1"}, pieces);
  loop.advance(20s);
  ASSERT_TRUE(pieces && *pieces);
  EXPECT_TRUE((*pieces)->pieces.empty());
  EXPECT_EQ((*pieces)->next, 0);
  EXPECT_FALSE((*pieces)->done);
}

TEST_F(AgentOverGorpc, AChatIsCancelledByItsName) {
  serve();
  model->pieces = {model::TextDelta{"never"}};
  model->pace = 100s;
  std::optional<Result<gorpc::ChatReply>> reply;
  begin(gorpc::chat, saying("hi", "s1"), reply);
  ASSERT_EQ(model->running, 1);
  EXPECT_THAT(call(gorpc::chat, saying("hi", "s1")).error().message, HasSubstr("a call is running under the name s1"));
  EXPECT_EQ(model->running, 1);
  EXPECT_FALSE(call(gorpc::chat_cancel, {.stream = "other"})->found);
  EXPECT_TRUE(call(gorpc::chat_cancel, {.stream = "s1"})->found);
  loop.run_ready();
  EXPECT_EQ(model->running, 0);
  ASSERT_TRUE(reply && !*reply);
  const auto end = call(gorpc::chat_stream, {.stream = "s1"});
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->done);
  EXPECT_FALSE(call(gorpc::chat_cancel, {.stream = "s1"})->found) << "it is over";
  // The name is free again.
  model->pace = 0s;
  EXPECT_TRUE(call(gorpc::chat, saying("hi", "s1")));
  EXPECT_THAT(texts(*call(gorpc::chat_stream, {.stream = "s1"})), ElementsAre("text:never"));
}

TEST_F(AgentOverGorpc, TextOfOldChatsIsForgotten) {
  serve();
  model->pieces = {model::TextDelta{"x"}};
  for (int i = 0; i < 66; ++i) ASSERT_TRUE(call(gorpc::chat, saying("hi", "s" + std::to_string(i))));
  EXPECT_TRUE(call(gorpc::chat_stream, {.stream = "s65"})->done);
  EXPECT_TRUE(call(gorpc::chat_stream, {.stream = "s2"})->done);
  std::optional<Result<gorpc::ChatStreamReply>> old;
  begin(gorpc::chat_stream, {.stream = "s0"}, old);
  loop.advance(10s);
  ASSERT_TRUE(old && !*old);
}

TEST_F(AgentOverGorpc, CountsComeInBothShapes) {
  serve();
  model->answer = model::Completion{.tool_calls = {{"c", "f", "{}"}}, .stop = model::StopReason::tool_calls};
  ASSERT_TRUE(call(gorpc::chat, saying("hi")));
  const auto reply = call(gorpc::stats, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->sessions, 1);
  EXPECT_EQ(reply->messages, 2);
  EXPECT_EQ(reply->tools_calls, 1);
  EXPECT_EQ(reply->tools_calls_in_json, 1);
  EXPECT_EQ(reply->stats, (std::map<std::string, std::int64_t>{
                              {"sessions", 1}, {"messages", 2}, {"tools_calls", 1}, {"memories", 3}, {"files", 0}}));
  ASSERT_TRUE(call(gorpc::stats_of, {.user = "u_ada"}));
  EXPECT_EQ(memory.users.back(), "u_ada") << "whose memories are counted";
  memory.failure = Error{Errc::failed, "the disk is full"};
  EXPECT_FALSE(call(gorpc::stats, {}));
}

TEST(ToolResultText, TextStaysUnchangedAndTheRestBecomesJson) {
  EXPECT_EQ(tool_result_text(R"("plain")"), "plain");
  EXPECT_EQ(tool_result_text(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(tool_result_text(""), "");
  EXPECT_EQ(tool_result_text("null"), "null");
}

}  // namespace
}  // namespace parlance::server

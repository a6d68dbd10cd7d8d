// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/memory_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/toolbox/memory_test_support.h"

namespace parlance::toolbox {
namespace {

using hub::MemoryUse;
using hub::ToolKind;
using testing::HasSubstr;

class MemoryToolsTest : public testing::Test {
 protected:
  static hub::ToolCall call(std::string tool, std::string arguments, std::string said = "", std::uint64_t event = 0) {
    return {
        .id = "call_1", .tool = std::move(tool), .arguments_json = std::move(arguments), .occasion = {std::move(said), event}};
  }
  Result<hub::ToolIntent> intent(hub::ToolCall of) { return loop.block_on(tools.intent(std::move(of))); }
  std::string run(hub::ToolCall of) {
    const auto outcome = loop.block_on(tools.call("conv_1", std::move(of)));
    return outcome ? outcome->text : outcome.error().message;
  }
  static hub::Effect effect(const hub::ToolIntent& intent) {
    return hub::decide({.conversation = "conv_1", .agent = "a", .folder = "/f", .tool = "t", .intent = intent}, {}).effect;
  }

  Loop loop{Loop::Time::virtual_};
  test::FakeMemory memory;
  MemoryTools tools{memory};
};

TEST_F(MemoryToolsTest, ASearchReturnsTheIdsOfItsResults) {
  EXPECT_EQ(effect(*intent(call("memory_search", R"({"query":"tea"})"))), hub::Effect::allow);
  memory.document = R"({"count":2,"items":[{"id":"m1","text":"I like tea","category":"preference","score":"0.9100"},)"
                    R"({"id":"m2","text":"the shed is green","category":"fact","score":"0.7100"}],"result":"Found 2 memories:"})";
  EXPECT_EQ(
      run(call("memory_search", R"({"query":"tea","category":"fact","limit":3})")),
      "Found 2 memories:\n- [preference] I like tea (id m1, score 0.9100)\n- [fact] the shed is green (id m2, score 0.7100)");
  ASSERT_EQ(memory.searches.size(), 1U);
  EXPECT_EQ(memory.searches[0].query, "tea");
  EXPECT_EQ(memory.searches[0].category, "fact");
  EXPECT_EQ(memory.searches[0].limit, 3);
  EXPECT_EQ(memory.searches[0].min_score, std::nullopt);
}

TEST_F(MemoryToolsTest, ForAGuestsMessageAllMemoryToolsAreDenied) {
  memory.document = R"({"count":1,"items":[{"id":"m1","text":"the door code"}]})";
  for (const auto& [tool, arguments] : {std::pair("memory_search", R"({"query":"door code"})"),
                                        {"memory_store", R"({"text":"planted"})"},
                                        {"memory_forget", R"({"id":"m1"})"}}) {
    hub::ToolCall guests = call(tool, arguments, "remember that", 4);
    guests.occasion.user = "user_ann";
    guests.occasion.of_guest = true;
    EXPECT_EQ(intent(guests).error().code, Errc::denied) << tool;
    EXPECT_THAT(run(guests), HasSubstr("another person wrote the message")) << tool;
  }
  EXPECT_TRUE(memory.searches.empty() && memory.items.empty() && memory.users.empty());
}

TEST_F(MemoryToolsTest, EmptyResultsAndForeignDocumentsStayUnchanged) {
  memory.document = R"({"count":0,"result":"No relevant memories found."})";
  EXPECT_EQ(run(call("memory_search", R"({"query":"tea"})")), "No relevant memories found.");
  memory.document = "not JSON";
  EXPECT_EQ(run(call("memory_search", R"({"query":"tea"})")), "not JSON");
  memory.document = fail(Errc::deadline_exceeded, "timeout waiting for agent at x");
  EXPECT_EQ(run(call("memory_search", R"({"query":"tea"})")), "timeout waiting for agent at x");
}

TEST_F(MemoryToolsTest, AMemoryNamesItsOrigin) {
  memory.document = R"({"action":"created","id":"m7","result":"Stored: I like tea"})";
  EXPECT_EQ(run(call("memory_store", R"({"text":"I like tea","category":"preference","importance":0.9})", "remember it", 17)),
            "Stored: I like tea");
  ASSERT_EQ(memory.items.size(), 1U);
  EXPECT_EQ(memory.items[0].text, "I like tea");
  EXPECT_EQ(memory.items[0].category, "preference");
  EXPECT_EQ(memory.items[0].importance, 0.9);
  EXPECT_EQ(memory.items[0].source, "agent");
  EXPECT_EQ(memory.items[0].conversation, "conv_1");
  EXPECT_EQ(memory.items[0].event, 17U);
}

TEST_F(MemoryToolsTest, TheMemoryBelongsToTheConversationsUser) {
  const auto of_ada = [&](std::string tool, std::string arguments) {
    hub::ToolCall made = call(std::move(tool), std::move(arguments));
    made.occasion.user = "u_ada";
    return made;
  };
  run(of_ada("memory_search", R"({"query":"tea"})"));
  run(of_ada("memory_store", R"({"text":"I like tea"})"));
  run(of_ada("memory_forget", R"({"id":"m1"})"));
  ASSERT_TRUE(intent(of_ada("memory_forget", R"({"id":"m1"})")));
  EXPECT_EQ(memory.searches.at(0).user, "u_ada");
  EXPECT_EQ(memory.items.at(0).user, "u_ada");
  EXPECT_EQ(memory.users, (std::vector<std::string>{"u_ada", "u_ada"})) << "also the lookup before the removal";
}

TEST_F(MemoryToolsTest, StoringIsFreeAfterARequestOfThePerson) {
  const std::string text = R"({"text":"I like tea\nvery much","category":"preference"})";
  const auto asked = intent(call("memory_store", text, "please remember that I like tea"));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->memory, MemoryUse::keep);
  EXPECT_EQ(asked->title, "I like tea");
  EXPECT_EQ(asked->detail, "I like tea\nvery much\n(preference)");
  EXPECT_EQ(effect(*asked), hub::Effect::allow);
  const auto unasked = intent(call("memory_store", text, "what do I like?"));
  ASSERT_TRUE(unasked);
  EXPECT_EQ(effect(*unasked), hub::Effect::ask);
}

TEST_F(MemoryToolsTest, ForgettingShowsTheWordsAndIsAlwaysAsked) {
  const auto shown = intent(call("memory_forget", R"({"id":"m1"})", "forget that I like tea"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->memory, MemoryUse::forget);
  EXPECT_EQ(shown->title, "I like tea");
  EXPECT_EQ(shown->detail, "I like tea\nand cake\n(m1)");
  EXPECT_EQ(effect(*shown), hub::Effect::ask);
  EXPECT_TRUE(memory.forgotten.empty()) << "showing forgets nothing";
  EXPECT_EQ(run(call("memory_forget", R"({"id":"m1"})")), "Forgotten: m1");
  EXPECT_EQ(memory.forgotten, std::vector<std::string>{"m1"});
  EXPECT_EQ(intent(call("memory_forget", R"({"id":"m2"})")).error(), (Error{Errc::not_found, "memory not found: m2"}));
}

TEST_F(MemoryToolsTest, AMismatchIsNamed) {
  EXPECT_THAT(intent(call("memory_search", "{}")).error().message, HasSubstr("$.query"));
  EXPECT_THAT(intent(call("memory_store", R"({"text":"  "})")).error().message, HasSubstr("$.text"));
  EXPECT_THAT(intent(call("memory_store", R"({"text":5})")).error().message, HasSubstr("memory_store"));
  EXPECT_THAT(intent(call("memory_forget", R"({"id":""})")).error().message, HasSubstr("$.id"));
  EXPECT_TRUE(memory.items.empty());
}

}  // namespace
}  // namespace parlance::toolbox

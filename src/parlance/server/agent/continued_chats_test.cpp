// SPDX-License-Identifier: Apache-2.0
// ContinueChat: the agent keeps the messages of earlier calls by the digest of their content.
#include "parlance/model/earlier_messages.h"
#include "parlance/protocol/gorpc/history_digest.h"
#include "parlance/server/agent/history_cache.h"
#include "parlance/server/agent/test_support.h"

namespace parlance::server {
namespace {

using gorpc::ContinueChatArgs;

gorpc::Message said(std::string text) { return {.role = "user", .content = std::move(text)}; }
gorpc::Message answered(std::string text) { return {.role = "assistant", .content = std::move(text)}; }

class ContinuedChats : public test::AgentBench {
 protected:
  // The messages that the model received, without the agent's instructions.
  std::vector<std::string> seen() {
    model::ChatRequest request = model->asked.back();
    model::take_in_earlier(request);
    std::vector<std::string> texts;
    for (std::size_t i = 1; i < request.messages.size(); ++i) texts.push_back(request.messages[i].content);
    return texts;
  }
  static ContinueChatArgs args(std::vector<gorpc::Message> messages, std::string history = "", std::int64_t remember = 0) {
    messages.insert(messages.begin(), gorpc::Message{.role = "system", .content = "folder"});
    return {.chat = {.messages = std::move(messages), .alone = true}, .history = std::move(history), .remember = remember};
  }
  using Texts = std::vector<std::string>;
};

TEST_F(ContinuedChats, LaterCallsCarryLaterMessagesOnly) {
  serve();
  EXPECT_TRUE(call(gorpc::abilities, {})->continues);
  const auto first = call(gorpc::continue_chat, args({said("p1"), answered("a1"), said("p2")}, "", 2));
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->reply.content, "Hello.");
  EXPECT_EQ(first->history, gorpc::history_digest("", std::vector{said("p1"), answered("a1")}));
  EXPECT_EQ(seen(), (Texts{"folder", "p1", "a1", "p2"}));
  const auto second = call(gorpc::continue_chat, args({said("p2"), answered("a2"), said("p3")}, first->history, 2));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(seen(), (Texts{"folder", "p1", "a1", "p2", "a2", "p3"}));
  const auto third = call(gorpc::continue_chat, args({said("p3")}, second->history));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->history, second->history) << "the same messages stay";
  EXPECT_EQ(seen(), (Texts{"folder", "p1", "a1", "p2", "a2", "p3"}));
}

TEST_F(ContinuedChats, AnUnknownDigestIsAnsweredBeforeTheModelIsCalledAndItsNameStaysFree) {
  serve();
  auto unknown = args({said("p2")}, std::string(64, 'a'), 0);
  unknown.chat.stream = "turn.0";
  unknown.chat.keep = 60;
  const auto refused = call(gorpc::continue_chat, unknown);
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_TRUE(refused->unknown);
  EXPECT_TRUE(model->asked.empty());
  auto whole = args({said("p1"), answered("a1"), said("p2")}, "", 2);
  whole.chat.stream = "turn.0";
  whole.chat.keep = 60;
  const auto reply = call(gorpc::continue_chat, whole);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->reply.content, "Hello.");
  EXPECT_EQ(model->asked.size(), 1U);
}

TEST_F(ContinuedChats, WithoutHistoryAndRememberItIsAChat) {
  serve();
  const auto reply = call(gorpc::continue_chat, args({said("p1")}));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->reply.content, "Hello.");
  EXPECT_EQ(reply->history, "");
  EXPECT_FALSE(reply->unknown);
}

TEST_F(ContinuedChats, FaultyNumbersAndAttachmentsAreRefused) {
  serve();
  auto picture = said("look");
  picture.attachments.push_back({.media_type = "image/png", .data = {"png"}});
  for (const ContinueChatArgs& faulty :
       {args({said("p1")}, "", -1), args({said("p1")}, "", 2), args({picture, said("p2")}, "", 1), args({}, "", 0)}) {
    const auto reply = call(gorpc::continue_chat, faulty);
    ASSERT_FALSE(reply);
  }
  EXPECT_TRUE(model->asked.empty());
}

TEST_F(ContinuedChats, AFailedCallMayBeRepeatedWithTheSameDigest) {
  serve();
  const auto first = call(gorpc::continue_chat, args({said("p1"), answered("a1"), said("p2")}, "", 2));
  ASSERT_TRUE(first);
  model->answer = fail(Errc::overloaded, "busy");
  ASSERT_FALSE(call(gorpc::continue_chat, args({said("p2"), answered("a2"), said("p3")}, first->history, 2)));
  model->answer = model::Completion{.content = "back"};
  const auto again = call(gorpc::continue_chat, args({said("p2"), answered("a2"), said("p3")}, first->history, 2));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->unknown);
  EXPECT_EQ(seen(), (Texts{"folder", "p1", "a1", "p2", "a2", "p3"}));
}

// gob carries a result as a value, so its JSON text is written again by the receiver.
TEST_F(ContinuedChats, ResultsOfToolsKeepTheirDigestOnTheWire) {
  serve();
  const std::vector<gorpc::Message> turn{
      said("p1"),
      {.role = "assistant",
       .tool_calls = {{.id = "c1", .type = "function", .function = {.name = "look", .arguments = R"({"b":1,"a":2})"}}}},
      {.role = "tool",
       .tool_results = {{.id = "c1", .type = "function", .result = {R"("line\n\"two\" ä")"}},
                        {.id = "c2", .type = "function", .result = {R"({"success":false,"error":"no such file"})"}}}},
      answered("a1")};
  auto messages = turn;
  messages.push_back(said("p2"));
  const auto reply = call(gorpc::continue_chat, args(messages, "", 4));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->history, gorpc::history_digest("", turn));
}

TEST_F(ContinuedChats, ADigestDependsOnEachFieldAndNotOnTheNumberOfCalls) {
  const std::vector all{said("p1"), answered("a1"), said("p2"), answered("a2")};
  const std::span<const gorpc::Message> messages(all);
  const std::string whole = gorpc::history_digest("", messages);
  EXPECT_EQ(gorpc::history_digest(gorpc::history_digest("", messages.first(3)), messages.subspan(3)), whole);
  EXPECT_EQ(whole.size(), 64U);
  EXPECT_NE(gorpc::history_digest("", std::vector{said("ab")}), gorpc::history_digest("", std::vector{said("a"), said("b")}));
  EXPECT_NE(gorpc::history_digest("", std::vector{said("a")}), gorpc::history_digest("", std::vector{answered("a")}));
  EXPECT_EQ(gorpc::history_digest("x", {}), "x");
}

// ---- the cache -------------------------------------------------------------------------------------------------------------

TEST(HistoryCache, KeepsTheNewestTwoDigestsOfAConversation) {
  HistoryCache cache;
  const auto one = cache.extend("", std::vector{said("1")});
  const auto two = cache.extend(one.digest, std::vector{said("2")});
  const auto three = cache.extend(two.digest, std::vector{said("3")});
  EXPECT_EQ(cache.find(one.digest), nullptr);
  EXPECT_NE(cache.find(two.digest), nullptr);
  EXPECT_NE(cache.find(three.digest), nullptr);
  EXPECT_EQ(cache.digests(), 2U);
  EXPECT_EQ(cache.extend(two.digest, std::vector{said("3")}).history, three.history) << "the same content once";
}

TEST(HistoryCache, ForgetsTheLeastRecentlyUsedBeyondItsLimits) {
  HistoryCache cache(1 << 20, 3);
  const auto a = cache.extend("", std::vector{said("a")});
  const auto b = cache.extend("", std::vector{said("b")});
  const auto c = cache.extend("", std::vector{said("c")});
  ASSERT_NE(cache.find(a.digest), nullptr);
  cache.extend("", std::vector{said("d")});
  EXPECT_EQ(cache.find(b.digest), nullptr);
  EXPECT_NE(cache.find(a.digest), nullptr);
  EXPECT_NE(cache.find(c.digest), nullptr);
}

TEST(HistoryCache, CountsBytesUntilTheLastUserOfAHistoryEnds) {
  HistoryCache cache(10'000, 100);
  auto small = cache.extend("", std::vector{said("a")});
  const std::size_t before = cache.bytes();
  EXPECT_GT(before, 0U);
  auto large = cache.extend(small.digest, std::vector{said(std::string(20'000, 'x'))});
  EXPECT_EQ(large.digest, "") << "beyond the limit: not kept, and the running request still has its messages";
  ASSERT_NE(large.history, nullptr);
  EXPECT_GT(cache.bytes(), 20'000U);
  EXPECT_EQ(cache.digests(), 0U);
  large.history.reset();
  EXPECT_EQ(cache.bytes(), before);
  small.history.reset();
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(EarlierMessages, ALongChainOfPartsEndsWithoutARecursion) {
  std::shared_ptr<model::EarlierMessages> newest;
  for (int i = 0; i < 200'000; ++i)
    newest = std::make_shared<model::EarlierMessages>(std::move(newest), std::vector<model::Message>{});
  newest.reset();
}

}  // namespace
}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// Conversations whose history the agent keeps: the gateway sends each message once, and all messages to an agent without them.
#include "parlance/driver/gorpc/test_support.h"
#include "parlance/model/earlier_messages.h"
#include "parlance/protocol/gorpc/history_digest.h"

namespace parlance::driver {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::vector<gorpc::Message>& messages) {
  Texts all;
  for (const gorpc::Message& message : messages)
    if (message.role != "system") all.push_back(message.content);
  return all;
}

// An agent of the test, which records each request.
struct KeptHistories : test::GorpcBench {
  void serve_recorded(bool announced = true, bool served = true) {
    gorpc::serve_method(router, gorpc::abilities, [this, announced](wire::Nothing, Context&) -> Result<gorpc::AbilitiesReply> {
      ++abilities_asked;
      return gorpc::AbilitiesReply{.attachments = true, .media_types = {"image/png"}, .continues = announced};
    });
    if (served)
      gorpc::serve_method(
          router, gorpc::continue_chat,
          [this](gorpc::ContinueChatArgs args, Context&) -> Result<gorpc::ContinueChatReply> { return answer(std::move(args)); });
    serve(false);
    link->keep_connected();
    loop.run_until([&] { return link->known_abilities().has_value(); });
    ASSERT_TRUE(link->known_abilities());
  }
  gorpc::ContinueChatReply answer(gorpc::ContinueChatArgs args) {
    continued.push_back(args);
    if (!args.history.empty() && unknown > 0) {
      --unknown;
      return {.unknown = true};
    }
    if (always_unknown) return {.unknown = true};
    const auto first = std::ranges::find_if(args.chat.messages, [](const auto& message) { return message.role != "system"; });
    const std::span kept(first, static_cast<std::size_t>(args.remember));
    std::string digest = gorpc::history_digest(args.history, kept);
    if (confirms_other) digest = std::string(64, '0');
    return {.reply = {.content = "a" + std::to_string(++answers)}, .history = std::move(digest)};
  }
  int unknown = 0;
  bool always_unknown = false;
  bool confirms_other = false;
  int answers = 1;
  int abilities_asked = 0;
  std::vector<gorpc::ContinueChatArgs> continued;
};

TEST_F(KeptHistories, EachMessageIsSentOnce) {
  serve_recorded();
  for (const char* text : {"p1", "p2", "p3", "p4"}) prompt(text);
  ASSERT_EQ(old_asked.size(), 1U) << "the first prompt has no history";
  ASSERT_EQ(continued.size(), 3U);
  EXPECT_EQ(texts(continued[0].chat.messages), (Texts{"p1", "done", "p2"}));
  EXPECT_EQ(continued[0].history, "");
  EXPECT_EQ(continued[0].remember, 2);
  EXPECT_EQ(texts(continued[1].chat.messages), (Texts{"p2", "a2", "p3"}));
  EXPECT_EQ(continued[1].history.size(), 64U);
  EXPECT_EQ(texts(continued[2].chat.messages), (Texts{"p3", "a3", "p4"}));
  EXPECT_TRUE(failures().empty());
}

TEST_F(KeptHistories, AnUnknownHistoryIsSentAgainAsAWholeAndNoPersonSeesIt) {
  serve_recorded();
  for (const char* text : {"p1", "p2"}) prompt(text);
  unknown = 1;
  prompt("p3");
  ASSERT_EQ(continued.size(), 3U);
  EXPECT_EQ(continued[2].history, "");
  EXPECT_EQ(texts(continued[2].chat.messages), (Texts{"p1", "done", "p2", "a2", "p3"}));
  EXPECT_EQ(answers, 3) << "one answer for each prompt";
  EXPECT_TRUE(failures().empty());
  prompt("p4");
  EXPECT_EQ(texts(continued[3].chat.messages), (Texts{"p3", "a3", "p4"}));
}

TEST_F(KeptHistories, AnotherDigestThanTheGatewaysIsNeverUsed) {
  confirms_other = true;
  serve_recorded();
  for (const char* text : {"p1", "p2", "p3"}) prompt(text);
  ASSERT_EQ(continued.size(), 2U);
  EXPECT_EQ(continued[1].history, "");
  EXPECT_EQ(texts(continued[1].chat.messages), (Texts{"p1", "done", "p2", "a2", "p3"}));
}

TEST_F(KeptHistories, AnAgentWithoutTheAbilityGetsAllMessagesInEachChat) {
  serve_recorded(false);
  for (const char* text : {"p1", "p2", "p3"}) prompt(text);
  EXPECT_TRUE(continued.empty());
  ASSERT_EQ(old_asked.size(), 3U);
  EXPECT_EQ(texts(old_asked[2].messages), (Texts{"p1", "done", "p2", "done", "p3"}));
}

TEST_F(KeptHistories, AnAgentThatDoesNotServeItsAbilityGetsAllMessagesInEachChat) {
  serve_recorded(true, false);
  for (const char* text : {"p1", "p2", "p3"}) prompt(text);
  ASSERT_EQ(old_asked.size(), 3U);
  EXPECT_EQ(texts(old_asked[2].messages), (Texts{"p1", "done", "p2", "done", "p3"}));
  EXPECT_TRUE(failures().empty());
}

TEST_F(KeptHistories, AnAgentThatKnowsNoHistoryAtAllIsAskedOnce) {
  always_unknown = true;
  serve_recorded();
  for (const char* text : {"p1", "p2", "p3"}) prompt(text);
  EXPECT_EQ(continued.size(), 1U);
  ASSERT_EQ(old_asked.size(), 3U);
  EXPECT_EQ(texts(old_asked[2].messages), (Texts{"p1", "done", "p2", "done", "p3"}));
  EXPECT_TRUE(failures().empty());
}

TEST_F(KeptHistories, MessagesFromAPictureOnAreSentEachTime) {
  serve_recorded();
  prompt("p1");
  prompt("p2");
  prompt("look", {}, {{.about = {.media_type = "image/png", .name = "a.png", .bytes = 3}, .data = "png"}});
  prompt("p4");
  ASSERT_EQ(continued.size(), 3U);
  EXPECT_EQ(continued[2].remember, 0);
  EXPECT_EQ(continued[2].history,
            continued[1].remember > 0
                ? gorpc::history_digest(continued[1].history, std::span(continued[1].chat.messages).subspan(1, 2))
                : "");
  EXPECT_EQ(texts(continued[2].chat.messages), (Texts{"look", "a3", "p4"}));
  EXPECT_EQ(continued[2].chat.messages[1].attachments.size(), 1U);
}

TEST_F(KeptHistories, AClearedConversationSendsItsNewMessages) {
  serve_recorded();
  for (const char* text : {"p1", "p2", "p3"}) prompt(text);
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ClearConversation{})));
  prompt("q1");
  prompt("q2");
  EXPECT_EQ(texts(old_asked.back().messages), Texts{"q1"});
  EXPECT_EQ(continued.back().history, "");
  EXPECT_EQ(texts(continued.back().chat.messages), (Texts{"q1", "done", "q2"}));
}

TEST_F(KeptHistories, TwoConversationsKeepTheirOwnHistories) {
  serve_recorded();
  const std::string first_id = id;
  const std::string other = loop.block_on(hub->create({.agent = "parlance", .folder = "/project"}))->id;
  for (const char* text : {"1", "2", "3"}) {
    for (const std::string& session : {first_id, other}) {
      id = session;
      prompt((session == first_id ? "p" : "q") + std::string(text));
    }
  }
  ASSERT_EQ(continued.size(), 4U);
  EXPECT_EQ(texts(continued[2].chat.messages), (Texts{"p2", "a2", "p3"}));
  EXPECT_EQ(texts(continued[3].chat.messages), (Texts{"q2", "a3", "q3"}));
  EXPECT_NE(continued[2].history, continued[3].history);
}

// ---- with the built-in agent -------------------------------------------------------------------------------------------------

struct BuiltinKeptHistories : test::GorpcBench {
  Texts seen() {
    model::ChatRequest request = model->asked.back();
    earlier = request.earlier != nullptr;
    model::take_in_earlier(request);
    Texts all;
    for (const model::Message& message : request.messages)
      if (message.role != model::Role::system) all.push_back(message.content);
    return all;
  }
  bool earlier = false;  // the last request used kept messages
};

TEST_F(BuiltinKeptHistories, TheModelReceivesAllMessagesInTheirOrder) {
  serve(true);
  for (const char* text : {"p1", "p2", "p3"}) prompt(text);
  EXPECT_EQ(seen(), (Texts{"p1", "done", "p2", "done", "p3"}));
  EXPECT_TRUE(earlier);
  model->calls = 2;
  prompt("p4");
  EXPECT_EQ(model->asked.size(), 6U) << "two rounds of tools, and the answer";
  const Texts all = seen();
  ASSERT_EQ(all.size(), 11U);
  EXPECT_EQ(all[6], "p4");
  prompt("p5");
  EXPECT_EQ(seen().size(), 13U);
  EXPECT_TRUE(earlier);
  EXPECT_TRUE(failures().empty());
}

}  // namespace
}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// Chats that continue after the loss of their caller, until the caller reconnects over net/rpc. On a virtual clock.
#include <gmock/gmock.h>

#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/server/agent/test_support.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Reply = std::optional<Result<gorpc::ChatReply>>;

class KeptChats : public test::AgentBench {
 protected:
  KeptChats() {
    model->pieces = {model::ReasoningDelta{"hm"}, model::TextDelta{"Hel"}, model::TextDelta{"lo."}};
    model->pace = 10s;
  }
  static gorpc::ChatArgs kept(std::string stream, std::int64_t seconds = 60) {
    gorpc::ChatArgs args = saying("hi", std::move(stream));
    args.keep = seconds;
    return args;
  }
};

TEST_F(KeptChats, ADisconnectedCallerReturnsToTheSameAnswerAndItsWholeText) {
  serve();
  Reply lost;
  begin(gorpc::chat, kept("s1"), lost);
  loop.advance(15s);
  hang_up();
  EXPECT_EQ(model->running, 1) << "it goes on";
  connect();
  loop.advance(10s);
  Reply reply;
  begin(gorpc::chat, kept("s1"), reply);
  EXPECT_FALSE(reply);
  loop.advance(10s);
  ASSERT_TRUE(reply && *reply);
  EXPECT_EQ((*reply)->content, "Hello.");
  EXPECT_EQ((*reply)->input_tokens, 7);
  EXPECT_EQ(model->asked.size(), 1U) << "the model was asked once";
  EXPECT_THAT(texts(*call(gorpc::chat_stream, {.stream = "s1"})), ElementsAre("reasoning:hm", "text:Hello."));
}

TEST_F(KeptChats, AnUnreadAnswerIsKeptForItsTimeAndThenForgotten) {
  serve();
  Reply lost;
  begin(gorpc::chat, kept("s1"), lost);
  hang_up();
  connect();
  loop.advance(30s);
  EXPECT_EQ(model->running, 0);
  EXPECT_EQ(call(gorpc::chat, kept("s1"))->content, "Hello.");
  EXPECT_EQ(call(gorpc::chat, kept("s1"))->content, "Hello.") << "the answer may be lost on its way, too";
  EXPECT_EQ(model->asked.size(), 1U);
  loop.advance(61s);
  model->pace = 0s;
  EXPECT_EQ(call(gorpc::chat, kept("s1"))->content, "Hello.");
  EXPECT_EQ(model->asked.size(), 2U) << "asked anew";
}

TEST_F(KeptChats, AnOwnerThatNeverReturnsStopsTheModel) {
  serve();
  model->pace = 1000s;
  Reply lost;
  begin(gorpc::chat, kept("s1"), lost);
  loop.advance(500s);
  EXPECT_EQ(model->running, 1) << "while it waits, there is no limit";
  hang_up();
  loop.advance(59s);
  EXPECT_EQ(model->running, 1);
  loop.advance(2s);
  EXPECT_EQ(model->running, 0);
}

TEST_F(KeptChats, NoChatIsKeptBeyondTheLimit) {
  serve();
  model->pace = 100000s;
  Reply lost;
  begin(gorpc::chat, kept("s1", 1'000'000), lost);
  hang_up();
  loop.advance(ChatStreams::most_kept + 1s);
  EXPECT_EQ(model->running, 0);
}

TEST_F(KeptChats, AnUnrequestedChatIsNotKept) {
  serve();
  Reply lost;
  begin(gorpc::chat, saying("hi", "s1"), lost);
  hang_up();
  EXPECT_EQ(model->running, 0);
}

TEST_F(KeptChats, ACancelEndsAChatWithoutACallerAndItsNameIsFree) {
  serve();
  Reply lost;
  begin(gorpc::chat, kept("s1"), lost);
  hang_up();
  connect();
  EXPECT_TRUE(call(gorpc::chat_cancel, {.stream = "s1"})->found);
  loop.run_ready();
  EXPECT_EQ(model->running, 0);
  model->pace = 0s;
  EXPECT_EQ(call(gorpc::chat, kept("s1"))->content, "Hello.");
  EXPECT_EQ(model->asked.size(), 2U);
}

TEST_F(KeptChats, TwoCallersOfTheSameNameGetTheSameAnswer) {
  serve();
  Reply reply;
  Reply other;
  begin(gorpc::chat, kept("s1"), reply);
  begin(gorpc::chat, kept("s1"), other);
  loop.advance(30s);
  ASSERT_TRUE(reply && *reply && other && *other);
  EXPECT_EQ((*reply)->content, (*other)->content);
  EXPECT_EQ(model->asked.size(), 1U);
}

TEST_F(KeptChats, AFailureIsAnAnswerToo) {
  serve();
  model->answer = fail(Errc::denied, "the key was refused");
  Reply lost;
  begin(gorpc::chat, kept("s1"), lost);
  hang_up();
  connect();
  loop.advance(30s);
  EXPECT_EQ(call(gorpc::chat, kept("s1")).error().message, "the key was refused");
  EXPECT_EQ(model->asked.size(), 1U);
}

TEST_F(KeptChats, KeptChatsAreBounded) {
  serve();
  model->pace = 0s;
  model->pieces = {model::TextDelta{std::string(1 << 20, 'x')}};
  model->answer = model::Completion{.content = std::string(1 << 20, 'x')};
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(call(gorpc::chat, kept("s" + std::to_string(i))));
  ASSERT_TRUE(call(gorpc::chat, kept("s19")));
  EXPECT_EQ(model->asked.size(), 20U) << "the newest are there";
  ASSERT_TRUE(call(gorpc::chat, kept("s0")));
  EXPECT_EQ(model->asked.size(), 21U) << "the oldest gave way";
}

TEST_F(KeptChats, AChatWithoutANameCannotBeKept) {
  serve();
  EXPECT_THAT(call(gorpc::chat, kept("")).error().message, HasSubstr("needs a Stream"));
}

}  // namespace
}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// The gateway admits runners by name, user, count and role.
#include "parlance/driver/acp/runners.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/test_shared_store.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;
using hub::TeamRole;
using testing::HasSubstr;
using testing::IsEmpty;

// A fake runner: offers one agent under a name and answers `initialize`.
class OfferedRunner {
 public:
  OfferedRunner(Loop& loop, Runners& runners, const std::string& user, const std::string& name, TeamRole role = TeamRole::member)
      : loop_(loop), scope_(loop) {
    auto [near, far] = memory_pair(loop, {});
    frames_ = framed_stream(loop, std::move(near), line_framing());
    runners.serve(framed_stream(loop, std::move(far), line_framing()),
                  std::make_shared<const hub::Caller>(
                      hub::Caller{.user = user, .name = user, .role = role, .kind = hub::TokenKind::runner}));
    scope_.start(read());
    send(R"("id":"o","method":"_parlance/offer","params":{"name":")" + name +
         R"(","account":"mira","host":"box","version":"0.1.0","agents":[{"id":"a","name":"A"}],"folders":["/srv"]})");
    for (int i = 0; i < 100 && answer.empty(); ++i) loop_.advance(10ms);
  }
  bool is_taken() const { return answer.contains("result"); }
  void hang_up() {
    frames_->close();
    loop_.advance(1s);
  }
  std::string answer;  // to its offer

 private:
  void send(const std::string& members) { static_cast<void>(frames_->send(R"({"jsonrpc":"2.0",)" + members + "}")); }
  Task<void> read() {
    for (;;) {
      const auto batch = co_await read_frames(*frames_);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) {
        const json::Value message = json::parse_or_null(std::string(frame));
        if (message.text_or("id", "") == "o" && message.find("method") == nullptr) answer = std::string(frame);
        if (message.text_or("method", "") == "initialize")
          send("\"id\":" + json::to_text(*message.find("id")) + R"(,"result":{"protocolVersion":1})");
      }
    }
  }
  Loop& loop_;
  std::unique_ptr<Frames> frames_;
  Scope scope_;
};

struct RunnersTest : ::testing::Test {
  std::unique_ptr<OfferedRunner> offer(const std::string& user, const std::string& name, TeamRole role = TeamRole::member) {
    return std::make_unique<OfferedRunner>(loop, runners, user, name, role);
  }
  bool is_known(std::string_view name) const {
    return std::ranges::any_of(runners.all(), [&](const KnownRunner* runner) { return runner->offer.name == name; });
  }
  bool has_agent(std::string_view id) const {
    return std::ranges::any_of(station.hub->agents(), [&](const hub::AgentInfo& agent) { return agent.id == id; });
  }

  Loop loop{Loop::Time::virtual_};
  hub::test::SharedMemory shared{loop};
  hub::test::Station station{loop, shared, "a"};
  Runners runners{loop, *station.hub, "1.2.3"};
};

// A single token with 260 names used up the table.
TEST_F(RunnersTest, AUsersOldestDisconnectedNameIsFreedAtTheLimit) {
  const auto anns = offer("user_ann", "anns");
  ASSERT_TRUE(anns->is_taken()) << anns->answer;
  for (int i = 0; i < 300; ++i) {
    const auto offered = offer("user_bob", "n" + std::to_string(i));
    ASSERT_TRUE(offered->is_taken()) << offered->answer;
    offered->hang_up();
  }
  EXPECT_EQ(runners.all().size(), 1 + limits::runners_of_user);
  EXPECT_FALSE(is_known("n0"));
  EXPECT_FALSE(has_agent("n0/a"));
  EXPECT_TRUE(is_known("n299"));
  EXPECT_TRUE(has_agent("n299/a"));
  EXPECT_TRUE(is_known("anns"));
  EXPECT_TRUE(offer("user_ann", "second")->is_taken());
}

TEST_F(RunnersTest, TheLimitOfOneUserRefusesOnlyThatUser) {
  std::vector<std::unique_ptr<OfferedRunner>> all;
  for (std::size_t i = 0; i < limits::runners_of_user; ++i) all.push_back(offer("user_bob", "n" + std::to_string(i)));
  for (const auto& runner : all) EXPECT_TRUE(runner->is_taken());
  EXPECT_THAT(offer("user_bob", "more")->answer, HasSubstr("16 of your runners are connected"));
  EXPECT_TRUE(offer("user_bob", "n3")->is_taken()) << "a name that it has";
  EXPECT_TRUE(offer("user_ann", "anns")->is_taken());
  all.front()->hang_up();
  EXPECT_TRUE(offer("user_bob", "more")->is_taken());
}

TEST_F(RunnersTest, ViewersOfferNothingAndNamesHaveOneUser) {
  EXPECT_THAT(offer("user_vic", "vics", TeamRole::viewer)->answer, HasSubstr("you are a viewer"));
  EXPECT_THAT(runners.all(), IsEmpty());
  const auto anns = offer("user_ann", "box");
  EXPECT_THAT(offer("user_bob", "box")->answer, HasSubstr("another user has a runner with the name box"));
  EXPECT_TRUE(anns->is_taken());
}

TEST_F(RunnersTest, ACutDuringASlowRegistrationIsStored) {
  hub::test::Gate store_answers(loop);
  station.store.holds = &store_answers;
  const auto cut = offer("user_ann", "box");
  EXPECT_EQ(cut->answer, "");
  EXPECT_TRUE(shared.runners.at("box").connected);
  cut->hang_up();
  store_answers.release();
  loop.advance(1s);
  EXPECT_FALSE(shared.runners.at("box").connected);
  station.store.holds = nullptr;
  EXPECT_TRUE(offer("user_ann", "box")->is_taken());
  EXPECT_TRUE(shared.runners.at("box").connected);
}

}  // namespace
}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// A program of parlance that resumes a session at its position.
#include "parlance/face/acp/gateway_meta.h"
#include "parlance/face/acp/test_support.h"

namespace parlance::face {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class AcpPositions : public HubOverAcp {
 protected:
  std::unique_ptr<TestClient> follower() {
    auto made = client();
    const auto told =
        made->call(acp::method::initialize, {.protocol_version = 1, .meta = {R"({"parlance":{"positions":true}})"}});
    EXPECT_TRUE(told);
    if (told) word = told->meta.json;
    return made;
  }
  static acp::LoadSession load(const std::string& session, std::uint64_t after) {
    return {.session_id = session, .cwd = "/tmp", .meta = {R"({"parlance":{"after":)" + std::to_string(after) + "}}"}};
  }
  std::string word;
};

TEST_F(AcpPositions, ClientsWithTheCapabilityGetPositions) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Text{.text = "one"});
    co_return hub::StopReason::end_turn;
  };
  auto ours = follower();
  EXPECT_THAT(word, HasSubstr(R"("agents":[{"id":)"));
  const std::string session = ours->begin();
  ours->prompt(session, "go");
  settle();
  EXPECT_THAT(ours->metas, testing::Contains(HasSubstr("position")));
  auto other = client();
  EXPECT_EQ(other->initialize()->meta.json, "");
  ASSERT_TRUE(other->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  settle();
  EXPECT_THAT(other->metas, Not(testing::Contains(HasSubstr("position"))));
}

TEST_F(AcpPositions, LoadWithPositionReplaysLaterEventsAndOpenCalls) {
  Signal proceed(bench.loop);
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Text{.text = "before"});
    turn.emit(hub::event::ToolStart{.call = "c", .tool = "run", .title = "Runs", .input_json = "{}"});
    co_await proceed.wait();
    turn.emit(hub::event::ToolEnd{.call = "c"});
    turn.emit(hub::event::Text{.text = "behind"});
    co_return hub::StopReason::end_turn;
  };
  auto first = follower();
  const std::string session = first->begin();
  std::string end;
  first->start_prompt(session, "go", end);
  settle();
  ASSERT_FALSE(first->metas.empty());
  const json::Value position = json::parse_or_null(first->metas.back());
  const auto after = static_cast<std::uint64_t>(position.find("parlance")->integer_or("position", 0));
  first.reset();
  auto early = follower();
  ASSERT_TRUE(early->call(acp::method::load_session, load(session, after)));
  EXPECT_EQ(early->kinds(), "tool_call") << "nothing has come since, but this is open";
  early.reset();
  proceed.notify_all();
  settle();

  auto again = follower();
  const auto state = again->call(acp::method::load_session, load(session, after));
  ASSERT_TRUE(state);
  EXPECT_THAT(state->meta.json, HasSubstr("position"));
  std::string all;
  for (const std::string& one : again->updates) all += one + "\n";
  EXPECT_THAT(
      all, testing::AllOf(HasSubstr("behind"), Not(HasSubstr("before")), HasSubstr(R"("title":"Runs")"), HasSubstr("completed")));
  EXPECT_THAT(again->kinds(), testing::StartsWith("tool_call tool_call_update agent_message_chunk"));
}

TEST_F(AcpPositions, InvalidMetaIsIgnored) {
  for (const char* meta :
       {"", "null", "[]", R"({"parlance":1})", R"({"parlance":{"after":"x"}})", R"({"parlance":{"positions":"yes"}})"}) {
    EXPECT_FALSE(wish_in({meta}).after) << meta;
    EXPECT_FALSE(wants_positions({meta})) << meta;
  }
  EXPECT_EQ(wish_in({R"({"parlance":{"agent":"a","after":0},"other":1})"}).after, 0U);
}

}  // namespace
}  // namespace parlance::face

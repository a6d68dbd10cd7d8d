// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/raw_client.h"

#include "parlance/iflow/query.h"
#include "parlance/iflow/test_support.h"

namespace parlance::iflow {
namespace {

using test::said;
using ::testing::ElementsAre;

class RawClientTest : public test::ScriptedAgent {};

TEST_F(RawClientTest, FramesAreAvailableBesideTheirMessages) {
  will_say({said("hello")});
  RawClient client(loop, options());
  ASSERT_TRUE(get(client.connect()));
  ASSERT_TRUE(get(client.send_message("go")));
  std::vector<std::string> types;
  std::vector<bool> parsed;
  for (int i = 0; i < 5; ++i) {
    const auto dual = get(client.receive_dual());
    ASSERT_TRUE(dual);
    types.push_back(dual->first.message_type);
    parsed.push_back(dual->second.has_value());
  }
  EXPECT_THAT(types, ElementsAre("control", "response", "response", "method:session/update", "response"));
  EXPECT_THAT(parsed, ElementsAre(false, false, false, true, true));
  EXPECT_EQ(client.raw_history().front().raw_data, "//ready");
  EXPECT_EQ(client.raw_history().size(), 5U);
  const ProtocolStats& stats = client.protocol_stats();
  EXPECT_EQ(stats.total_messages, 5U);
  EXPECT_EQ(stats.control_messages, 1U);
  EXPECT_EQ(stats.json_messages, 4U);
  EXPECT_EQ(stats.message_types.at("response"), 3U);
  EXPECT_EQ(stats.errors, 0U);
  get(client.disconnect());
  EXPECT_EQ(get(client.receive_raw_message()), std::nullopt);
}

TEST_F(RawClientTest, MessagesAreReceivedAsWithAnyClient) {
  will_say({said("hello")});
  RawClient client(loop, options());
  ASSERT_TRUE(get(client.connect()));
  ASSERT_TRUE(get(client.send_message("go")));
  EXPECT_EQ(std::get<AssistantMessage>(*get(client.receive_message())).text, "hello");
}

// Otherwise the agent would wait forever for a reader of messages.
TEST_F(RawClientTest, AReaderOfOnlyTheRawStreamIsNotBlocked) {
  constexpr std::size_t count = 2 * limits::iflow_queued_messages;
  script.prompt = [](const acp::Prompt&, Peer& to) -> Task<Result<acp::PromptResult>> {
    for (std::size_t i = 0; i < count; ++i) {
      co_await to.wait_writable();
      EXPECT_TRUE(to.notify(acp::method::update, said("x")));
    }
    co_return acp::PromptResult{};
  };
  RawClient client(loop, options());
  ASSERT_TRUE(get(client.connect()));
  for (int i = 0; i < 3; ++i) get(client.receive_raw_message());
  ASSERT_TRUE(get(client.send_message("go")));
  std::size_t updates = 0;
  while (true) {
    const auto raw = get(client.receive_raw_message());
    ASSERT_TRUE(raw);
    if (raw->message_type == "response") break;
    ++updates;
  }
  EXPECT_EQ(updates, count);
  EXPECT_LE(client.queue().size(), limits::iflow_queued_messages);
}

TEST_F(RawClientTest, WithoutCaptureNoFrameIsKept) {
  RawClient client(loop, options(), false);
  ASSERT_TRUE(get(client.connect()));
  EXPECT_TRUE(client.raw_history().empty());
}

TEST(RawStream, EveryFrameIsCountedByKind) {
  RawStream stream;
  for (const char* frame :
       {"//ready", "  //padded", "{}", "not json", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}})",
        R"({"type":"odd"})", R"({"jsonrpc":"2.0","id":2,"result":{"stopReason":"max_tokens"}})"})
    stream.take(frame, {});
  EXPECT_EQ(stream.stats().total_messages, 7U);
  EXPECT_EQ(stream.stats().control_messages, 2U);
  EXPECT_EQ(stream.stats().text_messages, 1U);
  EXPECT_EQ(kind_of(*stream.history()[3].fault), ErrorKind::json_decode);
  EXPECT_FALSE(stream.history()[0].fault || stream.history()[2].fault);
  EXPECT_EQ(stream.stats().errors, 1U);
  EXPECT_EQ(stream.stats().message_types.at("odd"), 1U);
  EXPECT_EQ(std::get<ErrorMessage>(*stream.history()[4].parsed_message).code, -32000);
  EXPECT_EQ(std::get<TaskFinishMessage>(*stream.history()[6].parsed_message).stop_reason, StopReason::max_tokens);
}

TEST(RawStream, TheHistoryIsBounded) {
  RawStream stream;
  const std::string large(limits::iflow_history_bytes / 4, 'x');
  for (int i = 0; i < 6; ++i) stream.take(large, {});
  EXPECT_EQ(stream.history().size(), 4U);
  EXPECT_EQ(stream.stats().forgotten, 2U);
  for (std::size_t i = 0; i < limits::iflow_history_messages + 10; ++i) stream.take("x", {});
  EXPECT_EQ(stream.history().size(), limits::iflow_history_messages);
}

class QueryTest : public test::ScriptedAgent {};

TEST_F(QueryTest, AQuestionHasASingleAnswer) {
  will_say({said("hel"), said("lo")});
  EXPECT_EQ(get(query(loop, "go", {}, options())).value(), "hello");
  std::vector<std::string> pieces;
  EXPECT_TRUE(get(query_stream(loop, "go", [&](std::string_view text) { pieces.emplace_back(text); }, {}, options())));
  EXPECT_THAT(pieces, ElementsAre("hel", "lo"));
}

TEST_F(QueryTest, RequestsOfTheAgentAreAnsweredAsIfNoPersonWerePresent) {
  script.prompt = [](const acp::Prompt&, Peer& to) -> Task<Result<acp::PromptResult>> {
    const auto answers = co_await to.call(acp::method::iflow_questions, {.questions = {{.question = "?", .header = "H"}}});
    const auto plan = co_await to.call(acp::method::iflow_plan_exit, {.plan = "p"});
    const auto reply = co_await to.call(acp::method::request_permission,
                                        {.session_id = "s-1",
                                         .tool_call = {.tool_call_id = "t"},
                                         .options = {{.option_id = "y", .kind = {acp::PermissionKind::allow_once}}}});
    static_cast<void>(
        to.notify(acp::method::update, said(json::to_text(*answers) + json::to_text(*plan) + json::to_text(*reply))));
    co_return acp::PromptResult{};
  };
  EXPECT_EQ(get(query(loop, "go", {}, options())).value(),
            R"({"answers":{}}{"approved":false}{"outcome":{"outcome":"cancelled"}})");
}

TEST_F(QueryTest, AnErrorOfTheTurnIsTheAnswer) {
  script.prompt = [](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_return fail(Errc::internal, "overloaded");
  };
  const auto failed = get(query(loop, "go", {}, options()));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "overloaded");
  EXPECT_EQ(kind_of(failed.error()), ErrorKind::protocol);
  unreachable = true;
  EXPECT_EQ(kind_of(get(query(loop, "go", {}, options())).error()), ErrorKind::connection);
}

}  // namespace
}  // namespace parlance::iflow

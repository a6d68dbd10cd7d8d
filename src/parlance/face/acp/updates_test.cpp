// SPDX-License-Identifier: Apache-2.0
// Events of a conversation as the updates of a session.
#include "parlance/face/acp/updates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::face {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct AcpUpdatesTest : ::testing::Test {
  std::vector<std::string> updates_for(hub::EventBody body) {
    std::vector<std::string> all;
    for (const acp::Update& update : updates.of({.seq = ++seq, .body = std::move(body)}, pictures))
      all.push_back(json::to_text(update));
    return all;
  }
  std::string only_update(hub::EventBody body) {
    const auto all = updates_for(std::move(body));
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " updates";
  }
  void start() {
    EXPECT_EQ(updates_for(hub::event::ToolStart{.call = "c",
                                                .tool = "run_command",
                                                .title = "ls",
                                                .input_json = R"({"command":"ls"})",
                                                .kind = hub::CallKind::execute})
                  .size(),
              1);
  }
  AcpUpdates updates;
  AcpUpdates::Pictures pictures;
  std::uint64_t seq = 0;
};

TEST_F(AcpUpdatesTest, PiecesOfATextShareAMessageId) {
  EXPECT_EQ(only_update(hub::event::Text{"a"}),
            R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"},"messageId":"msg-1"})");
  EXPECT_THAT(only_update(hub::event::Text{"b"}), HasSubstr("msg-1"));
  EXPECT_THAT(only_update(hub::event::ThinkingContent{"c"}),
              HasSubstr(R"("agent_thought_chunk","content":{"type":"text","text":"c"},"messageId":"msg-3")"));
  EXPECT_THAT(only_update(hub::event::Text{"d"}), HasSubstr("msg-4"));
  updates_for(hub::event::TurnStart{.turn = "t"});
  EXPECT_THAT(only_update(hub::event::Text{"e"}), HasSubstr("msg-6"));
}

TEST_F(AcpUpdatesTest, AnnouncedCallContainsAllKnownFields) {
  EXPECT_EQ(only_update(hub::event::ToolStart{.call = "c",
                                              .tool = "read_file",
                                              .title = "Read a",
                                              .input_json = R"({"path":"/a"})",
                                              .kind = hub::CallKind::read,
                                              .locations = std::vector{hub::Location{.path = "/a", .line = 2}}}),
            R"({"sessionUpdate":"tool_call","toolCallId":"c","title":"Read a","kind":"read","status":"pending",)"
            R"("locations":[{"path":"/a","line":2}],"rawInput":{"path":"/a"},"name":"read_file"})");
}

TEST_F(AcpUpdatesTest, UpdateContainsOnlyChangedFields) {
  start();
  EXPECT_EQ(only_update(hub::event::ToolUpdate{.call = "c", .status = hub::CallStatus::running}),
            R"({"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress"})");
  const std::string shown = only_update(hub::event::ToolUpdate{
      .call = "c",
      .content =
          std::vector<hub::ToolContent>{hub::ToolText{"seen"}, hub::Diff{.path = "/a", .after = "new"}, hub::ToolTerminal{"t"}}});
  EXPECT_EQ(
      shown,
      R"({"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"content","content":{"type":"text","text":"seen"}},)"
      R"({"type":"diff","path":"/a","newText":"new"}]})");
  EXPECT_THAT(updates_for(hub::event::ToolUpdate{.call = "unknown", .title = "x"}), IsEmpty());
}

TEST_F(AcpUpdatesTest, ToolOutputIsSentWholeAfterTheContent) {
  start();
  EXPECT_THAT(
      only_update(hub::event::ToolOutput{.call = "c", .text = "a\n"}),
      HasSubstr(R"("status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"```\na\n```"}}])"));
  EXPECT_THAT(only_update(hub::event::ToolOutput{.call = "c", .text = "b"}), HasSubstr(R"(```\na\nb\n```)"));
  EXPECT_EQ(only_update(hub::event::ToolEnd{.call = "c"}),
            R"({"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"})")
      << "the client has seen all of it";
}

TEST_F(AcpUpdatesTest, AFenceIsLongerThanAnyInTheOutput) {
  EXPECT_EQ(fenced("a"), "```\na\n```");
  EXPECT_EQ(fenced("x ``` y"), "````\nx ``` y\n````");
}

TEST_F(AcpUpdatesTest, ALongOutputCostsASmallMultipleOfItself) {
  start();
  std::size_t sent = 0;
  for (int i = 0; i < 200; ++i)
    for (const std::string& update : updates_for(hub::event::ToolOutput{.call = "c", .text = std::string(1024, 'x')}))
      sent += update.size();
  const std::string end = only_update(hub::event::ToolEnd{.call = "c"});
  EXPECT_LT(sent + end.size(), std::size_t{200} * 1024 * 5);
  EXPECT_GT(end.size(), std::size_t{200} * 1024) << "its end is sent in any case";
}

TEST_F(AcpUpdatesTest, OfAnEndlessOutputTheEndIsKept) {
  start();
  for (int i = 0; i < 1000; ++i) updates_for(hub::event::ToolOutput{.call = "c", .text = "é" + std::string(1022, 'x')});
  updates_for(hub::event::ToolOutput{.call = "c", .text = "the end"});
  const std::string end = only_update(hub::event::ToolEnd{.call = "c", .state = hub::ToolEndState::failed});
  EXPECT_LT(end.size(), std::size_t{300 << 10});
  EXPECT_THAT(end, HasSubstr("bytes before this are left out"));
  EXPECT_THAT(end, HasSubstr("the end"));
  EXPECT_THAT(end, HasSubstr(R"("status":"failed")"));
}

TEST_F(AcpUpdatesTest, FailedCallWithoutContentShowsItsReason) {
  start();
  EXPECT_THAT(only_update(hub::event::ToolEnd{.call = "c", .state = hub::ToolEndState::rejected}), HasSubstr("Rejected."));
  EXPECT_THAT(updates_for(hub::event::ToolEnd{.call = "c"}), IsEmpty()) << "it has ended";
}

TEST_F(AcpUpdatesTest, PicturesAreImagesIfTheirBytesExist) {
  start();
  const hub::AttachmentInfo about{.id = "att_1", .media_type = "image/png", .name = "a.png", .bytes = 3};
  const hub::event::ToolUpdate update{.call = "c", .content = std::vector<hub::ToolContent>{hub::ToolPicture{about}}};
  EXPECT_THAT(only_update(update), HasSubstr(R"("type":"resource_link","uri":"attachment:att_1","name":"a.png")"));
  pictures["att_1"] = {.about = about, .data = "abc"};
  EXPECT_THAT(only_update(update), HasSubstr(R"({"type":"image","data":"YWJj","mimeType":"image/png"})"));
}

TEST_F(AcpUpdatesTest, UsageAddsUpOverTheSessionAndTheTurn) {
  updates_for(hub::event::TurnStart{.turn = "t"});
  updates_for(hub::event::Usage{.input_tokens = 5, .output_tokens = 1, .cost = hub::Cost{.amount = 0.25}});
  EXPECT_EQ(only_update(hub::event::Usage{.input_tokens = 7,
                                          .output_tokens = 2,
                                          .cache_read_tokens = 4,
                                          .cost = hub::Cost{.amount = 0.25},
                                          .context = hub::ContextUse{.used = 12, .size = 100}}),
            R"({"sessionUpdate":"usage_update","used":12,"size":100,"cost":{"amount":0.5,"currency":"USD"}})");
  const auto usage = updates.take_usage();
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->input_tokens, 12);
  EXPECT_EQ(usage->total_tokens, 15);
  EXPECT_EQ(usage->cached_read_tokens, 4);
  EXPECT_FALSE(updates.take_usage());
}

TEST_F(AcpUpdatesTest, AskWithoutACallBecomesATemporaryCall) {
  const hub::Ask plan{.id = "ask_1", .kind = hub::AskKind::plan, .title = "A plan"};
  EXPECT_THAT(only_update(hub::event::PlanApproval{plan}),
              HasSubstr(R"("tool_call","toolCallId":"ask_1","title":"A plan","kind":"switch_mode")"));
  EXPECT_THAT(only_update(hub::event::AskSettled{.ask = "ask_1"}), HasSubstr(R"("toolCallId":"ask_1","status":"completed")"));
  start();
  const hub::Ask of_call{.id = "ask_2", .call = "c"};
  EXPECT_THAT(updates_for(hub::event::ToolConfirmation{of_call}), IsEmpty());
  EXPECT_THAT(updates_for(hub::event::AskSettled{.ask = "ask_2"}), IsEmpty());
}

TEST(AcpError, HasADetailOnlyInWords) {
  const auto data_of = [](std::string detail) {
    return std::string(jsonrpc::exact_data(acp_error(hub::event::Failure{.message = "m", .detail = std::move(detail)})));
  };
  EXPECT_THAT(data_of("errno 113"), HasSubstr(R"("details":"errno 113")"));
  EXPECT_THAT(data_of(R"({"code":429})"), testing::Not(HasSubstr("details")));
}

TEST_F(AcpUpdatesTest, NoticesNeedTheCapability) {
  EXPECT_THAT(updates_for(hub::event::Notice{.level = hub::NoticeLevel::info, .text = "by the way"}), IsEmpty());
  EXPECT_THAT(updates_for(hub::event::Failure{.message = "again"}), IsEmpty()) << "the reply to the prompt says it";
  EXPECT_THAT(only_update(hub::event::Notice{.level = hub::NoticeLevel::warning, .text = "careful", .detail = "why"}),
              HasSubstr(R"("text":"> careful\n>\n> why\n\n")"))
      << "a warning is text where there are no notices";
  updates = AcpUpdates({.notices = true});
  EXPECT_EQ(only_update(hub::event::Notice{.level = hub::NoticeLevel::warning, .text = "careful", .detail = "why"}),
            R"({"sessionUpdate":"notice","severity":"warning","title":"careful","description":"why"})");
  EXPECT_THAT(only_update(hub::event::Failure{.message = "again"}), HasSubstr(R"("severity":"error")"));
  EXPECT_THAT(only_update(hub::event::Cleared{}), HasSubstr("was cleared"));
}

TEST_F(AcpUpdatesTest, IflowReceivesToolNamesAndNoMarkdownAroundOutput) {
  updates = AcpUpdates({.iflow = true});
  EXPECT_THAT(only_update(hub::event::ToolStart{.call = "c", .tool = "run_command", .title = "ls"}),
              HasSubstr(R"("toolName":"run_command")"));
  EXPECT_THAT(only_update(hub::event::ToolOutput{.call = "c", .text = "a"}), HasSubstr(R"("text":"a")"));
}

TEST_F(AcpUpdatesTest, PermissionContainsAllKnownFieldsOfItsCall) {
  start();
  updates_for(
      hub::event::ToolUpdate{.call = "c", .title = "ls -l", .content = std::vector<hub::ToolContent>{hub::ToolText{"x"}}});
  const acp::ToolCallUpdate call = updates.call("c");
  EXPECT_EQ(call.title, "ls -l");
  EXPECT_EQ(call.raw_input.json, R"({"command":"ls"})");
  EXPECT_EQ(call.content->size(), 1);
  EXPECT_EQ(updates.call("unknown").tool_call_id, "unknown");
}

}  // namespace
}  // namespace parlance::face

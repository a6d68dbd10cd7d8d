// SPDX-License-Identifier: Apache-2.0
// Tests that updates of ACP become the same events despite differences between agents.
#include "parlance/driver/acp/updates.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/acp/recording.h"

namespace parlance::driver {
namespace {

struct RecordingSink final : AcpUpdates::Sink {
  void emit(hub::EventBody body) override { events.push_back(std::move(body)); }
  void user(std::string text) override { users.push_back(std::move(text)); }
  void mode(const std::string& now) override { modes.push_back(now); }
  void options(const std::vector<acp::ConfigOption>& now) override { option_count = now.size(); }
  void title(const std::string& now) override { titles.push_back(now); }

  RecordingSink& say(std::string_view json) {
    auto update = json::from_text<acp::Update>(json);
    EXPECT_TRUE(update) << json;
    if (update) updates.update(*update);
    return *this;
  }
  RecordingSink& text(std::string_view words) {
    updates.update({acp::AgentMessageChunk{{.content = acp::text(std::string(words))}}});
    return *this;
  }
  std::string trace() const {
    std::string line;
    for (const hub::EventBody& body : events) {
      if (!line.empty()) line += ' ';
      line += hub::test::trace_name(body);
      if (const auto* end = std::get_if<hub::event::ToolEnd>(&body))
        line += end->state == hub::ToolEndState::done       ? ":done"
                : end->state == hub::ToolEndState::rejected ? ":rejected"
                                                            : ":failed";
    }
    return line;
  }
  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const hub::EventBody& body : events)
      if (const auto* event = std::get_if<Kind>(&body)) found.push_back(*event);
    return found;
  }
  std::string said() const {
    std::string words;
    for (const auto& text : all<hub::event::Text>()) words += text.text;
    return words;
  }
  std::string thought() const {
    std::string words;
    for (const auto& thought : all<hub::event::ThinkingContent>()) words += thought.text;
    return words;
  }

  std::vector<hub::EventBody> events;
  std::vector<std::string> users;
  std::vector<std::string> modes;
  std::vector<std::string> titles;
  std::size_t option_count = 0;
  AcpUpdates updates{*this};
};

TEST(AcpUpdates, TextAndNativeThoughtsAlternate) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm "}})");
  sink.say(R"({"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"so"}})");
  sink.text("Yes.").text(" It is.");
  sink.updates.end_turn(hub::ToolEndState::done);
  EXPECT_EQ(sink.trace(), "think_start think think think_end text text");
  EXPECT_EQ(sink.thought(), "hm so");
}

// The cuts between chunks change neither the text nor the thoughts.
TEST(AcpUpdates, SplitThinkTagsAreThoughts) {
  const std::string text = "before <think>hidden</think> after <thin";
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); second += 3) {
      RecordingSink sink;
      sink.text(text.substr(0, first)).text(text.substr(first, second - first)).text(text.substr(second));
      sink.updates.end_turn(hub::ToolEndState::done);
      EXPECT_EQ(sink.said(), "before  after <thin");
      EXPECT_EQ(sink.thought(), "hidden");
      EXPECT_EQ(sink.all<hub::event::ThinkingStart>().size(), 1U);
      EXPECT_EQ(sink.all<hub::event::ThinkingEnd>().size(), 1U);
    }
  }
}

TEST(AcpUpdates, OpenThoughtIsClosedAtTheEnd) {
  RecordingSink sink;
  sink.text("<think>still");
  sink.updates.end_turn(hub::ToolEndState::done);
  EXPECT_EQ(sink.trace(), "think_start think think_end");
  sink.text("a new turn");
  EXPECT_EQ(sink.said(), "a new turn");
}

TEST(AcpUpdates, ACallIsAnnouncedChangedAndEnded) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"Read a.txt","kind":"read","status":"pending",
               "toolName":"read_file","locations":[{"path":"/w/a.txt","line":3}],"rawInput":{"path":"/w/a.txt"}})");
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"in_progress"})");
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed",
               "content":[{"type":"content","content":{"type":"text","text":"A"}}]})");
  EXPECT_EQ(sink.trace(), "tool_start update update tool_end:done");
  const auto start = sink.all<hub::event::ToolStart>().front();
  EXPECT_EQ(start.tool, "read_file");
  EXPECT_EQ(start.title, "Read a.txt");
  EXPECT_EQ(start.kind, hub::CallKind::read);
  EXPECT_EQ(start.locations->front().line, 3U);
  EXPECT_NE(start.input_json.find("/w/a.txt"), std::string::npos);
  const auto last = sink.all<hub::event::ToolUpdate>().back();
  EXPECT_EQ(std::get<hub::ToolText>(last.content->front()).text, "A");
  EXPECT_EQ(last.status, std::nullopt) << "an end is an event of its own";
  EXPECT_EQ(last.input_json, std::nullopt) << "of which nothing was said any more";
}

// OpenCode sends an empty input first, then the real input, then the output and the locations.
TEST(AcpUpdates, InputOfACallStaysAfterOtherUpdates) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"bash","kind":"execute","status":"pending","rawInput":{}})");
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"in_progress","locations":[{"path":"/w"}],
               "rawInput":{"command":"echo hi"}})");
  const std::string input = sink.updates.find("t")->input_json;
  EXPECT_NE(input.find("echo hi"), std::string::npos);
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t",
               "content":[{"type":"content","content":{"type":"text","text":"hi"}}]})");
  EXPECT_EQ(sink.updates.find("t")->input_json, input);
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":{}})");
  EXPECT_EQ(sink.updates.find("t")->input_json, input);
}

TEST(AcpUpdates, PiecesOfAPersonsMessageAreJoined) {
  RecordingSink sink;
  const auto user = [&](const std::string& content, const std::string& id) {
    sink.say(R"({"sessionUpdate":"user_message_chunk","content":)" + content +
             (id.empty() ? "" : R"(,"messageId":")" + id + "\"") + "}");
  };
  user(R"({"type":"text","text":"look "})", "");
  user(R"({"type":"text","text":"at"})", "");
  user(R"({"type":"resource_link","uri":"file:///w/a.txt","name":"a.txt"})", "");
  EXPECT_TRUE(sink.users.empty()) << "it may go on";
  sink.text("seen");
  ASSERT_EQ(sink.users.size(), 1U);
  EXPECT_TRUE(sink.users.front().starts_with("look at\n")) << sink.users.front();
  user(R"({"type":"text","text":"one"})", "1");
  user(R"({"type":"text","text":"two"})", "2");
  sink.updates.end_turn(hub::ToolEndState::done);
  EXPECT_EQ(sink.users.size(), 3U) << "another id is another message";
}

TEST(AcpUpdates, AnotherMessageOfTheAgentIsAnotherParagraph) {
  RecordingSink sink;
  const auto agent = [&](const std::string& text, const std::string& id) {
    sink.say(R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":")" + text + R"("},"messageId":")" + id +
             "\"}");
  };
  agent("one", "1");
  agent(" goes on", "1");
  agent("two", "2");
  EXPECT_EQ(sink.said(), "one goes on\n\ntwo");
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x","status":"completed"})");
  agent("three", "3");
  EXPECT_EQ(sink.said(), "one goes on\n\ntwothree") << "what lies between parts them";
}

TEST(AcpUpdates, UnifiedDiffAloneIsShown) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"edit","kind":"edit",
               "content":[{"type":"diff","path":"/w/a","fileDiff":"@@ -1 +1 @@\n-a\n+b"}]})");
  EXPECT_EQ(std::get<hub::ToolText>(sink.all<hub::event::ToolUpdate>().front().content->front()).text,
            "/w/a\n@@ -1 +1 @@\n-a\n+b");
}

// codex-acp 2.6.0 puts the output of commands into `_meta` alone.
TEST(AcpUpdates, OutputOfACommandInMetaIsShown) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"seq","content":[{"type":"terminal","terminalId":"t"}]})");
  for (const char* const text : {"1\\n", "2\\n"})
    sink.say(
        R"({"sessionUpdate":"tool_call_update","toolCallId":"t","_meta":{"terminal_output_delta":{"terminal_id":"t","data":")" +
        std::string(text) + "\"}}}");
  std::string output;
  for (const auto& piece : sink.all<hub::event::ToolOutput>()) output += piece.text;
  EXPECT_EQ(output, "1\n2\n");
}

TEST(AcpUpdates, UnannouncedCallBeginsWithItsUpdate) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","title":"Edit b.txt","status":"failed",
               "content":[{"type":"diff","path":"/w/b.txt","oldText":"x","newText":"y"}]})");
  EXPECT_EQ(sink.trace(), "tool_start update tool_end:failed");
  const auto start = sink.all<hub::event::ToolStart>().front();
  EXPECT_NE(start.input_json.find(R"("file_path":"/w/b.txt")"), std::string::npos) << start.input_json;
  EXPECT_EQ(std::get<hub::Diff>(sink.all<hub::event::ToolUpdate>().front().content->front()).after, "y");
}

TEST(AcpUpdates, UpdateWithMetaAloneIsNoCall) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","_meta":{"claudeCode":{"toolName":"Bash"}}})");
  EXPECT_EQ(sink.trace(), "");
}

TEST(AcpUpdates, UpdatesAfterTheEndAreIgnored) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x","status":"completed"})");
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","title":"y","status":"completed"})");
  EXPECT_EQ(sink.trace(), "tool_start tool_end:done");
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"again"})");
  EXPECT_EQ(sink.trace(), "tool_start tool_end:done tool_start") << "announced anew it is another call";
}

TEST(AcpUpdates, ListsReplaceAndAbsentFieldsStay) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x","kind":"edit",
               "content":[{"type":"content","content":{"type":"text","text":"1"}}],"locations":[{"path":"/a"}]})");
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","title":"y"})");
  auto change = sink.all<hub::event::ToolUpdate>().back();
  EXPECT_TRUE(change.title == "y" && !change.content && !change.locations && !change.kind);
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","content":[]})");
  change = sink.all<hub::event::ToolUpdate>().back();
  EXPECT_TRUE(change.content && change.content->empty());
  const std::size_t events = sink.events.size();
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","title":"y","content":[],"kind":"edit"})");
  EXPECT_EQ(sink.events.size(), events) << "it says nothing new";
}

TEST(AcpUpdates, RefusedCallIsAlwaysRejected) {
  for (const bool agent_ends_it : {true, false}) {
    RecordingSink sink;
    const auto asked = json::from_text<acp::ToolCallUpdate>(
        R"({"toolCallId":"t","title":"echo hi","kind":"execute","status":"pending","rawInput":{"command":"echo hi"}})");
    EXPECT_EQ(sink.updates.announce(*asked), "t");
    EXPECT_EQ(sink.updates.find("t")->title, "echo hi");
    sink.updates.refused("t");
    if (agent_ends_it) sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"failed"})");
    sink.updates.end_turn(hub::ToolEndState::done);  // Gemini and Qwen send no further update of the call
    EXPECT_EQ(sink.trace(), "tool_start tool_end:rejected");
  }
}

TEST(AcpUpdates, OpenCallsAreClosedAtTheEnd) {
  RecordingSink well;
  well.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x"})");
  well.updates.end_turn(hub::ToolEndState::done);
  EXPECT_EQ(well.trace(), "tool_start tool_end:done");
  RecordingSink badly;
  badly.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x"})");
  badly.updates.end_turn(hub::ToolEndState::failed);
  EXPECT_EQ(badly.trace(), "tool_start tool_end:failed");
}

TEST(AcpUpdates, OutputWithoutContentIsPublished) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x"})");
  sink.say(R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","rawOutput":{"output":"all of it"}})");
  EXPECT_EQ(sink.trace(), "tool_start output tool_end:done");
  EXPECT_EQ(sink.all<hub::event::ToolOutput>().front().text, "all of it");
}

TEST(AcpUpdates, SubAgentsAreCallsWithChildCalls) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"agent_message_chunk","agentId":"subagent-a-b-2-1700000000001",
               "content":{"type":"text","text":"from below"}})");
  sink.say(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"x","agentId":"subagent-a-b-2-1700000000001"})");
  EXPECT_EQ(sink.trace(), "tool_start output tool_start");
  EXPECT_EQ(sink.all<hub::event::ToolStart>()[0].title, "Sub-agent a-b");
  EXPECT_EQ(sink.all<hub::event::ToolStart>()[1].parent, "subagent-a-b-2-1700000000001");
  EXPECT_EQ(sink.said(), "") << "its words are not the agent's";
  sink.updates.end_turn(hub::ToolEndState::done);
  EXPECT_EQ(sink.all<hub::event::ToolEnd>().size(), 2U);
}

TEST(AcpUpdates, PlansCommandsModesAndTitles) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"plan","entries":[{"content":"a","status":"in_progress","priority":"high"},{"content":"b"}]})");
  sink.say(
      R"({"sessionUpdate":"available_commands_update","availableCommands":[{"name":"web","description":"d","input":{"hint":"q"}}]})");
  sink.say(R"({"sessionUpdate":"current_mode_update","currentModeId":"plan"})");
  sink.say(R"({"sessionUpdate":"session_info_update","title":"A title"})");
  sink.say(R"({"sessionUpdate":"config_option_update","configOptions":[{"id":"m","name":"M","currentValue":"a"}]})");
  sink.say(R"({"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"mine"}})");
  sink.say(R"({"sessionUpdate":"something_new","x":1})");
  EXPECT_EQ(sink.trace(), "plan commands");
  EXPECT_EQ(sink.all<hub::event::Plan>().front().entries[0].priority, hub::PlanPriority::high);
  EXPECT_EQ(sink.all<hub::event::Plan>().front().entries[1].priority, hub::PlanPriority::medium);
  EXPECT_EQ(sink.all<hub::event::Commands>().front().commands.front().hint, "q");
  EXPECT_EQ(sink.modes, std::vector<std::string>{"plan"});
  EXPECT_EQ(sink.titles, std::vector<std::string>{"A title"});
  sink.updates.end_turn(hub::ToolEndState::done);
  EXPECT_EQ(sink.users, std::vector<std::string>{"mine"});
  EXPECT_EQ(sink.option_count, 1U);
}

TEST(AcpUpdates, SessionCostIsReportedInSteps) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"usage_update","used":100,"size":200000,"cost":{"amount":0.25,"currency":"USD"}})");
  sink.say(R"({"sessionUpdate":"usage_update","used":150,"size":200000,"cost":{"amount":0.75,"currency":"USD"}})");
  sink.say(R"({"sessionUpdate":"usage_update","used":160,"size":200000})");
  const auto usage = sink.all<hub::event::Usage>();
  ASSERT_EQ(usage.size(), 3U);
  EXPECT_DOUBLE_EQ(usage[0].cost->amount, 0.25);
  EXPECT_DOUBLE_EQ(usage[1].cost->amount, 0.5);
  EXPECT_FALSE(usage[2].cost);
  EXPECT_EQ(usage[2].context->used, 160U);
}

TEST(AcpUpdates, CostOfARestartedProgramCountsFromItsBase) {
  const auto report = [](double amount) {
    return acp::UsageUpdate{.used = 1, .size = 2, .cost = acp::Cost{.amount = amount, .currency = "USD"}};
  };
  RecordingSink sink;
  const auto counted = [&](double amount) {
    sink.updates.update({report(amount)});
    const auto cost = sink.all<hub::event::Usage>().back().cost;
    return cost ? cost->amount : 0;
  };
  EXPECT_DOUBLE_EQ(counted(5), 5);
  EXPECT_DOUBLE_EQ(counted(4), 4) << "of another process";
  sink.updates.begin_session();
  sink.updates.note_history({report(5)});
  EXPECT_DOUBLE_EQ(counted(5.5), 0.5) << "the loaded session has cost 5";
}

TEST(AcpUpdates, QwenReportsUsageWithAnEmptyText) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""},
               "_meta":{"usage":{"inputTokens":9625,"outputTokens":6,"cachedReadTokens":5}}})");
  EXPECT_EQ(sink.trace(), "usage");
  EXPECT_EQ(sink.all<hub::event::Usage>().front().input_tokens, 9625U);
  EXPECT_EQ(sink.all<hub::event::Usage>().front().cache_read_tokens, 5U);
}

TEST(AcpUpdates, NoticesAndCompactionsAreForPeople) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"notice","severity":"warning","title":"nearly full"})");
  sink.say(R"({"sessionUpdate":"compaction_update","compactionId":"c","status":"in_progress"})");
  sink.say(R"({"sessionUpdate":"compaction_update","compactionId":"c","status":"completed"})");
  EXPECT_EQ(sink.trace(), "notice notice");
  EXPECT_EQ(sink.all<hub::event::Notice>().front().level, hub::NoticeLevel::warning);
}

TEST(AcpUpdates, NonTextContentIsNamed) {
  RecordingSink sink;
  sink.say(R"({"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":"AAAA","mimeType":"image/png"}})");
  sink.say(R"({"sessionUpdate":"agent_message_chunk","content":{"type":"resource_link","uri":"file:///a","name":"a"}})");
  EXPECT_EQ(sink.said(), "[picture, image/png, 3 bytes][a](file:///a)");
}

// Feeds all recorded updates: each started call and each started thought ends, and no update stops the driver.
TEST(AcpUpdates, AllRecordedSessionsEndInOrder) {
  const std::string folder = PARLANCE_SOURCE_DIR "/tests/vectors/acp";
  for (const std::string& name : acp::test::recordings(folder)) {
    RecordingSink sink;
    for (const auto& record : acp::test::read_recording(folder + "/" + name)) {
      if (record.message.text_or("method", "") != acp::method::update.method) continue;
      const json::Value* update = record.message.find("params")->find("update");
      sink.say(json::to_text(*update));
    }
    sink.updates.end_turn(hub::ToolEndState::done);
    EXPECT_EQ(sink.all<hub::event::ToolStart>().size(), sink.all<hub::event::ToolEnd>().size()) << name;
    EXPECT_EQ(sink.all<hub::event::ThinkingStart>().size(), sink.all<hub::event::ThinkingEnd>().size()) << name;
  }
}

}  // namespace
}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// The built-in agent as an agent of the hub, over a real socket: the content of a prompt at the model, and the notices to the
// person.
#include "parlance/driver/gorpc/agent_via_gorpc.h"

#include "parlance/agent/limits.h"
#include "parlance/driver/gorpc/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct AgentViaGorpc : test::GorpcBench {};

const hub::Attachment picture{.about = {.media_type = "image/png", .name = "a.png"}, .data = std::string("\x89PNG\0", 5)};

TEST_F(AgentViaGorpc, SystemPromptsReachTheModel) {
  serve(true);
  prompt("one");
  ASSERT_EQ(model->asked.at(0).messages.size(), 3U);
  EXPECT_EQ(model->asked[0].messages[0].content, agent::default_instructions());
  EXPECT_EQ(model->asked[0].messages[1].content, "Working folder: /project");

  prompt("two", {.system = "You are a pirate.", .append_system = "Say arr."});
  const std::vector<model::Message>& sent = model->asked.at(1).messages;
  EXPECT_EQ(sent.at(0).content, "You are a pirate.");
  EXPECT_EQ(sent.at(1).content, "Working folder: /project");
  EXPECT_EQ(sent.at(2).content, "Say arr.");
  EXPECT_EQ(sent.at(3).role, model::Role::user);

  prompt("three", {.system = ""});
  EXPECT_EQ(model->asked.at(2).messages.at(0).content, agent::default_instructions()) << "an empty one asks for nothing";
}

TEST_F(AgentViaGorpc, AConversationWithAnEditorHasItsTools) {
  editor = hub::mock_editor();
  serve(true);
  prompt("one");
  const auto offered = [&](std::string_view name) {
    return std::ranges::any_of(model->asked.at(0).tools, [&](const auto& tool) { return tool.name == name; });
  };
  EXPECT_TRUE(offered("editor_selection"));
  EXPECT_TRUE(offered("editor_propose_change"));
}

TEST_F(AgentViaGorpc, AToolMayAskTheModelOutsideTheConversation) {
  serve(true);
  tools.samples = true;
  model->calls = 1;
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.mode = hub::Mode::yolo}})));
  prompt("secret plans");
  ASSERT_EQ(model->asked.size(), 3U) << "the prompt, the tool's question, the prompt with the result";
  const model::ChatRequest& asked = model->asked[1];
  ASSERT_EQ(asked.messages.size(), 2U) << "nothing of the conversation, no instructions of ours";
  EXPECT_EQ(asked.messages[0].content, "Be brief.");
  EXPECT_EQ(asked.messages[1].content, "2 + 2?");
  EXPECT_EQ(asked.max_tokens, 7);
  EXPECT_TRUE(asked.tools.empty());
  std::string output;
  std::string progress;
  for (const hub::Event& event : store.logs[id])
    if (const auto* piece = std::get_if<hub::event::ToolOutput>(&event.body))
      (piece->progress.value_or(false) ? progress : output) += piece->text;
  EXPECT_EQ(output, "done") << "what the model said";
  EXPECT_EQ(progress, "half\n");
}

TEST_F(AgentViaGorpc, PicturesReachAVisionModelInLaterTurnsToo) {
  serve(true);
  prompt("what is it?", {}, {picture});
  prompt("sure?");
  for (const model::ChatRequest& request : model->asked) {
    const model::Message& said = request.messages.at(2);
    ASSERT_EQ(said.attachments.size(), 1U);
    EXPECT_EQ(said.attachments[0].data, picture.data);
    EXPECT_EQ(said.attachments[0].name, "a.png");
    EXPECT_EQ(said.content, "what is it?");
  }
  EXPECT_TRUE(failures().empty());
}

// A manually repaired database, or a copy without the largest table: events refer to missing rows.
TEST_F(AgentViaGorpc, DeletedAttachmentIsNamedAndTheTurnContinues) {
  serve(true);
  prompt("what is it?", {}, {picture});
  ASSERT_EQ(store.attachments.size(), 1U);
  store.attachments.clear();
  prompt("sure?");
  ASSERT_EQ(model->asked.size(), 2U);
  const model::Message& said = model->asked[1].messages.at(2);
  EXPECT_TRUE(said.attachments.empty());
  EXPECT_THAT(said.content, HasSubstr("what is it?"));
  EXPECT_THAT(said.content, HasSubstr("an image (a.png, image/png, 5 bytes), which cannot be shown to you"));
  EXPECT_TRUE(failures().empty());
}

TEST_F(AgentViaGorpc, ModelWithoutVisionAndPersonGetANotice) {
  model->shown = "";
  serve(true);
  prompt("what is it?", {}, {picture});
  EXPECT_THAT(model->asked.at(0).messages.back().content,
              HasSubstr("an image (a.png, image/png, 5 bytes), which cannot be shown to you"));
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "not_shown");
  prompt("sure?");
  EXPECT_EQ(failures().size(), 1U) << "once";
}

TEST_F(AgentViaGorpc, AgentWithoutAttachmentsGetsADescription) {
  serve(false);
  prompt("what is it?", {}, {picture});
  ASSERT_EQ(old_asked.size(), 1U);
  EXPECT_THAT(old_asked[0].messages.back().content, HasSubstr("which cannot be shown to you"));
  EXPECT_TRUE(old_asked[0].messages.back().attachments.empty());
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "not_shown");
}

// The hub knows the accepted media types before a person attaches a file, and learns of a later refusal by a server.
TEST_F(AgentViaGorpc, ReportsAcceptedMediaTypes) {
  const auto shown = [&]() -> std::string {
    const auto kinds = hub->snapshot().agents.at(0).media_types;
    return !kinds ? "unknown" : kinds->empty() ? "nothing" : kinds->front();
  };
  serve(true);
  EXPECT_EQ(shown(), "unknown");
  link->keep_connected();
  const auto until_changes = [&](int times) { loop.run_until([&] { return changes >= times; }); };
  until_changes(3);  // connecting, ready, and then the media types
  EXPECT_EQ(shown(), "image/png");
  model->shown = "";
  prompt("what is it?", {}, {picture});
  until_changes(4);
  EXPECT_EQ(shown(), "nothing");
}

TEST_F(AgentViaGorpc, TheOldestAttachmentsAreLeftOutWhereAllWouldBeTooMuch) {
  serve(true);
  const hub::Attachment large{.about = {.media_type = "image/png"},
                              .data = std::string(limits::prompt_attachment_bytes / 2 + 1, 'x')};
  prompt("one", {}, {large});
  prompt("two", {}, {large});
  const std::vector<model::Message>& sent = model->asked.at(1).messages;
  EXPECT_TRUE(sent.at(2).attachments.empty());
  EXPECT_THAT(sent.at(2).content, HasSubstr("which cannot be shown to you"));
  EXPECT_EQ(sent.back().attachments.size(), 1U);
}

// ---- pictures of tools ---------------------------------------------------------------------------------------------------

std::vector<model::ToolResult> results_in(const model::ChatRequest& request) {
  std::vector<model::ToolResult> all;
  for (const model::Message& message : request.messages)
    all.insert(all.end(), message.tool_results.begin(), message.tool_results.end());
  return all;
}

TEST_F(AgentViaGorpc, ToolPictureReachesModelAndPersonAfterARestartToo) {
  tools.looks = true;
  tools.pictures = {picture};
  model->calls = 1;
  serve(true);
  prompt("look");
  ASSERT_EQ(model->asked.size(), 2U);

  const auto updates = events<hub::event::ToolUpdate>();
  ASSERT_FALSE(updates.empty());
  const auto& shown = std::get<hub::ToolPicture>(updates.back().content.value().at(0)).attachment;
  EXPECT_EQ(store.attachments.at(shown.id).data, picture.data);

  hub.emplace(loop, store, hub::HubSettings{});
  hub->add_agent(agent_via_gorpc(loop, *link, tools, settings));
  ASSERT_TRUE(loop.block_on(hub->start()));
  prompt("sure?");
  ASSERT_EQ(model->asked.size(), 3U);
  for (const std::size_t request : {1U, 2U}) {
    const std::vector<model::ToolResult> results = results_in(model->asked[request]);
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].content, "taken");
    ASSERT_EQ(results[0].attachments.size(), 1U);
    EXPECT_EQ(results[0].attachments[0].data, picture.data);
  }

  store.attachments.clear();
  prompt("and now?");
  EXPECT_TRUE(results_in(model->asked.at(3)).at(0).attachments.empty());
  EXPECT_THAT(results_in(model->asked[3])[0].content, HasSubstr("taken\n\n(With this message came an image (a.png"));
}

TEST_F(AgentViaGorpc, AgentWithoutAttachmentsGetsDescriptionsOfToolPictures) {
  tools.looks = true;
  tools.pictures = {picture};
  serve(false);
  old_answer.tools = {{.id = "c1", .type = "function", .function = {.name = "shot", .arguments = "{}"}}};
  settings.tool_rounds = 1;
  prompt("look", {.most_rounds = 2});
  ASSERT_EQ(old_asked.size(), 2U);
  const gorpc::ToolResult& result = old_asked[1].messages.back().tool_results.at(0);
  EXPECT_TRUE(result.attachments.empty());
  EXPECT_THAT(result.result.json, HasSubstr("which cannot be shown to you"));
}

TEST_F(AgentViaGorpc, TheOldestPicturesOfToolsLeaveInSteps) {
  tools.looks = true;
  tools.pictures = std::vector(12, picture);
  model->calls = 2;
  serve(true);
  prompt("look");
  const std::vector<model::ToolResult> results = results_in(model->asked.at(2));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].attachments.size(), 2U) << "24 pictures: ten leave";
  EXPECT_THAT(results[0].content, HasSubstr("which is no longer shown. Call the tool again if you need it."));
  EXPECT_EQ(results[1].attachments.size(), 12U);
  EXPECT_EQ(results[1].content, "taken");
}

model::Completion cut_answer(std::string id) {
  return {.cut_calls = {{.id = std::move(id), .name = "write", .arguments = R"({"content":"WRIT"})"}},
          .stop = model::StopReason::max_tokens};
}

TEST_F(AgentViaGorpc, CutCallsDoNotRunAndTheModelGetsANotice) {
  tools.looks = true;
  model->script = {cut_answer("c1")};
  serve(true);
  prompt("write it");
  EXPECT_TRUE(tools.ran.empty());
  ASSERT_EQ(model->asked.size(), 2U) << "it is asked again";
  const model::Message& last = model->asked[1].messages.back();
  ASSERT_EQ(last.tool_results.size(), 1U);
  EXPECT_TRUE(last.tool_results[0].failed);
  EXPECT_THAT(last.tool_results[0].content, HasSubstr("No action was taken. Send the call again in smaller parts."));
  EXPECT_TRUE(failures().empty());
}

TEST_F(AgentViaGorpc, RepeatedlyCutModelEndsTheTurn) {
  tools.looks = true;
  model->script = {cut_answer("c1"), cut_answer("c1"), cut_answer("c1"), cut_answer("c1")};
  serve(true);
  prompt("write it");
  EXPECT_TRUE(tools.ran.empty());
  EXPECT_EQ(model->asked.size(), 3U);
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "cut");
  EXPECT_TRUE(failures()[0].retryable);
}

TEST_F(AgentViaGorpc, CallsOfACutOrRefusedAnswerDoNotRun) {
  tools.looks = true;
  serve(false);
  for (const std::string stop : {"refusal", "error", "max_tokens"}) {
    old_answer = {.tools = {{.id = "c", .function = {.name = "write", .arguments = "{}"}}}, .stop = stop};
    prompt("go");
    EXPECT_TRUE(tools.ran.empty()) << stop;
  }
}

TEST_F(AgentViaGorpc, CallsWithEqualIdsAreSeparate) {
  tools.looks = true;
  model::Completion both{
      .tool_calls = {{.id = "same", .name = "one", .arguments = "{}"}, {.id = "same", .name = "two", .arguments = "{}"}},
      .stop = model::StopReason::tool_calls};
  const model::Completion sampled{.content = "4"};  // each tool asks the model a question
  model->script = {both, sampled, sampled, both};
  serve(true);
  prompt("go");
  EXPECT_EQ(tools.ran, (std::vector<std::string>{"one", "two", "one", "two"}));
  std::vector<std::string> ids;
  for (const hub::Event& event : store.logs[id])
    if (const auto* start = std::get_if<hub::event::ToolStart>(&event.body)) ids.push_back(start->call);
  std::ranges::sort(ids);
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

TEST_F(AgentViaGorpc, EmptyAnswerIsARetryableFailure) {
  model->script = {{.stop = model::StopReason::error, .problem = "The model answered nothing."}};
  serve(true);
  prompt("go");
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].message, "The model answered nothing.");
  EXPECT_TRUE(failures()[0].retryable);
}

// ---- titles ------------------------------------------------------------------------------------------------------------------

struct TitleOfAConversation : test::GorpcBench {
  TitleOfAConversation() {
    settings.titles = true;
    answer_then("A title");
  }
  void answer_then(std::string title) {
    model->script = {{.content = "answer"}, {.content = std::move(title), .usage = {.input_tokens = 40, .output_tokens = 6}}};
  }
  // Requests to the model, including those after the turn.
  std::size_t asked_after(std::string text) {
    prompt(std::move(text));
    for (int quiet = 0; quiet < 20; ++quiet) loop.run_for(std::chrono::milliseconds(1));
    return model->asked.size();
  }
  std::string title() { return hub->find(id)->title; }
};

TEST_F(TitleOfAConversation, ComesFromTheModelOnce) {
  answer_then("\"Race in the timer\"\n");
  serve(true);
  ASSERT_EQ(asked_after("why does the timer test fail?"), 2U);
  EXPECT_EQ(title(), "Race in the timer");
  const model::ChatRequest& asked = model->asked[1];
  ASSERT_EQ(asked.messages.size(), 2U) << "no instructions of ours, no memories";
  EXPECT_THAT(asked.messages[0].content, HasSubstr("Write a title"));
  EXPECT_EQ(asked.messages[1].content, "why does the timer test fail?");
  EXPECT_EQ(asked.max_tokens, 100);
  EXPECT_TRUE(asked.tools.empty());
  const auto usages = events<hub::event::Usage>();
  ASSERT_EQ(usages.size(), 1U) << "a title is part of the conversation's use";
  EXPECT_EQ(usages[0].input_tokens, 40U);
  EXPECT_EQ(asked_after("why does the timer test fail?"), 3U) << "the second prompt alone";
}

TEST_F(TitleOfAConversation, StaysAfterAnOddAnswerWithoutASecondQuestion) {
  answer_then("two\nlines");
  serve(true);
  EXPECT_EQ(asked_after("hello"), 2U);
  EXPECT_EQ(title(), "hello");
  EXPECT_EQ(asked_after("hello"), 3U);
}

TEST_F(TitleOfAConversation, StaysIfAPersonGaveIt) {
  serve(true);
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.title = "hello"}})));
  EXPECT_EQ(asked_after("hello there"), 1U);
  EXPECT_EQ(title(), "hello");
}

TEST_F(TitleOfAConversation, CostsNothingWithARehearsal) {
  settings.complete = [](hub::AgentInfo info) {
    info.scripted = true;
    return info;
  };
  serve(true);
  EXPECT_EQ(asked_after("hello"), 1U);
}

TEST_F(TitleOfAConversation, CostsNothingWithoutTheSetting) {
  settings.titles = false;
  serve(true);
  EXPECT_EQ(asked_after("hello"), 1U);
}

TEST_F(TitleOfAConversation, IsAskedOfNoOtherProgram) {
  serve(false);
  asked_after("hello");
  EXPECT_EQ(old_asked.size(), 1U);
}

TEST_F(TitleOfAConversation, IsNotForARequestOfAProgram) {
  serve(true);
  id = loop.block_on(hub->create({.agent = "parlance", .folder = "/project", .via = "http"}))->id;
  EXPECT_EQ(asked_after("hello"), 1U);
}

TEST_F(TitleOfAConversation, WaitsForATurnWithAnAnswer) {
  model->script.insert(model->script.begin(), {.stop = model::StopReason::error, .problem = "odd"});
  serve(true);
  EXPECT_EQ(asked_after("hello"), 1U);
  EXPECT_EQ(asked_after("hello"), 3U);
  EXPECT_EQ(title(), "A title");
}

TEST_F(TitleOfAConversation, NeedsFreeSlotsOfTheAgent) {
  serve(true);
  std::vector<std::unique_ptr<ChatSlots::Slot>> others;
  for (std::size_t i = 0; i < limits::running_chats / 2; ++i) others.push_back(std::make_unique<ChatSlots::Slot>(link->slots()));
  EXPECT_EQ(asked_after("hello"), 1U);
}

TEST_F(TitleOfAConversation, DelaysNoPrompt) {
  model->silent_at = 2;
  serve(true);
  EXPECT_EQ(asked_after("hello"), 2U);
  EXPECT_EQ(link->slots().taken(), 1U) << "the question for a title";
  EXPECT_EQ(asked_after("hello again"), 3U);
  EXPECT_EQ(link->slots().taken(), 0U);
  EXPECT_EQ(title(), "hello");
}

}  // namespace
}  // namespace parlance::driver

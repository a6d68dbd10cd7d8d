// SPDX-License-Identifier: Apache-2.0
// A person changes a call of our tools, and the changed call runs.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/test_support.h"
#include "parlance/store/test_folder.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/claude_named_tools.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;

class Runner final : public workspace::CommandRunner {
 public:
  Task<Result<workspace::CommandResult>> run(workspace::CommandRequest request, hub::ToolOutputSink) override {
    commands.push_back(request.command);
    co_return workspace::CommandResult{.output = "ok\n", .exit_status = 0};
  }
  std::vector<std::string> commands;
};

class EditedTest : public testing::Test {
 protected:
  EditedTest() {
    put("a.txt", "one\ntwo\n");
    hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(script, log));
    PARLANCE_CHECK(loop.block_on(hub.start()), "a hub that starts");
    id = hub::test::create(loop, hub, {.agent = "scripted", .folder = folder.path()});
  }
  void put(const std::string& name, std::string_view text) {
    std::ofstream(folder.path() + "/" + name, std::ios::binary) << text;
  }
  std::string content(const std::string& name) const {
    std::ifstream in(folder.path() + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The call is asked about, and allowed as `edited`; `between` happens before the answer.
  void run(hub::Tools& with, hub::ToolCall call, std::string edited, const std::function<void()>& between = {}) {
    script = [&with, call](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      co_await announce_tool(turn, with, call);
      PARLANCE_CO_TRY_DO(co_await carry_out_tool(turn, with, call, {}, nullptr));
      co_return hub::StopReason::end_turn;
    };
    PARLANCE_CHECK(loop.block_on(hub.submit(id, hub::SendPrompt{.text = "do it"})), "a prompt");
    loop.run_until([&] { return !open_asks(hub).empty(); });
    const hub::Ask ask = open_asks(hub).front();
    if (between) between();
    const auto answered = loop.block_on(
        hub.submit(ask.conversation,
                   hub::AnswerRequest{.request = ask.id,
                                      .answer = {.digest = ask.digest, .option = "allow_once", .edited = std::move(edited)}}));
    ASSERT_TRUE(answered) << answered.error().message;
    loop.run_until([&] { return hub::test::is_idle(hub, id); });
  }
  const hub::ToolResult& result() {
    auto messages = loop.block_on(hub.history(id));
    PARLANCE_CHECK(messages && !messages->empty(), "a history");
    history = *std::move(messages);
    return history.back().results.at(0);
  }

  Loop loop;
  store::TestFolder folder;
  hub::test::MemoryStore store{loop};
  hub::test::Script script;
  hub::test::AgentLog log;
  hub::Hub hub{loop, store};
  Runner runner;
  BuiltinTools tools{loop, runner, nullptr};
  std::vector<hub::ChatMessage> history;
  std::string id;
};

TEST_F(EditedTest, AFileIsWrittenAsThePersonMadeIt) {
  run(tools, {.id = "c", .tool = "edit_file", .arguments_json = R"({"path":"a.txt","old_text":"two","new_text":"2"})"},
      "one\nthree\n");
  EXPECT_EQ(content("a.txt"), "one\nthree\n");
  EXPECT_EQ(result().state, hub::ToolEndState::done);
  EXPECT_NE(result().text.find("Edited by the person before approval."), std::string::npos) << "the model knows";
  EXPECT_EQ(history[1].calls[0].arguments_json, R"({"path":"a.txt","content":"one\nthree\n"})");
}

TEST_F(EditedTest, AFileKeepsItsLineEnds) {
  put("crlf.txt", "one\r\ntwo\r\n");
  run(tools, {.id = "c", .tool = "edit_file", .arguments_json = R"({"path":"crlf.txt","old_text":"two","new_text":"2"})"},
      "one\nthree\n");
  EXPECT_EQ(result().state, hub::ToolEndState::done) << result().text;
  EXPECT_EQ(content("crlf.txt"), "one\r\nthree\r\n");
}

TEST_F(EditedTest, ByTheNamesOfClaudeCodeToo) {
  ClaudeNamedTools named(tools);
  run(named, {.id = "c", .tool = "Write", .arguments_json = R"({"file_path":"new.txt","content":"x"})"}, "mine");
  EXPECT_EQ(content("new.txt"), "mine");
}

TEST_F(EditedTest, ACommandRunsAsThePersonMadeIt) {
  run(tools, {.id = "c", .tool = "run_command", .arguments_json = R"({"command":"rm -rf x","timeout_s":5})"}, "echo no");
  EXPECT_EQ(runner.commands, (std::vector<std::string>{"echo no"}));
}

TEST_F(EditedTest, AFileThatHasChangedSinceIsLeftAlone) {
  run(tools, {.id = "c", .tool = "edit_file", .arguments_json = R"({"path":"a.txt","old_text":"two","new_text":"2"})"}, "mine",
      [this] { put("a.txt", "concurrent\n"); });
  EXPECT_EQ(content("a.txt"), "concurrent\n");
  EXPECT_EQ(result().state, hub::ToolEndState::failed);
  EXPECT_EQ(result().text, "The file has changed since the preview: nothing was written.");
}

TEST_F(EditedTest, OnlyWritesAndCommandsCanBeChanged) {
  EXPECT_FALSE(tools.edited({.tool = "read_file", .arguments_json = R"({"path":"a.txt"})"}, {}, "x"));
  tools.offer_only({"edit_file"});
  const auto intent = loop.block_on(tools.intent(
      *hub.find(id), {.id = "c", .tool = "edit_file", .arguments_json = R"({"path":"a.txt","old_text":"two","new_text":"2"})"}));
  ASSERT_TRUE(intent);
  EXPECT_FALSE(intent->editable) << "a whole file can only be written by a tool that is offered";
}

}  // namespace
}  // namespace parlance::toolbox

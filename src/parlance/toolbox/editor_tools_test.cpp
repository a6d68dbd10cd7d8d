// SPDX-License-Identifier: Apache-2.0
// The editor tools of our own agent: with the fixed data of the mock, and with a person who accepts, edits and rejects.
#include "parlance/toolbox/editor_tools.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/store/test_folder.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;
using hub::ToolEndState;
using hub::ToolKind;
using testing::HasSubstr;

struct InnerTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {{.name = "inner"}}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    co_return hub::ToolIntent{.title = "intent of " + call.tool};
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall& call, hub::ToolHost) override {
    co_return hub::ToolOutcome{.text = "called " + call.tool};
  }
};

struct PersonsEditor final : hub::Editor {
  Task<Result<hub::editor::Selected>> selection() override { co_return fail(Errc::failed, "No active editor"); }
  Task<Result<hub::editor::Selected>> latest_selection() override {
    co_return hub::editor::Selected{
        .path = "/p/a.cpp", .text = "int x;", .range = {.start = {.line = 1}, .end = {.line = 1, .character = 6}}};
  }
  Task<Result<std::vector<hub::editor::OpenEditor>>> open_editors() override {
    co_return std::vector<hub::editor::OpenEditor>{{.path = "/p/a.cpp", .active = true}, {.label = "Untitled-1", .dirty = true}};
  }
  Task<Result<hub::editor::Diagnostics>> diagnostics(std::optional<std::string> path,
                                                     std::optional<hub::editor::Severity>) override {
    asked_about = path.value_or("");
    co_return hub::editor::Diagnostics{.files = {{.path = "/p/a.cpp",
                                                  .diagnostics = {{.message = "unused",
                                                                   .severity = hub::editor::Severity::warning,
                                                                   .range = {.start = {.line = 4, .character = 2}},
                                                                   .source = "clangd"}}}},
                                       .truncated = true};
  }
  Task<Result<hub::editor::DiffOutcome>> open_diff(hub::editor::OpenDiff request) override {
    proposed = request;
    if (meanwhile) meanwhile();
    co_return answer;
  }
  Task<Result<std::vector<hub::editor::AddedMethod>>> added_methods() override {
    co_return std::vector<hub::editor::AddedMethod>{
        {.name = "count", .description = "Counts.", .parameters_json = R"({"type":"object"})", .read_only = true},
        {.name = "tidy", .description = "Tidies."}};
  }
  Task<Result<std::string>> call_added(std::string method, std::string params_json) override {
    co_return R"({")" + method + R"(":)" + params_json + "}";
  }
  hub::editor::OpenDiff proposed;
  Result<hub::editor::DiffOutcome> answer;
  std::function<void()> meanwhile;
  std::string asked_about;
};

class EditorToolsTest : public testing::Test {
 protected:
  EditorToolsTest() {
    setup.folder = folder.path() + "/project";
    fs::create_directories(setup.folder);
    put("a.txt", "old\n");
  }
  void put(const std::string& name, std::string_view text) { std::ofstream(setup.folder + "/" + name, std::ios::binary) << text; }
  std::string content(const std::string& name) const {
    std::ifstream in(setup.folder + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static hub::ToolCall call(std::string tool, std::string arguments = "{}") {
    return {.id = "k", .tool = std::move(tool), .arguments_json = std::move(arguments)};
  }
  Result<hub::ToolIntent> intent(hub::ToolCall of) { return loop.block_on(tools.intent(setup, of)); }
  hub::ToolOutcome run(hub::Tools& with, hub::ToolCall of) {
    const auto would = loop.block_on(with.intent(setup, of));
    if (!would) return {.state = ToolEndState::failed, .text = "intent: " + would.error().message};
    return loop.block_on(with.call(setup, of, {}));
  }
  hub::Effect decided(const hub::ToolIntent& would) const {
    return hub::decide({.conversation = "c",
                        .agent = "a",
                        .folder = setup.folder,
                        .mode = setup.mode,
                        .tool = "editor_propose_change",
                        .intent = would},
                       {})
        .effect;
  }

  Loop loop;
  store::TestFolder folder;
  Worker worker{loop, "files"};
  hub::SessionSetup setup{.id = "c"};
  InnerTools inner;
  PersonsEditor editor;
  EditorTools tools{inner, editor, worker};
  std::unique_ptr<hub::Editor> mock = hub::mock_editor();
  EditorTools mocked{inner, *mock, worker};
};

TEST_F(EditorToolsTest, StandBesideTheOthers) {
  std::vector<std::string> names;
  for (const hub::ToolSpec& spec : tools.list()) {
    names.push_back(spec.name);
    if (spec.name != "inner") EXPECT_TRUE(json::parse(spec.parameters_json)) << spec.name;
  }
  EXPECT_THAT(names, testing::ElementsAre("inner", "editor_selection", "editor_open_files", "editor_diagnostics",
                                          "editor_propose_change", "editor_methods", "editor_call"));
  EXPECT_EQ(intent(call("inner"))->title, "intent of inner");
  EXPECT_EQ(run(tools, call("inner")).text, "called inner");
}

TEST_F(EditorToolsTest, TheMockDescribesItsProject) {
  EXPECT_EQ(run(mocked, call("editor_selection")).text,
            "/path/to/project/src/main.cpp, 4:5 to 4:50:\nstd::cout << \"Hello World\" << std::endl;\n");
  EXPECT_EQ(run(mocked, call("editor_open_files")).text, "/path/to/project/src/main.cpp  (active)\n");
  EXPECT_EQ(run(mocked, call("editor_diagnostics")).text, "Unknown method: getDiagnostics");
  const auto shown = run(mocked, call("editor_propose_change", R"({"path":"a.txt","content":"new\n"})"));
  EXPECT_EQ(shown.state, ToolEndState::done);
  EXPECT_THAT(shown.text, HasSubstr("no file is written"));
  EXPECT_EQ(content("a.txt"), "old\n");
}

TEST_F(EditorToolsTest, ReportsSelectionOpenFilesAndProblems) {
  EXPECT_EQ(run(tools, call("editor_selection")).text, "/p/a.cpp, 2:1 to 2:7:\nint x;\n");
  EXPECT_EQ(run(tools, call("editor_open_files")).text, "/p/a.cpp  (active)\nUntitled-1  (not saved)\n");
  EXPECT_EQ(run(tools, call("editor_diagnostics", R"({"path":"/p/a.cpp"})")).text,
            "/p/a.cpp:5:3: warning: unused [clangd]\n… and more; ask for a single file.\n");
  EXPECT_EQ(editor.asked_about, "/p/a.cpp");
  EXPECT_EQ(decided(*intent(call("editor_selection"))), hub::Effect::allow);
  EXPECT_FALSE(intent(call("editor_diagnostics", R"({"path":3})")));
}

TEST_F(EditorToolsTest, AddedMethodsAreCalledAndAskedUnlessReadOnly) {
  EXPECT_EQ(run(tools, call("editor_methods")).text, "count: Counts.\n  params: {\"type\":\"object\"}\ntidy: Tidies.\n");
  EXPECT_EQ(run(mocked, call("editor_methods")).text, "Nothing was added.\n");
  const hub::ToolCall counting = call("editor_call", R"({"method":"count","params":{"n":1}})");
  EXPECT_EQ(run(tools, counting).text, R"({"count":{"n":1}})");
  EXPECT_EQ(decided(*intent(counting)), hub::Effect::allow);
  const auto tidying = intent(call("editor_call", R"({"method":"tidy"})"));
  ASSERT_TRUE(tidying);
  EXPECT_EQ(tidying->title, "tidy in the editor");
  EXPECT_EQ(decided(*tidying), hub::Effect::ask);
  setup.mode = hub::Mode::plan;
  EXPECT_EQ(decided(*tidying), hub::Effect::deny);
  EXPECT_THAT(intent(call("editor_call", R"({"method":"nobody"})")).error().message, HasSubstr("nobody has added \"nobody\""));
}

TEST_F(EditorToolsTest, ThePersonsVersionIsWritten) {
  const hub::ToolCall proposal = call("editor_propose_change", R"({"path":"a.txt","content":"new\n","title":"Renew"})");
  const auto would = intent(proposal);
  ASSERT_TRUE(would);
  EXPECT_EQ(decided(*would), hub::Effect::allow) << "the editor is where the person is asked";
  editor.answer = hub::editor::DiffOutcome{.accepted = true, .content = "newer\n", .edited = true};
  const auto done = run(tools, proposal);
  EXPECT_EQ(done.state, ToolEndState::done);
  EXPECT_EQ(done.text, "Changed a.txt. The person edited the proposal first; the file is now:\nnewer\n");
  EXPECT_EQ(editor.proposed.new_content, "new\n");
  EXPECT_EQ(editor.proposed.title, "Renew");
  EXPECT_EQ(content("a.txt"), "newer\n");
  EXPECT_EQ(done.diff->after, "newer\n");
  EXPECT_EQ(loop.block_on(tools.call(setup, proposal, {})).state, ToolEndState::failed) << "once";
}

TEST_F(EditorToolsTest, ARejectedProposalIsNotWritten) {
  editor.answer = hub::editor::DiffOutcome{.reason = "closed"};
  const auto rejected = run(tools, call("editor_propose_change", R"({"path":"a.txt","content":"new\n"})"));
  EXPECT_EQ(rejected.state, ToolEndState::rejected);
  EXPECT_EQ(rejected.text, "The person rejected the change of a.txt (closed).");
  editor.answer = fail(Errc::disconnected, "the editor has gone");
  EXPECT_EQ(run(tools, call("editor_propose_change", R"({"path":"a.txt","content":"new\n"})")).text, "the editor has gone");
  EXPECT_EQ(content("a.txt"), "old\n");
}

TEST_F(EditorToolsTest, AFileReplacedMeanwhileStaysUnchanged) {
  editor.answer = hub::editor::DiffOutcome{.accepted = true, .content = "new\n"};
  editor.meanwhile = [&] { put("a.txt", "a person's"); };
  const auto lost = run(tools, call("editor_propose_change", R"({"path":"a.txt","content":"new\n"})"));
  EXPECT_EQ(lost.state, ToolEndState::failed);
  EXPECT_THAT(lost.text, HasSubstr("has changed since the preview"));
  EXPECT_EQ(content("a.txt"), "a person's");
  editor.meanwhile = [&] { put("a.txt", "new\n"); };
  EXPECT_EQ(run(tools, call("editor_propose_change", R"({"path":"a.txt","content":"new\n"})")).state, ToolEndState::done)
      << "the editor saved it itself";
}

TEST_F(EditorToolsTest, NoEditorIsAWayAroundTheGuard) {
  fs::create_directories(setup.folder + "/.git");
  fs::create_directory_symlink(".git", setup.folder + "/docs");
  const auto guarded = intent(call("editor_propose_change", R"({"path":"docs/config","content":"x"})"));
  ASSERT_TRUE(guarded);
  EXPECT_EQ(guarded->kind, ToolKind::edit);
  setup.mode = hub::Mode::yolo;
  EXPECT_EQ(decided(*guarded), hub::Effect::ask);
  setup.mode = hub::Mode::plan;
  EXPECT_EQ(decided(*intent(call("editor_propose_change", R"({"path":"a.txt","content":"x"})"))), hub::Effect::deny);
  fs::create_symlink(folder.path(), setup.folder + "/out");
  EXPECT_EQ(intent(call("editor_propose_change", R"({"path":"out/x","content":"x"})")).error().code, Errc::denied);
}

}  // namespace
}  // namespace parlance::toolbox

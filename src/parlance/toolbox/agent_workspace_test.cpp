// SPDX-License-Identifier: Apache-2.0
// Files and commands requested by an agent from its host: with real files and processes, against links, races and a hostile
// repository.
#include "parlance/toolbox/agent_workspace.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/process/strays.h"
#include "parlance/store/test_folder.h"
#include "tests/support/child_process_fixture.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using hub::Effect;
using hub::Mode;
using testing::HasSubstr;
using testing::StartsWith;

// Decides like the hub; requests go to `person`.
struct Host final : hub::WorkspaceHost {
  const hub::SessionSetup& setup() const override { return about; }
  Task<Result<hub::AskAnswer>> ask(hub::AskRequest request) override {
    asked.push_back(request);
    const hub::Decision decision = hub::decide({.conversation = about.id,
                                                .agent = about.agent,
                                                .folder = about.folder,
                                                .mode = about.mode,
                                                .tool = *request.tool,
                                                .intent = *request.intent},
                                               rules);
    effects.push_back(decision.effect);
    hub::AskAnswer answer{.why = decision.why};
    bool yes = decision.effect == Effect::allow;
    if (decision.effect == Effect::ask) yes = person && person();
    if (meanwhile) meanwhile();
    if (yes) answer.kind = hub::OptionKind::allow_once;
    co_return answer;
  }
  hub::SessionSetup about{.id = "c", .agent = "a"};
  std::vector<hub::Rule> rules;
  std::function<bool()> person;
  std::function<void()> meanwhile;  // between the decision and the opening
  std::vector<hub::AskRequest> asked;
  std::vector<Effect> effects;
};

class AgentWorkspaceTest : public testing::Test {
 protected:
  AgentWorkspaceTest() {
    host.about.folder = folder.path() + "/project";
    fs::create_directories(host.about.folder);
    fs::create_directories(folder.path() + "/outside");
    put("outside/secret.txt", "secret\n");
    put("project/a.txt", "one\ntwo\nthree\nfour\nfive\n");
    workspace = agent_workspaces(loop)(host);
  }
  std::string at(const std::string& name) const { return folder.path() + "/" + name; }
  void put(const std::string& name, std::string_view text) {
    fs::create_directories(fs::path(at(name)).parent_path());
    std::ofstream(at(name), std::ios::binary) << text;
  }
  std::string content(const std::string& name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Result<std::string> read(const std::string& name, std::optional<std::uint64_t> line = {},
                           std::optional<std::uint64_t> limit = {}) {
    return loop.block_on(workspace->read_text_file(at(name), line, limit));
  }
  Result<void> write(const std::string& name, std::string text) {
    return loop.block_on(workspace->write_text_file(at(name), std::move(text)));
  }
  // Its output and its end.
  hub::TerminalOutput run(hub::TerminalRequest request) {
    const auto id = loop.block_on(workspace->create_terminal(std::move(request)));
    EXPECT_TRUE(id) << id.error().message;
    if (!id) return {};
    EXPECT_TRUE(loop.block_on(workspace->wait_for_terminal(*id)));
    auto output = workspace->terminal_output(*id);
    EXPECT_TRUE(workspace->release_terminal(*id));
    return *std::move(output);
  }

  Loop loop;
  store::TestFolder folder;
  Host host;
  std::unique_ptr<hub::Workspace> workspace;
};

// ---- reading -------------------------------------------------------------------------------------------------------------

TEST_F(AgentWorkspaceTest, ReadsAFileOrSomeOfItsLines) {
  EXPECT_EQ(*read("project/a.txt"), "one\ntwo\nthree\nfour\nfive\n");
  EXPECT_EQ(*read("project/a.txt", 2, 2), "two\nthree");
  EXPECT_EQ(*read("project/a.txt", 4), "four\nfive\n");
  EXPECT_EQ(*read("project/a.txt", {}, 1), "one");
  EXPECT_EQ(*read("project/a.txt", 1, 0), "one\ntwo\nthree\nfour\nfive\n") << "0 is no limit";
  EXPECT_EQ(*read("project/a.txt", 99), "");
  EXPECT_EQ(*read("project/a.txt", 5, 99), "five\n");
  EXPECT_EQ(*loop.block_on(workspace->read_text_file("a.txt", 1, 1)), "one") << "relative to the folder";
  EXPECT_EQ(host.effects.front(), Effect::allow);
  EXPECT_EQ(host.asked.front().tool, "read_file");
}

TEST_F(AgentWorkspaceTest, ReportsTheReasonOfAFailedRead) {
  const auto none = read("project/none.txt");
  EXPECT_EQ(none.error().code, Errc::not_found);
  EXPECT_EQ(none.error().message, "File not found: " + at("project/none.txt"));
  fs::create_directories(at("project/dir"));
  const auto dir = read("project/dir");
  EXPECT_EQ(dir.error().code, Errc::failed);
  EXPECT_THAT(dir.error().message, StartsWith("Not a file: "));
  put("project/big.txt", std::string(limits::file_edit_bytes + 1, 'x'));
  EXPECT_THAT(read("project/big.txt").error().message, StartsWith("File too large: 8388609 bytes (max: 8388608)"));
  const auto outside = read("outside/secret.txt");
  EXPECT_EQ(outside.error().code, Errc::denied);
  EXPECT_THAT(outside.error().message, StartsWith("Access denied: " + at("outside/secret.txt")));
}

TEST_F(AgentWorkspaceTest, OutsideAPersonDecidesAndThenExactlyThisFileIsRead) {
  host.person = [] { return true; };
  EXPECT_EQ(*read("outside/secret.txt"), "secret\n");
  EXPECT_EQ(host.effects, std::vector{Effect::ask});
  host.meanwhile = [&] {
    fs::rename(at("outside/secret.txt"), at("outside/kept.txt"));
    put("outside/secret.txt", "another");
  };
  EXPECT_THAT(read("outside/secret.txt").error().message, HasSubstr("another file than the one that was asked about"));
}

TEST_F(AgentWorkspaceTest, ALinkIsJudgedByItsTarget) {
  fs::create_symlink(at("outside"), at("project/docs"));
  EXPECT_EQ(read("project/docs/secret.txt").error().code, Errc::denied);
  EXPECT_EQ(host.effects, std::vector{Effect::ask});
  host.about.mode = Mode::yolo;
  EXPECT_EQ(write("project/docs/secret.txt", "gone").error().code, Errc::denied);
  EXPECT_EQ(content("outside/secret.txt"), "secret\n");
}

TEST_F(AgentWorkspaceTest, ALinkAddedMeanwhileIsNotFollowed) {
  put("project/docs/secret.txt", "mine\n");
  host.about.mode = Mode::yolo;
  host.meanwhile = [&] {
    fs::rename(at("project/docs"), at("project/moved"));
    fs::create_symlink(at("outside"), at("project/docs"));
  };
  EXPECT_EQ(read("project/docs/secret.txt").error().code, Errc::denied);
  fs::remove(at("project/docs"));
  fs::rename(at("project/moved"), at("project/docs"));
  EXPECT_FALSE(write("project/docs/secret.txt", "gone"));
  EXPECT_EQ(content("outside/secret.txt"), "secret\n");
}

// ---- writing -------------------------------------------------------------------------------------------------------------

TEST_F(AgentWorkspaceTest, WritesTheShownBytes) {
  put("project/dos.txt", "a\r\nb\r\n");
  EXPECT_EQ(write("project/dos.txt", "a\nc\n").error().code, Errc::denied) << "changes need approval";
  ASSERT_TRUE(host.asked.back().intent->diff);
  EXPECT_EQ(host.asked.back().intent->diff->after, "a\nc\n");
  host.person = [] { return true; };
  ASSERT_TRUE(write("project/dos.txt", "a\nc\n"));
  EXPECT_EQ(content("project/dos.txt"), "a\nc\n");
  ASSERT_TRUE(write("project/new/deep.txt", "x"));
  EXPECT_EQ(content("project/new/deep.txt"), "x");
  host.about.mode = Mode::plan;
  EXPECT_THAT(write("project/new/deep.txt", "y").error().message, HasSubstr("mode plan"));
}

TEST_F(AgentWorkspaceTest, AFileChangedDuringTheQuestionIsNotOverwritten) {
  host.person = [] { return true; };
  host.meanwhile = [&] { put("project/a.txt", "a person's own change"); };
  EXPECT_THAT(write("project/a.txt", "the agent's").error().message, HasSubstr("has changed since the preview"));
  EXPECT_EQ(content("project/a.txt"), "a person's own change");
}

// A cloned repository with a link to its own .git, and with programs in its configuration.
TEST_F(AgentWorkspaceTest, AHostileRepositoryGetsNoUnaskedRunOrWrite) {
  put("project/.git/HEAD", "ref: refs/heads/main\n");
  fs::create_directories(at("project/.git/objects"));
  fs::create_directories(at("project/.git/refs"));
  put("project/.git/config",
      "[core]\n\trepositoryformatversion = 0\n[filter \"x\"]\n\tclean = touch " + at("outside/ran") + "\n");
  put("project/.gitattributes", "* filter=x\n");
  fs::create_directory_symlink(".git", at("project/docs"));
  host.rules = {{.id = "r", .effect = Effect::allow, .label = "always allow write_file", .tool = "write_file"}};
  host.about.mode = Mode::yolo;
  for (const char* place : {"project/docs/config", "project/.git/config", "project/.GIT/hooks/pre-commit"}) {
    host.effects.clear();
    EXPECT_EQ(write(place, "[core]\n").error().code, Errc::denied) << place;
    EXPECT_EQ(host.effects, std::vector{Effect::ask}) << place;
  }
  EXPECT_THAT(content("project/.git/config"), HasSubstr("filter"));
  host.about.mode = Mode::smart;
  for (hub::TerminalRequest request :
       {hub::TerminalRequest{.command = "git", .args = {"status"}}, hub::TerminalRequest{.command = "git status"},
        hub::TerminalRequest{.command = "cat", .args = {"a.txt"}, .environment = {{"LD_PRELOAD", "./x.so"}}},
        hub::TerminalRequest{.command = "cat", .args = {"a.txt"}, .folder = at("outside")},
        hub::TerminalRequest{.command = "cat", .args = {"../outside/secret.txt"}}}) {
    host.effects.clear();
    const auto refused = loop.block_on(workspace->create_terminal(std::move(request)));
    EXPECT_EQ(refused.error().code, Errc::denied);
    EXPECT_EQ(host.effects, std::vector{Effect::ask});
  }
  EXPECT_FALSE(fs::exists(at("outside/ran")));
}

TEST_F(AgentWorkspaceTest, MoreFoldersAreInsideAsWell) {
  put("more/b.txt", "more\n");
  put("more/.git/config", "");
  host.about.folders = {at("more"), at("gone")};
  EXPECT_EQ(*read("more/b.txt"), "more\n");
  EXPECT_EQ(host.effects.back(), Effect::allow);
  host.about.mode = Mode::auto_edit;
  ASSERT_TRUE(write("more/c.txt", "new"));
  EXPECT_EQ(content("more/c.txt"), "new");
  EXPECT_EQ(write("more/.git/config", "x").error().code, Errc::denied);
  EXPECT_EQ(host.effects.back(), Effect::ask) << "guarded there too";
  fs::create_symlink(at("more"), at("project/link"));
  EXPECT_EQ(*read("project/link/b.txt"), "more\n") << "a link that leads into another of the folders";
  EXPECT_EQ(host.effects.back(), Effect::allow);
  ASSERT_TRUE(write("project/link/c.txt", "by the link"));
  EXPECT_EQ(content("more/c.txt"), "by the link");
  fs::create_symlink(at("outside"), at("more/out"));
  EXPECT_EQ(read("more/out/secret.txt").error().code, Errc::denied);
}

TEST_F(AgentWorkspaceTest, AlwaysInAnotherFolderConcernsThisFolder) {
  put("more/b.txt", "more\n");
  host.about.folders = {at("more")};
  host.person = [] { return true; };
  ASSERT_TRUE(write("more/b.txt", "x"));
  const hub::Action action{
      .conversation = "c", .agent = "a", .folder = host.about.folder, .tool = "write_file", .intent = *host.asked.back().intent};
  const hub::Offer offer = hub::standard_offer(action);
  ASSERT_EQ(offer.rules.size(), 2U);
  EXPECT_EQ(offer.rules[0].rule.path_prefix, at("more"));
  EXPECT_TRUE(hub::matches(offer.rules[0].rule, action));
}

// ---- terminals -----------------------------------------------------------------------------------------------------------

TEST_F(AgentWorkspaceTest, RunsAProgramWithItsWordsOrALineForTheShell) {
  host.about.mode = Mode::yolo;
  const auto words = run({.command = "printf", .args = {"%s|", "a b", "it's", "$HOME", ""}});
  EXPECT_EQ(words.text, "a b|it's|$HOME||");
  EXPECT_EQ(words.exit, (hub::TerminalExit{.code = 0}));
  EXPECT_EQ(run({.command = "echo out; echo err >&2; exit 3"}).text, "out\nerr\n");
  EXPECT_EQ(run({.command = "exit 3"}).exit, (hub::TerminalExit{.code = 3}));
  EXPECT_EQ(run({.command = "pwd"}).text, host.about.folder + "\n");
  fs::create_directories(at("project/sub dir"));
  EXPECT_EQ(run({.command = "pwd", .folder = at("project/sub dir")}).text, at("project/sub dir") + "\n");
  EXPECT_EQ(run({.command = "echo \"$A-$B\"", .environment = {{"A", "one two"}, {"B", "it's"}}}).text, "one two-it's\n");
  EXPECT_EQ(host.asked.back().intent->command, "export A='one two'; export B='it'\\''s'; echo \"$A-$B\"")
      << "the whole command is shown";
  EXPECT_EQ(run({.command = "kill -9 $$"}).exit, (hub::TerminalExit{.signal = SIGKILL}));
}

TEST_F(AgentWorkspaceTest, RefusesAnEmptyCommand) {
  host.about.mode = Mode::yolo;
  const auto refused = [&](hub::TerminalRequest request) {
    return loop.block_on(workspace->create_terminal(std::move(request))).error();
  };
  EXPECT_EQ(refused({.command = " "}).code, Errc::invalid_params);
  EXPECT_EQ(refused({.command = "true", .environment = {{"A B", "x"}}}).message, "no name of a variable: \"A B\"");
  EXPECT_EQ(refused({.command = std::string("a\0b", 3)}).code, Errc::invalid_params);
  EXPECT_EQ(refused({.command = "true", .folder = at("nowhere")}).message, "Folder not found: " + at("nowhere"));
  EXPECT_TRUE(host.asked.empty());
  EXPECT_EQ(workspace->terminal_output("none").error().message, "Terminal not found: none");
  EXPECT_EQ(loop.block_on(workspace->wait_for_terminal("none")).error().code, Errc::not_found);
  EXPECT_EQ(workspace->kill_terminal("none").error().code, Errc::not_found);
  EXPECT_EQ(workspace->release_terminal("none").error().code, Errc::not_found);
}

TEST_F(AgentWorkspaceTest, KeepsTheEndOfItsOutputInWholeCharacters) {
  host.about.mode = Mode::yolo;
  std::string pieces;
  const auto cut =
      run({.command = "printf 'ééé€'", .output_bytes = 4, .on_output = [&](std::string_view piece) { pieces += piece; }});
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.text, "€") << "the last four bytes begin in the middle of a character";
  EXPECT_EQ(pieces, "ééé€");
  const auto flood = run({.command = "head -c 3000000 /dev/zero | tr '\\0' x; printf end", .output_bytes = 1000});
  EXPECT_TRUE(flood.truncated);
  EXPECT_EQ(flood.text, std::string(997, 'x') + "end");
  EXPECT_FALSE(run({.command = "printf abcd", .output_bytes = 4}).truncated);
}

TEST_F(AgentWorkspaceTest, AKilledTerminalKeepsItsOutputUntilItsRelease) {
  host.about.mode = Mode::yolo;
  const auto id = loop.block_on(workspace->create_terminal({.command = "echo begun; sleep 1000"}));
  loop.run_until([&] { return !workspace->terminal_output(*id)->text.empty(); });
  EXPECT_FALSE(workspace->terminal_output(*id)->exit);
  ASSERT_TRUE(workspace->kill_terminal(*id));
  EXPECT_EQ(*loop.block_on(workspace->wait_for_terminal(*id)), (hub::TerminalExit{.signal = SIGKILL}));
  EXPECT_TRUE(workspace->kill_terminal(*id)) << "fine when it has ended";
  EXPECT_EQ(workspace->terminal_output(*id)->text, "begun\n");
  ASSERT_TRUE(workspace->release_terminal(*id));
  EXPECT_FALSE(workspace->terminal_output(*id));
}

TEST_F(AgentWorkspaceTest, AWaiterReceivesTheEndOfAReleasedTerminal) {
  host.about.mode = Mode::yolo;
  const auto id = loop.block_on(workspace->create_terminal({.command = "sleep 1000"}));
  std::optional<Result<hub::TerminalExit>> ended;
  Scope scope(loop);
  const auto wait = [&]() -> Task<void> { ended = co_await workspace->wait_for_terminal(*id); };
  scope.start(wait());
  ASSERT_TRUE(workspace->release_terminal(*id));
  loop.block_on(scope.join());
  EXPECT_EQ(**ended, (hub::TerminalExit{.signal = SIGKILL}));
}

TEST_F(AgentWorkspaceTest, AllCommandsEndWithTheWorkspace) {
  host.about.mode = Mode::yolo;
  const std::string mark = folder.path();
  const auto id = loop.block_on(workspace->create_terminal(
      {.command = "sleep 1000 & setsid sleep 1000 & sleep 1000", .environment = {{"WORKSPACE_TEST", mark}}}));
  ASSERT_TRUE(id);
  // A process has no environment while it starts a program, and /proc reports no event.
  std::vector<pid_t> started;
  while ((started = processes_with("WORKSPACE_TEST", mark)).size() < 3) loop.run_for(1ms);
  const std::vector<parlance::test::Watched> commands(started.begin(), started.end());
  workspace.reset();
  for (const auto& command : commands) EXPECT_TRUE(command.ends_within());
}

TEST_F(AgentWorkspaceTest, TooManyTerminalsAreRefusedUntilARelease) {
  host.about.mode = Mode::yolo;
  std::string last;
  for (int i = 0; i < 32; ++i) last = *loop.block_on(workspace->create_terminal({.command = "true"}));
  EXPECT_EQ(loop.block_on(workspace->create_terminal({.command = "true"})).error().code, Errc::overloaded);
  ASSERT_TRUE(workspace->release_terminal(last));
  EXPECT_TRUE(loop.block_on(workspace->create_terminal({.command = "true"})));
}

TEST_F(AgentWorkspaceTest, AReadingCommandRunsUnaskedInModeSmartInItsJudgedFormOnly) {
  host.about.mode = Mode::smart;
  EXPECT_EQ(run({.command = "cat", .args = {"a.txt"}}).text, content("project/a.txt"));
  EXPECT_EQ(host.effects, std::vector{Effect::allow});
  host.meanwhile = [&] {
    fs::remove(at("project/a.txt"));
    fs::create_symlink(at("outside/secret.txt"), at("project/a.txt"));
  };
  const auto changed = loop.block_on(workspace->create_terminal({.command = "cat", .args = {"a.txt"}}));
  ASSERT_FALSE(changed);
  EXPECT_THAT(changed.error().message, HasSubstr("have changed since the decision"));
}

}  // namespace
}  // namespace parlance::toolbox

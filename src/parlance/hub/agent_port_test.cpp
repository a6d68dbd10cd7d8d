// SPDX-License-Identifier: Apache-2.0
// Events between turns, the workspace of an agent, and imported history.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

// Keeps the host of the opened agent.
struct Hosted : test::Bench {
  Hosted() {
    log.opening = [this](AgentHost host) { given.emplace(host); };
    id = conversation();
  }
  AgentSink& sink() { return given->sink; }
  void open() {
    ASSERT_TRUE(loop.block_on(hub->submit(id, PrepareAgent{})));
    loop.advance(100ms);
  }
  void settle() { loop.advance(100ms); }
  std::optional<AgentHost> given;
  std::string id;
};

TEST(AgentHost, EventsBetweenTurnsAreNumberedWrittenAndPublished) {
  Hosted bench;
  bench.open();
  Follower follower(*bench.hub, bench.id, 0);
  EXPECT_TRUE(bench.sink().emit(event::Notice{.text = "a task has ended"}));
  EXPECT_TRUE(bench.sink().emit(event::Text{"by itself"}));
  bench.settle();
  EXPECT_EQ(bench.trace(bench.id), "notice text");
  EXPECT_EQ(bench.hub->find(bench.id)->last_seq, 2U);
  const auto batch = bench.loop.block_on(follower.next());
  ASSERT_EQ(batch->events.size(), 2U);
  EXPECT_EQ(batch->events[0]->seq, 1U);
  bench.prompt(bench.id);
  bench.settle();
  EXPECT_EQ(bench.trace(bench.id), "notice text turn_start user turn_end");
}

TEST(AgentHost, EventsDuringATurnKeepTheirOrder) {
  Hosted bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{"one"});
    bench.sink().emit(event::Notice{.text = "n"});
    turn.emit(event::Text{"two"});
    EXPECT_TRUE(bench.sink().emit(event::ToolStart{.call = "k", .tool = "t"}));
    co_return StopReason::end_turn;
  };
  bench.prompt(bench.id);
  bench.settle();
  EXPECT_EQ(bench.trace(bench.id), "turn_start user text notice text tool_start tool_end:cancelled turn_end")
      << "the end of the turn closes open calls";
}

TEST(AgentHost, OnlyTurnsOpenCallsAndOnlyTheHubFramesTurns) {
  Hosted bench;
  bench.open();
  for (const EventBody& body :
       {EventBody(event::ThinkingStart{}), EventBody(event::ToolStart{.call = "k"}), EventBody(event::TurnStart{"t"}),
        EventBody(event::UserMessage{.text = "x"}), EventBody(event::TurnEnd{}), EventBody(event::AskSettled{})})
    EXPECT_FALSE(bench.sink().emit(body)) << body.index();
  bench.settle();
  EXPECT_EQ(bench.trace(bench.id), "");
}

TEST(AgentHost, StoreFailureLosesNoEvents) {
  Hosted bench;
  bench.open();
  bench.store.failing = true;
  bench.sink().emit(event::Notice{.text = "kept"});
  bench.settle();
  EXPECT_FALSE(bench.loop.block_on(bench.sink().written()));
  bench.store.failing = false;
  bench.loop.advance(10s);
  EXPECT_EQ(bench.trace(bench.id), "notice");
}

TEST(AgentHost, ItsModeItsTitleAndItsSessionGoIntoTheConversation) {
  Hosted bench;
  bench.open();
  bench.sink().set_mode(Mode::plan);
  bench.sink().set_title("About\nlinks");
  bench.sink().set_agent_session("s1");
  bench.settle();
  const Conversation& kept = bench.store.row(bench.id);
  EXPECT_EQ(kept.mode, Mode::plan);
  EXPECT_EQ(kept.title, "About");
  EXPECT_EQ(kept.agent_session, (AgentSession{.id = "s1"}));
  EXPECT_EQ(bench.trace(bench.id), "mode");
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, ChangeSettings{{.title = "Mine"}})));
  bench.sink().set_title("Another");
  bench.settle();
  EXPECT_EQ(bench.hub->find(bench.id)->title, "Mine") << "a person's word";
  bench.crash();
  bench.open();
  bench.sink().set_title("Another");
  EXPECT_EQ(bench.hub->find(bench.id)->title, "Mine") << "after a restart too";
}

TEST(AgentHost, UnwrittenTitleIsNotAPersonsTitle) {
  Hosted bench;
  bench.open();
  bench.store.failing = true;
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(bench.id, ChangeSettings{{.title = "Mine"}})));
  bench.store.failing = false;
  bench.loop.advance(10s);
  bench.sink().set_title("Its own");
  EXPECT_EQ(bench.hub->find(bench.id)->title, "Its own");
}

TEST(AgentHost, RemovedConversationAcceptsNoEvents) {
  Hosted bench;
  bool said = true;
  bench.log.closing = [&]() -> Task<void> {
    said = bench.sink().emit(event::Notice{.text = "late"});
    bench.sink().set_title("late");
    EXPECT_TRUE(co_await bench.sink().written());
  };
  bench.open();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, RemoveConversation{})));
  bench.settle();
  EXPECT_FALSE(said);
  EXPECT_EQ(bench.log.closed, 1);
}

TEST(AgentHost, ClosedAgentIsIgnored) {
  Hosted bench;
  bench.open();
  bench.sink().set_agent_session("before");
  bench.log.closing = [&]() -> Task<void> {
    bench.sink().set_agent_session("late");
    EXPECT_FALSE(bench.sink().emit(event::Notice{.text = "late"}));
    co_return;
  };
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, ClearConversation{})));
  bench.settle();
  EXPECT_EQ(bench.log.closed, 1);
  EXPECT_TRUE(bench.hub->find(bench.id)->agent_session.empty());
  EXPECT_EQ(bench.trace(bench.id), "cleared");
}

TEST(AgentHost, AHubWithoutAWorkspaceRefuses) {
  Hosted bench;
  bench.open();
  const auto read = bench.loop.block_on(bench.given->workspace.read_text_file("/etc/passwd", {}, {}));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Errc::denied);
  EXPECT_EQ(read.error().message, "File system access not configured");
  EXPECT_EQ(bench.given->editor, nullptr);
}

ToolIntent write_of(std::string path, std::string text) {
  ToolIntent intent{.kind = ToolKind::edit, .title = path, .path = path, .real_path = path, .path_inside = true};
  intent.diff = Diff{.path = std::move(path), .after = std::move(text)};
  return intent;
}

// A workspace without files: each call only requests approval.
struct AskingWorkspace final : Workspace {
  AskingWorkspace(WorkspaceHost& h, int& ended) : host(h), ends(ended) {}
  ~AskingWorkspace() override { ++ends; }
  Task<Result<std::string>> read_text_file(std::string path, std::optional<std::uint64_t>,
                                           std::optional<std::uint64_t>) override {
    PARLANCE_CO_TRY(
        answer,
        co_await host.ask(
            {.tool = "write_file",
             .title = path,
             .intent = ToolIntent{.kind = ToolKind::edit, .title = path, .path = path, .real_path = path, .path_inside = true}}));
    co_return std::string(answer.allowed() ? "allowed: " : "refused: ") + answer.why;
  }
  Task<Result<void>> write_text_file(std::string path, std::string text) override {
    PARLANCE_CO_TRY(answer, co_await host.ask({.tool = "write_file", .title = path, .intent = write_of(path, text)}));
    if (!answer.allowed()) co_return fail(Errc::denied, answer.why);
    co_return Result<void>{};
  }
  Task<Result<std::string>> create_terminal(TerminalRequest) override { co_return "t"; }
  Result<TerminalOutput> terminal_output(const std::string&) const override { return TerminalOutput{}; }
  Task<Result<TerminalExit>> wait_for_terminal(std::string) override { co_return TerminalExit{}; }
  Result<void> kill_terminal(const std::string&) override { return {}; }
  Result<void> release_terminal(const std::string&) override { return {}; }
  WorkspaceHost& host;
  int& ends;
};

TEST(AgentHost, AWorkspaceAsksInTheRunningTurnAndEndsWithTheAgent) {
  Loop loop{Loop::Time::virtual_};
  test::MemoryStore store{loop};
  test::AgentLog log;
  int ends = 0;
  std::optional<AgentHost> given;
  log.opening = [&](AgentHost host) { given.emplace(host); };
  const auto editor = mock_editor();
  std::string said;
  test::Script script = [&](Turn&, Prompt) -> Task<Result<StopReason>> {
    said = *co_await given->workspace.read_text_file("/project/a", {}, {});
    co_return StopReason::end_turn;
  };
  Hub hub(loop, store,
          {.workspace = [&](WorkspaceHost& host) { return std::make_unique<AskingWorkspace>(host, ends); },
           .editor = [&](const SessionSetup&) { return editor.get(); }});
  hub.add_agent(std::make_unique<test::ScriptedProvider>(script, log));
  ASSERT_TRUE(loop.block_on(hub.start()));
  const std::string id = loop.block_on(hub.create({.agent = "scripted", .folder = "/project"}))->id;
  ASSERT_TRUE(loop.block_on(hub.submit(id, PrepareAgent{})));
  EXPECT_EQ(given->editor, editor.get());
  const auto alone = loop.block_on(given->workspace.read_text_file("/project/a", {}, {}));
  EXPECT_EQ(*alone, "refused: nobody can be asked while no turn runs (mode default: changes need approval)");
  ASSERT_TRUE(loop.block_on(hub.submit(id, ChangeSettings{{.mode = Mode::yolo}})));
  EXPECT_EQ(*loop.block_on(given->workspace.read_text_file("/project/a", {}, {})),
            "allowed: mode yolo: changing files inside the folder");
  ASSERT_TRUE(loop.block_on(hub.submit(id, ChangeSettings{{.mode = Mode::default_}})));
  ASSERT_TRUE(loop.block_on(hub.submit(id, SendPrompt{.text = "go"})));
  loop.advance(100ms);
  ASSERT_EQ(open_asks(hub).size(), 1U);
  const Ask ask = open_asks(hub)[0];
  EXPECT_EQ(ask.tool, "write_file");
  ASSERT_TRUE(loop.block_on(
      hub.submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "allow_once"}})));
  loop.advance(100ms);
  EXPECT_EQ(said, "allowed: ");
  EXPECT_EQ(ends, 0);
  ASSERT_TRUE(loop.block_on(hub.submit(id, RemoveConversation{})));
  loop.advance(100ms);
  EXPECT_EQ(ends, 1);
}

// Gemini CLI requests the change as `edit`, and then writes through the workspace. The rule is about `edit`.
TEST(AgentHost, WriteAfterAnAllowedEditNeedsNoRequest) {
  Loop loop{Loop::Time::virtual_};
  test::MemoryStore store{loop};
  test::AgentLog log;
  int ends = 0;
  std::optional<AgentHost> given;
  log.opening = [&](AgentHost host) { given.emplace(host); };
  std::vector<bool> written;
  test::Script script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    const auto answer = co_await turn.ask({.call = "c", .tool = "edit", .intent = write_of("/project/a", "x")});
    if (!answer || !answer->allowed()) co_return StopReason::refusal;
    for (const char* const text : {"y", "x", "x"})
      written.push_back((co_await given->workspace.write_text_file("/project/a", text)).has_value());
    co_return StopReason::end_turn;
  };
  Hub hub(loop, store, {.rules = {{.id = "r", .effect = Effect::allow, .tool = "edit"}}, .workspace = [&](WorkspaceHost& host) {
                          return std::make_unique<AskingWorkspace>(host, ends);
                        }});
  hub.add_agent(std::make_unique<test::ScriptedProvider>(script, log));
  ASSERT_TRUE(loop.block_on(hub.start()));
  const std::string id = loop.block_on(hub.create({.agent = "scripted", .folder = "/project"}))->id;
  ASSERT_TRUE(loop.block_on(hub.submit(id, SendPrompt{.text = "go"})));
  for (std::size_t asks = 0; asks < 2; ++asks) {  // another text, and the same text again
    loop.advance(100ms);
    ASSERT_EQ(open_asks(hub).size(), 1U);
    const Ask ask = open_asks(hub)[0];
    ASSERT_TRUE(loop.block_on(
        hub.submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "reject"}})));
  }
  loop.advance(100ms);
  EXPECT_EQ(written, (std::vector{false, true, false}));
}

TEST(Create, MoreFoldersAreKeptWithTheConversation) {
  test::Bench bench;
  const auto made =
      bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "/p", .folders = {"/more/", "/other"}}));
  ASSERT_TRUE(made);
  EXPECT_EQ(bench.store.row(made->id).folders, (std::vector<std::string>{"/more", "/other"}));
  const auto relative = bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "/p", .folders = {"more"}}));
  EXPECT_EQ(relative.error().code, Errc::invalid_params);
}

}  // namespace
}  // namespace parlance::hub

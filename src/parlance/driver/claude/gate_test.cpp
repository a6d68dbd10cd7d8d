// SPDX-License-Identifier: Apache-2.0
// The gate with each mode and each kind of call; the answer of a person counts for exactly one call.
#include "parlance/driver/claude/gate.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/store/test_folder.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct GateEvents final : ClaudeEvents::Sink {
  void emit(hub::EventBody body) override {
    if (const auto* start = std::get_if<hub::event::ToolStart>(&body); start != nullptr && parents != nullptr)
      parents->push_back(start->parent.value_or("none"));
    turn->emit(std::move(body));
  }
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {}
  hub::Turn* turn = nullptr;
  std::vector<std::string>* parents = nullptr;  // of announced calls
};

// Runs the calls of one turn in order; every request gets the answer `option`.
class Gate : public testing::Test {
 protected:
  Gate() {
    fs::create_directories(folder + "/.git");
    fs::create_directories(base + "/other");
    std::ofstream(base + "/other/key") << "SECRET";
  }
  struct Seen {
    std::vector<std::string> outputs{};
    std::size_t asked = 0;
    bool stopped = false;
  };
  using Steps = std::function<Task<void>(ClaudeGate&, hub::Turn&, std::vector<std::string>&)>;

  Seen run(hub::Mode mode, Steps steps, bool has_host = false) {
    Seen seen;
    hub::test::Bench bench(rules);
    bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      GateEvents sink;
      sink.turn = &turn;
      sink.parents = &parents;
      ClaudeEvents events(sink);
      for (const std::string& json : lines) events.line({.type = "system", .subtype = "task_started", .json = json});
      ClaudeAsks asks(events, [](hub::Mode) {}, base);
      ClaudeHooks configured(bench.loop, {});
      ClaudeGate gate(events, asks, configured, {.has_host = has_host, .stop = [&] { seen.stopped = true; }});
      co_await steps(gate, turn, seen.outputs);
      co_return hub::StopReason::end_turn;
    };
    bench.prompt(hub::test::create(bench.loop, *bench.hub, {.agent = "scripted", .folder = folder, .mode = mode}));
    bench.loop.run_ready();
    for (bool open = true; open;) {
      open = false;
      for (const hub::Ask& ask : open_asks(*bench.hub)) {
        if (ask.state != hub::AskState::open) continue;
        ++seen.asked;
        EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(
            ask.conversation,
            hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = option, .edited = edited}})));
        open = true;
        break;
      }
      bench.loop.run_ready();
    }
    return seen;
  }
  static claude::HookCallback call_of(const std::string& tool, const std::string& input, const std::string& id = "toolu_1",
                                      const std::string& cwd = "") {
    return {.callback_id = "parlance_hook_gate",
            .input = {R"({"hook_event_name":"PreToolUse","tool_name":")" + tool + R"(","tool_input":)" + input +
                      (cwd.empty() ? "" : R"(,"cwd":")" + cwd + "\"") + R"(,"tool_use_id":")" + id + "\"}"}};
  }
  // The outcome for an allowing person: asked, done or refused.
  std::string outcome(hub::Mode mode, const std::string& tool, const std::string& input, const std::string& cwd = "") {
    const Seen seen = run(mode, [&](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>& outputs) -> Task<void> {
      outputs.push_back((co_await gate.judge(turn, call_of(tool, input, "toolu_1", cwd))).json);
    });
    if (seen.outputs.size() != 1) return "no answer";
    if (seen.outputs[0].contains(R"("permissionDecision":"deny")")) return "refused";
    if (seen.outputs[0] != "{}") return seen.outputs[0];
    return seen.asked > 0 ? "asked" : "done";
  }

  store::TestFolder held;
  std::string base = fs::canonical(held.path()).string();
  std::string folder = base + "/project";
  std::string option = "allow_once";
  std::optional<std::string> edited;
  std::vector<hub::Rule> rules;
  std::vector<std::string> lines;    // the stream before the calls
  std::vector<std::string> parents;  // of announced calls
};

TEST_F(Gate, EachModeIsKeptForEachKindOfCall) {
  using enum hub::Mode;
  const std::string write = R"({"content":"x","file_path":")" + folder;
  struct Row {
    std::string tool;
    std::string input;
    std::array<std::string_view, 5> outcomes;  // default, autoEdit, smart, yolo, plan
  };
  const std::vector<Row> rows{
      {"Read", R"({"file_path":")" + folder + R"(/a.txt"})", {"done", "done", "done", "done", "done"}},
      {"Read", R"({"file_path":")" + base + R"(/other/key"})", {"asked", "asked", "asked", "asked", "asked"}},
      {"Read", R"({"file_path":" ~/other/key"})", {"asked", "asked", "asked", "asked", "asked"}},
      {"Grep", R"({"pattern":"S","path":")" + base + R"(/other"})", {"asked", "asked", "asked", "asked", "asked"}},
      {"Glob", R"({"pattern":")" + base + R"(/other/*"})", {"asked", "asked", "asked", "asked", "asked"}},
      {"Glob", R"({"pattern":"../other/*"})", {"asked", "asked", "asked", "asked", "asked"}},
      {"Glob", R"({"pattern":"**/*"})", {"done", "done", "done", "done", "done"}},
      {"Write", write + R"(/new.txt"})", {"asked", "done", "asked", "done", "refused"}},
      {"Write", write + R"(/.git/config"})", {"asked", "asked", "asked", "asked", "refused"}},
      {"Write", write + R"(/../other/new"})", {"asked", "asked", "asked", "asked", "refused"}},
      {"Bash", R"({"command":"ls"})", {"asked", "asked", "asked", "done", "refused"}},
      {"Bash", R"({"command":"git status; touch MADE"})", {"asked", "asked", "asked", "done", "refused"}},
      {"mcp__calc__add", R"({"a":1})", {"asked", "asked", "asked", "done", "refused"}},
      {"ToolOfNextYear", R"({"a":1})", {"asked", "asked", "asked", "done", "refused"}},
      {"Task", R"({"prompt":"x"})", {"done", "done", "done", "done", "done"}},
      {"Agent", R"({"prompt":"x","isolation":"worktree"})", {"asked", "asked", "asked", "done", "refused"}},
  };
  constexpr std::array modes{default_, auto_edit, smart, yolo, plan};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < modes.size(); ++i)
      EXPECT_EQ(outcome(modes[i], row.tool, row.input), row.outcomes[i])
          << row.tool << " " << row.input << " in " << to_string(modes[i]);
  EXPECT_EQ(outcome(plan, "Grep", R"({"pattern":"S"})", base + "/other"), "asked") << "the shell may be outside";
}

TEST_F(Gate, RulesHoldForItsOwnWork) {
  rules = {{.effect = hub::Effect::deny, .tool = "Task"}, {.effect = hub::Effect::ask, .tool = "KillShell"}};
  for (const hub::Mode mode : {hub::Mode::default_, hub::Mode::plan})
    EXPECT_EQ(outcome(mode, "Task", R"({"prompt":"x"})"), "refused") << to_string(mode);
  EXPECT_EQ(outcome(hub::Mode::default_, "KillShell", R"({"shell_id":"1"})"), "asked");
  EXPECT_EQ(outcome(hub::Mode::default_, "TodoWrite", "{}"), "done");
}

TEST_F(Gate, AnUnreadableCallIsRefused) {
  for (const char* input : {"null", "[]", "\"ls\"", "1"}) EXPECT_EQ(outcome(hub::Mode::yolo, "Bash", input), "refused") << input;
  EXPECT_EQ(outcome(hub::Mode::yolo, "", "{}"), "refused");
}

TEST_F(Gate, ARefusalReachesClaudeCodeAndMayStopTheTurn) {
  const Steps steps = [](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>& outputs) -> Task<void> {
    outputs.push_back((co_await gate.judge(turn, call_of("Bash", R"({"command":"ls"})"))).json);
  };
  option = "reject";
  Seen seen = run(hub::Mode::default_, steps);
  EXPECT_THAT(seen.outputs.at(0), HasSubstr(R"("permissionDecision":"deny")"));
  EXPECT_FALSE(seen.stopped);
  option = "reject_stop";
  seen = run(hub::Mode::default_, steps);
  EXPECT_THAT(seen.outputs.at(0), HasSubstr(R"("permissionDecision":"deny")"));
  EXPECT_TRUE(seen.stopped);
}

TEST_F(Gate, AnAnswerCountsOnceForTheIdenticalCall) {
  const auto request = [](const std::string& command, const std::string& id) {
    return claude::CanUseTool{.tool_name = "Bash", .input = {R"({"command":")" + command + "\"}"}, .tool_use_id = id};
  };
  const Seen seen = run(hub::Mode::default_, [&](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>&) -> Task<void> {
    static_cast<void>(co_await gate.judge(turn, call_of("Bash", R"({"command":"make"})")));             // asked: 1
    static_cast<void>(co_await gate.can_use_tool(turn, request("make", "toolu_1"), false));             // the same call
    static_cast<void>(co_await gate.can_use_tool(turn, request("make", "toolu_1"), false));             // a second time: 2
    static_cast<void>(co_await gate.judge(turn, call_of("Bash", R"({"command":"make"})", "toolu_2")));  // 3
    static_cast<void>(co_await gate.can_use_tool(turn, request("make all", "toolu_2"), false));         // another input: 4
    static_cast<void>(co_await gate.judge(turn, call_of("Bash", R"({"command":"make"})", "toolu_3")));  // 5
    static_cast<void>(co_await gate.can_use_tool(turn, request("make", "toolu_4"), false));             // another call: 6
    static_cast<void>(co_await gate.can_use_tool(turn, request("make", "toolu_3"), true));  // for a hook of the host: 7
  });
  EXPECT_EQ(seen.asked, 7U);
}

// Version 2.1.332 asks first, and names the parent of the call later. The bytes are from a real session.
TEST_F(Gate, ACallOfASubAgentIsAnnouncedBelowTheCallOfThatSubAgent) {
  lines = {
      R"({"type":"system","subtype":"task_started","task_id":"a1b0dc4a062a65d88","tool_use_id":"toolu_task","spawn_depth":1})"};
  const auto hook = [](const std::string& id, const std::string& agent) {
    claude::HookCallback callback = call_of("Bash", R"({"command":"touch x"})", id);
    callback.input.json.insert(1, R"("agent_id":")" + agent + R"(",)");
    return callback;
  };
  run(hub::Mode::default_, [&](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>&) -> Task<void> {
    static_cast<void>(co_await gate.judge(turn, hook("toolu_1", "a1b0dc4a062a65d88")));
    static_cast<void>(co_await gate.judge(turn, hook("toolu_2", "unknown")));
    static_cast<void>(co_await gate.judge(turn, call_of("Bash", R"({"command":"touch y"})", "toolu_3")));
    static_cast<void>(co_await gate.can_use_tool(
        turn,
        {.tool_name = "Bash", .input = {R"({"command":"z"})"}, .tool_use_id = "toolu_4", .agent_id = {R"("a1b0dc4a062a65d88")"}},
        false));
  });
  EXPECT_EQ(parents, (std::vector<std::string>{"toolu_task", "none", "none", "toolu_task"}));
}

TEST_F(Gate, ACommandChangedByAPersonRunsAsChanged) {
  edited = "make test";
  const Seen seen =
      run(hub::Mode::default_, [](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>& outputs) -> Task<void> {
        outputs.push_back((co_await gate.judge(turn, call_of("Bash", R"({"command":"make"})"))).json);
        const auto said = co_await gate.can_use_tool(
            turn, {.tool_name = "Bash", .input = {R"({"command":"make test"})"}, .tool_use_id = "toolu_1"}, false);
        outputs.push_back(std::get<claude::Allow>(said->value).updated_input.json);
      });
  EXPECT_EQ(seen.asked, 1U);
  EXPECT_EQ(seen.outputs.at(0),
            R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow",)"
            R"("permissionDecisionReason":"A person changed and allowed the input.","updatedInput":{"command":"make test"}}})");
  EXPECT_EQ(seen.outputs.at(1), R"({"command":"make test"})");
}

TEST_F(Gate, AHostAnswersForItselfButNeverLiftsARefusal) {
  const Steps both = [this](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>& outputs) -> Task<void> {
    outputs.push_back((co_await gate.judge(turn, call_of("Bash", R"({"command":"ls"})"))).json);
    outputs.push_back((co_await gate.judge(turn, call_of("Read", R"({"file_path":")" + base + R"(/other/key"})"))).json);
  };
  Seen seen = run(hub::Mode::default_, both, true);
  EXPECT_EQ(seen.asked, 0U);
  EXPECT_THAT(seen.outputs, testing::ElementsAre("{}", "{}")) << "its Claude Code asks it";
  seen = run(hub::Mode::plan, both, true);
  EXPECT_EQ(seen.asked, 0U);
  EXPECT_THAT(seen.outputs.at(0), HasSubstr(R"("permissionDecision":"deny")"));
  EXPECT_THAT(seen.outputs.at(1), HasSubstr(R"("permissionDecision":"ask")")) << "2.1.332 reads it without a question";
}

TEST_F(Gate, AGuardOfClaudeCodeIsAnsweredByAPersonAlone) {
  const auto request = [](std::string tool, std::string reason, std::string type = "", std::string blocked = "") {
    const auto text = [](const std::string& of) { return of.empty() ? wire::Raw{} : claude::text_content(of); };
    return claude::CanUseTool{.tool_name = std::move(tool),
                              .input = {"{}"},
                              .blocked_path = text(blocked),
                              .decision_reason = text(reason),
                              .decision_reason_type = text(type)};
  };
  const std::string sensitive = "Claude requested permissions to edit /w/.x which is a sensitive file.";
  for (const auto& guarded :
       {request("Write", sensitive), request("Write", sensitive, "safetyCheck"), request("Bash", sensitive),
        request("Write", "Claude requested permissions to write to /w/.claude/x, but you haven't granted it yet."),
        request("Bash", "Dangerous rm operation on critical path: /home/a"), request("Bash", "better ask"),
        request("Bash", "", "hook"), request("Bash", "", "rule"), request("Bash", "", "typeOfNextYear"),
        request("Bash", "", "", "/w/.git/config"), request("Edit", "This command requires approval")})
    EXPECT_TRUE(is_guarded_by_claude(guarded)) << claude::text_of(guarded.decision_reason);
  auto of_a_list = request("Bash", "");
  EXPECT_FALSE(is_guarded_by_claude(of_a_list));
  of_a_list.blocked_paths.json = R"(["/etc/x","/w/.git/config"])";
  EXPECT_TRUE(is_guarded_by_claude(of_a_list)) << "the list of earlier versions";
  for (const auto& ordinary :
       {request("Write", ""), request("Bash", "This command requires approval", "other"), request("Bash", "", "", "/w/MADE"),
        request("Bash", "Contains command_substitution"), request("Bash", "Command contains $() command substitution"),
        request("Bash", "", "subcommandResults"), request("mcp__a__b", ""), request("Write", "", "mode"),
        request("Read", "Path is outside allowed working directories", "workingDir")})
    EXPECT_FALSE(is_guarded_by_claude(ordinary)) << claude::text_of(ordinary.decision_reason);

  claude::CanUseTool write = request("Write", sensitive);
  write.input.json = R"({"content":"x","file_path":")" + folder + R"(/plain.txt"})";
  write.tool_use_id = "toolu_1";
  const Seen seen = run(hub::Mode::yolo, [&](ClaudeGate& gate, hub::Turn& turn, std::vector<std::string>&) -> Task<void> {
    static_cast<void>(co_await gate.can_use_tool(turn, write, false));
  });
  EXPECT_EQ(seen.asked, 1U) << "mode yolo does not answer it";
}

}  // namespace
}  // namespace parlance::driver

// The real Claude Code (2.1.112) as an agent of the hub; its model is a script in the prompt (tests/peers/models/mock-anthropic).
// Skipped where node or the CLI is not there: scripts/peers.sh install claude-cli.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json/value.h"
#include "hub/test_support.h"
#include "protocol/claude/host.h"
#include "service/agent_via_claude.h"
#include "transport/strays.h"

namespace parlance::service {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr auto long_enough = 100s;  // it starts in a second on a quiet machine

std::string peers_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers";
}
std::string cli() { return peers_folder() + "/" PARLANCE_CLAUDE_CLI; }

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One step of the model: "@mock VERB JSON".
std::string step(std::string_view verb, json::Object argument = {}) {
  return "@mock " + std::string(verb) + " " + json::to_text(json::Value(std::move(argument))) + "\n";
}
std::string tool_step(std::string name, std::string input_json) {
  json::Object argument;
  argument.set("name", std::move(name));
  argument.set("input", *json::parse(input_json));
  return step("tool", std::move(argument));
}
std::string bash_step(const std::string& command) {
  json::Object input;
  input.set("command", command);
  input.set("description", "a command");
  return tool_step("Bash", json::to_text(json::Value(std::move(input))));
}

class ClaudeCli : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(cli())) GTEST_SKIP() << "no " << cli() << ": scripts/peers.sh install claude-cli";
    base = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    ASSERT_NE(::mkdtemp(base.data()), nullptr);
    std::filesystem::create_directories(base + "/home");
    std::filesystem::create_directories(base + "/work");
    auto mock = ChildProcess::start(
        loop, {.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-anthropic/server.mjs", "--port", "0"}});
    ASSERT_TRUE(mock) << mock.error().message;
    model = *std::move(mock);
    model_output = model->take_stream();
    const std::string ready = loop.block_on(first_line(*model_output));
    url = json::parse(ready)->text_or("url", "");
    ASSERT_FALSE(url.empty()) << ready;
    open_hub();
  }
  void TearDown() override {
    hub.reset();
    model.reset();
    std::error_code ignored;
    if (!base.empty()) std::filesystem::remove_all(base, ignored);
  }

  claude::Launch launch() const {
    claude::Launch launch{
        .command = PARLANCE_CLAUDE_IS_SCRIPT ? std::vector<std::string>{PARLANCE_NODE, cli()} : std::vector<std::string>{cli()},
        .folder = base + "/work"};
    launch.environment = {{"HOME", base + "/home"},       {"ANTHROPIC_BASE_URL", url},
                          {"ANTHROPIC_API_KEY", "dummy"}, {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                          {"DISABLE_TELEMETRY", "1"},     {"DISABLE_ERROR_REPORTING", "1"}};
    return launch;
  }
  // Again on the same store: as after a restart of the program.
  void open_hub() {
    hub.reset();
    hub = std::make_unique<hub::Hub>(loop, store);
    hub->add_agent(agent_via_claude(loop, {.launch = launch(), .hooks = hooks}));
    ASSERT_TRUE(loop.block_on(hub->start()));
  }
  std::string conversation(hub::Mode mode = hub::Mode::default_) {
    auto made = loop.block_on(hub->create({.agent = "claude", .folder = base + "/work", .mode = mode}));
    EXPECT_TRUE(made);
    return made->id;
  }
  void until(const std::function<bool()>& condition, std::string_view what) {
    const TimePoint limit = Clock::now() + long_enough;
    while (!condition() && Clock::now() < limit) loop.run_for(2ms);
    if (!condition()) throw std::runtime_error("waited too long for: " + std::string(what));
  }
  void begin(const std::string& id, std::string text) { ASSERT_TRUE(loop.block_on(hub->prompt(id, std::move(text)))); }
  // The next open ask; those that a crash orphaned stand in the list as well.
  hub::Ask asked() {
    std::optional<hub::Ask> open;
    until(
        [&] {
          for (const hub::Ask& ask : hub->snapshot().asks)
            if (ask.state == hub::AskState::open) open = ask;
          return open.has_value();
        },
        "a question");
    return *open;
  }
  void answer(const hub::Ask& ask, std::string option, std::optional<std::string> text = {}) {
    const auto done =
        loop.block_on(hub->answer(ask.id, {.digest = ask.digest, .option = std::move(option), .text = std::move(text)}));
    ASSERT_TRUE(done) << done.error().message;
  }
  void until_idle(const std::string& id) {
    until([&] { return hub->find(id)->state == hub::ConversationState::idle; }, "the end of the turn");
  }
  template <class E>
  std::vector<E> events(const std::string& id) const {
    std::vector<E> found;
    if (const auto log = store.logs.find(id); log != store.logs.end())
      for (const hub::Event& event : log->second)
        if (const auto* body = std::get_if<E>(&event.body)) found.push_back(*body);
    return found;
  }
  // What was said since the last prompt, in one piece.
  std::string said(const std::string& id) const {
    std::string all;
    for (const hub::Event& event : store.logs.at(id)) {
      if (std::holds_alternative<hub::event::TurnStart>(event.body)) all.clear();
      if (const auto* text = std::get_if<hub::event::Text>(&event.body)) all += text->text;
    }
    return all;
  }
  // Where the CLI keeps a session; empty until it does.
  std::string transcript(const std::string& session) const {
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(base + "/home", none))
      if (entry.path().filename() == session + ".jsonl") return entry.path().string();
    return "";
  }
  // SIGKILL to the CLI and whatever it runs, found by what they were started with.
  void crash() const {
    const std::vector<pid_t> found = processes_with("ANTHROPIC_BASE_URL", url);
    ASSERT_FALSE(found.empty());
    for (const pid_t pid : found) ::kill(pid, SIGKILL);
  }
  // Commands "sleep MARK" that run under the CLI.
  int sleepers(const std::string& mark) const {
    int count = 0;
    for (const pid_t pid : processes_with("ANTHROPIC_BASE_URL", url))
      if (read_file("/proc/" + std::to_string(pid) + "/cmdline") == std::string("sleep\0", 6) + mark + '\0') ++count;
    return count;
  }
  hub::StopReason last_stop(const std::string& id) const { return events<hub::event::TurnEnd>(id).back().stop_reason; }

  static Task<std::string> first_line(ByteStream& stream) {
    std::string line;
    char c = 0;
    for (;;) {
      const auto got = co_await read_some(stream, {&c, 1});
      if (!got || *got == 0 || c == '\n') co_return line;
      line += c;
    }
  }

  Loop loop;
  std::string base;
  std::string url;
  std::vector<ClaudeHook> hooks;
  std::unique_ptr<ChildProcess> model;
  std::unique_ptr<ByteStream> model_output;
  hub::test::MemoryStore store{loop};
  std::unique_ptr<hub::Hub> hub;
};

TEST_F(ClaudeCli, AllowDenyAndTheRuleThatItSuggests) {
  const std::string id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  hub::Ask ask = asked();
  EXPECT_EQ(ask.tool, "Bash");
  EXPECT_EQ(ask.detail, "touch made.txt");
  EXPECT_THAT(ask.why, HasSubstr("Claude Code wants this"));
  ASSERT_GE(ask.options.size(), 3U);
  EXPECT_EQ(ask.options[1].kind, hub::OptionKind::allow_always);
  answer(ask, "allow_once");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt"));
  EXPECT_THAT(said(id), HasSubstr("ECHO"));
  ASSERT_EQ(events<hub::event::ToolStart>(id).size(), 1U);
  EXPECT_EQ(events<hub::event::ToolEnd>(id).at(0).state, hub::ToolEndState::done);
  ASSERT_FALSE(events<hub::event::Usage>(id).empty());
  EXPECT_GT(events<hub::event::Usage>(id).at(0).output_tokens, 0U);
  EXPECT_FALSE(hub->find(id)->native_session.empty());

  begin(id, bash_step("touch other.txt") + step("echo"));
  answer(asked(), "reject", "not this one");
  until_idle(id);
  EXPECT_FALSE(std::filesystem::exists(base + "/work/other.txt"));
  EXPECT_THAT(said(id), HasSubstr("not this one")) << "the model hears why";
  EXPECT_EQ(events<hub::event::ToolEnd>(id).at(1).state, hub::ToolEndState::rejected);

  begin(id, bash_step("sh -c 'echo hi'") + step("echo"));
  ask = asked();
  EXPECT_THAT(ask.options[1].label, HasSubstr("Bash `sh -c 'echo hi'` in this project, for you"));
  answer(ask, "always_0");
  until_idle(id);
  EXPECT_THAT(read_file(base + "/work/.claude/settings.local.json"), HasSubstr("echo hi")) << ask.options[1].label;
  begin(id, bash_step("sh -c 'echo hi'") + step("echo"));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("hi")) << "not asked again";
}

TEST_F(ClaudeCli, AnEditIsShownAsADiffAndTheModesOfTheHubHold) {
  { std::ofstream(base + "/work/a.txt") << "one\ntwo\n"; }
  const std::string id = conversation();
  const std::string file = base + "/work/a.txt";
  begin(id, tool_step("Read", R"({"file_path":")" + file + R"("})") +
                tool_step("Edit", R"({"file_path":")" + file + R"(","old_string":"two","new_string":"three"})") + step("echo"));
  const hub::Ask ask = asked();
  ASSERT_TRUE(ask.diff);
  EXPECT_EQ(ask.diff->before, "one\ntwo\n");
  EXPECT_EQ(ask.diff->after, "one\nthree\n");
  answer(ask, "allow_once");
  until_idle(id);
  EXPECT_EQ(read_file(file), "one\nthree\n");
  const auto ends = events<hub::event::ToolEnd>(id);
  ASSERT_EQ(ends.size(), 2U);
  ASSERT_TRUE(ends[1].diff);
  EXPECT_EQ(ends[1].diff->after, "one\nthree\n");

  ASSERT_TRUE(loop.block_on(hub->set(id, {.mode = hub::Mode::yolo})));
  begin(id, bash_step("touch free.txt") + step("echo"));
  until_idle(id);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/free.txt")) << "yolo: nobody is asked";
}

TEST_F(ClaudeCli, AQuestionAPlanAndAToDoList) {
  const std::string id = conversation(hub::Mode::plan);
  begin(id,
        tool_step("AskUserQuestion", R"({"questions":[{"question":"Which one?","header":"Colour","multiSelect":false,)"
                                     R"("options":[{"label":"Red","description":"r"},{"label":"Blue","description":"b"}]}]})") +
            tool_step("ExitPlanMode", R"({"plan":"1. do it"})") +
            tool_step("TodoWrite", R"({"todos":[{"content":"do it","status":"in_progress","activeForm":"Doing it"}]})") +
            step("echo"));
  const hub::Ask question = asked();
  ASSERT_EQ(question.kind, hub::AskKind::question);
  ASSERT_TRUE(loop.block_on(hub->answer(question.id, {.digest = question.digest, .answers = {{"Blue"}}})));
  until([&] { return !hub->snapshot().asks.empty() && hub->snapshot().asks.front().id != question.id; }, "the plan");
  const hub::Ask plan = asked();
  ASSERT_EQ(plan.kind, hub::AskKind::plan);
  EXPECT_THAT(*plan.plan, HasSubstr("do it"));
  answer(plan, "approve");
  until_idle(id);
  EXPECT_EQ(hub->find(id)->mode, hub::Mode::default_) << "an approved plan ends plan mode";
  ASSERT_EQ(events<hub::event::Plan>(id).size(), 1U);
  EXPECT_EQ(events<hub::event::Plan>(id)[0].entries.at(0).status, hub::PlanStatus::in_progress);
  bool told = false;
  for (const auto& output : events<hub::event::ToolOutput>(id)) told = told || output.text.find("Blue") != std::string::npos;
  EXPECT_TRUE(told);
}

TEST_F(ClaudeCli, AStopInMidStreamAndInAQuestion) {
  const std::string id = conversation();
  json::Object slow;
  slow.set("chunks", 400);
  slow.set("delay_ms", 50);
  begin(id, step("slow", std::move(slow)));
  until([&] { return !events<hub::event::Text>(id).empty(); }, "text");
  ASSERT_TRUE(hub->stop(id));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::cancelled);
  EXPECT_TRUE(events<hub::event::Failure>(id).empty());

  begin(id, bash_step("touch never.txt") + step("echo"));
  const hub::Ask ask = asked();
  ASSERT_TRUE(hub->stop(id));
  until_idle(id);
  EXPECT_EQ(store.asks.at(ask.id).state, hub::AskState::cancelled);
  EXPECT_FALSE(std::filesystem::exists(base + "/work/never.txt"));

  json::Object after;
  after.set("text", "still here");
  begin(id, step("text", std::move(after)));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("still here"));
}

TEST_F(ClaudeCli, ThinkingIsToldOnce) {
  const std::string id = conversation();
  json::Object think;
  think.set("thinking", "let me see");
  think.set("text", "four");
  begin(id, step("think", std::move(think)));
  until_idle(id);
  EXPECT_EQ(said(id), "four");
  std::string thought;
  for (const auto& piece : events<hub::event::ThinkingContent>(id)) thought += piece.text;
  EXPECT_EQ(thought, "let me see");
  EXPECT_EQ(events<hub::event::ThinkingEnd>(id).size(), 1U);
}

TEST_F(ClaudeCli, AnErrorOfTheModelIsAnErrorOfTheTurn) {
  const std::string id = conversation();
  json::Object error;
  error.set("status", 400);
  error.set("message", "scripted failure");
  begin(id, step("error", std::move(error)));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  ASSERT_FALSE(events<hub::event::Failure>(id).empty());
  EXPECT_THAT(events<hub::event::Failure>(id)[0].message, HasSubstr("scripted failure"));
}

TEST_F(ClaudeCli, HooksDecideAndABrokenOneFailsClosedWhereItShould) {
  {
    std::ofstream(base + "/deny.json")
        << R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the hook says no"}})";
  }
  hooks = {{.event = "PreToolUse", .matcher = "Bash", .command = "cat > seen.json; cat " + base + "/deny.json"}};
  open_hub();
  std::string id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("the hook says no"));
  EXPECT_THAT(read_file(base + "/work/seen.json"), HasSubstr("touch made.txt"));

  hooks = {{.event = "PreToolUse", .command = "sleep 600", .timeout = 0.2, .on_failure = "block"}};
  open_hub();
  id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("no answer in time"));
  EXPECT_FALSE(std::filesystem::exists(base + "/work/made.txt"));

  hooks = {{.event = "PreToolUse", .command = "exit 1"}};
  open_hub();
  id = conversation();
  begin(id, bash_step("touch made.txt") + step("echo"));
  answer(asked(), "allow_once");
  until_idle(id);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt")) << "a hook that fails has no opinion";
}

TEST_F(ClaudeCli, ACrashIsToldAndTheSessionGoesOnAfterIt) {
  const std::string id = conversation();
  json::Object first;
  first.set("text", "remembered");
  begin(id, step("text", std::move(first)));
  until_idle(id);
  const std::string session = hub->find(id)->native_session;
  ASSERT_FALSE(session.empty());
  begin(id, bash_step("touch made.txt") + step("echo"));
  const hub::Ask ask = asked();
  // It writes its sessions down a little later than it tells them: one that is killed before that has none (the next test).
  until([&] { return read_file(transcript(session)).find("remembered") != std::string::npos; }, "the session to be written");
  crash();
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_EQ(store.asks.at(ask.id).state, hub::AskState::orphaned);
  EXPECT_THAT(events<hub::event::Failure>(id).back().message, HasSubstr("killed by signal 9"));

  begin(id, bash_step("touch made.txt") + step("echo"));
  answer(asked(), "allow_once");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt"));

  open_hub();  // and over a restart of ours
  begin(id, step("text"));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_EQ(hub->find(id)->native_session, session);
  EXPECT_EQ(events<hub::event::Failure>(id).size(), 1U) << "resumed, not begun anew";
}

TEST_F(ClaudeCli, ASessionThatIsGoneIsToldAndTheConversationGoesOn) {
  const std::string id = conversation();
  begin(id, step("text"));
  until_idle(id);
  const std::string session = hub->find(id)->native_session;
  until([&] { return !transcript(session).empty(); }, "the session to be written");
  begin(id, bash_step("touch made.txt") + step("echo"));
  static_cast<void>(asked());
  crash();
  until_idle(id);
  std::filesystem::remove(transcript(session));

  begin(id, bash_step("touch made.txt") + step("echo"));
  answer(asked(), "allow_once");
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn);
  EXPECT_TRUE(std::filesystem::exists(base + "/work/made.txt"));
  const auto failures = events<hub::event::Failure>(id);
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[1].code, "session_lost");
  EXPECT_NE(hub->find(id)->native_session, session);
  EXPECT_FALSE(hub->find(id)->native_session.empty());
}

// ---- the host alone --------------------------------------------------------------------------------------------------------

struct Calc final : claude::HostHandler {
  void on_line(const claude::StreamLine& line) override {
    if (line.type == "result") ++results;
    if (line.type == "user") outputs += std::string(line.message);
    if (line.type == "assistant") outputs += std::string(line.message);
  }
  Task<Result<claude::PermissionResult>> can_use_tool(claude::CanUseTool request) override {
    asked.push_back(request.tool_name);
    claude::Allow allow;
    if (request.tool_name == "Bash" && !instead.empty()) allow.updated_input.json = instead;
    co_return claude::PermissionResult{std::move(allow)};
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override {
    const json::Value what = *json::parse(message.message.json);
    const std::string method(what.text_or("method", ""));
    methods.push_back(method);
    std::string result = "{}";
    if (method == "initialize")
      result = R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"calc","version":"1"}})";
    if (method == "tools/list")
      result =
          R"({"tools":[{"name":"add","description":"adds","inputSchema":{"type":"object","properties":{"a":{"type":"number"}}}}]})";
    if (method == "tools/call") result = R"({"content":[{"type":"text","text":"forty-two"}]})";
    co_return claude::McpReply{
        {R"({"jsonrpc":"2.0","id":)" + std::to_string(what.integer_or("id", 0)) + R"(,"result":)" + result + "}"}};
  }
  std::string instead;
  std::string outputs;
  std::vector<std::string> asked;
  std::vector<std::string> methods;
  int results = 0;
};

Task<void> run_host(claude::Host& host) { static_cast<void>(co_await host.run()); }

TEST_F(ClaudeCli, AnotherInputRunsAndAnMcpServerOfOursIsCalled) {
  Calc calc;
  auto host = claude::Host::spawn(loop, launch(), calc);
  ASSERT_TRUE(host) << host.error().message;
  Scope scope(loop);
  scope.start(run_host(**host));
  claude::Initialize what;
  what.sdk_mcp_servers = {{"calc"}};
  const auto hello = loop.block_on([](claude::Host& h, claude::Initialize with) -> Task<Result<claude::Initialized>> {
    co_return co_await h.initialize(std::move(with));
  }(**host, what));
  ASSERT_TRUE(hello) << hello.error().message;
  ASSERT_TRUE((*host)->send_text(tool_step("mcp__calc__add", R"({"a":2})") + step("echo")));
  until([&] { return calc.results == 1; }, "the sum");
  EXPECT_THAT(calc.methods, Contains("tools/call"));
  EXPECT_THAT(calc.asked, Contains("mcp__calc__add"));
  EXPECT_THAT(calc.outputs, HasSubstr("forty-two"));

  calc.instead = R"({"command":"sh -c 'echo replaced'","description":"x"})";
  ASSERT_TRUE((*host)->send_text(bash_step("sh -c 'echo original'") + step("echo")));
  until([&] { return calc.results == 2; }, "the command");
  EXPECT_THAT(calc.outputs, HasSubstr("replaced"));
  const auto status = loop.block_on((*host)->stop());
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 0) << status->describe();
  scope.cancel();
}

// The survival test: a command that runs in a session of its own, and the host that stops, or is gone without a word.
TEST_F(ClaudeCli, NothingOfAToolIsLeftAfterTheEnd) {
  for (const bool politely : {true, false}) {
    Calc calc;
    auto host = claude::Host::spawn(loop, launch(), calc);
    ASSERT_TRUE(host) << host.error().message;
    Scope scope(loop);
    scope.start(run_host(**host));
    const std::string mark = "4" + std::to_string(::getpid()) + (politely ? "1" : "2");
    ASSERT_TRUE((*host)->send_text(bash_step("sh -c 'sleep " + mark + "; true'")));
    until([&] { return sleepers(mark) == 1; }, "the command to run");
    if (politely) static_cast<void>(loop.block_on((*host)->stop()));
    scope.cancel();
    host->reset();
    until([&] { return sleepers(mark) == 0 && processes_with("ANTHROPIC_BASE_URL", url).empty(); }, "the end of everything");
  }
}

// The same of our program: told to stop, and killed with no time for anything.
TEST_F(ClaudeCli, NothingOfAToolIsLeftAfterTheEndOfOurProgram) {
  for (const int signal : {SIGTERM, SIGKILL}) {
    const claude::Launch how = launch();
    std::vector<std::string> command{PARLANCE_BINARY_DIR "/bin/parlance", "run", "claude", "--approve", "all"};
    const std::string mark = "5" + std::to_string(::getpid()) + std::to_string(signal);
    command.push_back(bash_step("sh -c 'sleep " + mark + "; true'"));
    command.emplace_back("--");
    command.insert(command.end(), how.command.begin(), how.command.end());
    auto program = ChildProcess::start(loop, {.command = command, .folder = how.folder, .set = how.environment});
    ASSERT_TRUE(program) << program.error().message;
    until([&] { return sleepers(mark) == 1; }, "the command to run");
    ::kill((*program)->pid(), signal);
    until([&] { return (*program)->exit_status().has_value(); }, "the end of our program");
    until([&] { return sleepers(mark) == 0 && processes_with("ANTHROPIC_BASE_URL", url).empty(); }, "the end of everything");
  }
}

}  // namespace
}  // namespace parlance::service

// SPDX-License-Identifier: Apache-2.0
// The host alone and the real Claude Code: our MCP servers, messages of blocks, and the remains after its end.
#include "parlance/codec/json/writer.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct Calc final : claude::HostHandler {
  void on_line(const claude::StreamLine& line) override {
    if (line.type == "result") ++results;
    if (line.type == "user") outputs += std::string(line.message);
    if (line.type == "assistant") outputs += std::string(line.message);
  }
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool& request) override {
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

TEST_F(ClaudeCli, ReportsTheStateOfOurMcpServerAndThinksAsMuchAsRequested) {
  Calc calc;
  claude::Launch how = launch();
  how.model = "claude-sonnet-4-5-20250929";  // newer versions get the order to think, without an amount
  auto host = claude::Host::spawn(loop, how, calc);
  ASSERT_TRUE(host) << host.error().message;
  Scope scope(loop);
  scope.start(run_host(**host));
  claude::Initialize what;
  what.sdk_mcp_servers = {{"calc"}};
  ASSERT_TRUE(loop.block_on([](claude::Host& h, claude::Initialize with) -> Task<Result<claude::Initialized>> {
    co_return co_await h.initialize(std::move(with));
  }(**host, what)));
  const auto thinking = [&](std::optional<std::int64_t> most, std::string_view verb) {
    const auto taken = loop.block_on((*host)->set_max_thinking_tokens(most));
    EXPECT_TRUE(taken) << taken.error().message;
    const int before = calc.results;
    EXPECT_TRUE((*host)->send_text(step(verb)));
    until([&] { return calc.results > before && !requests(verb).empty(); }, "the answer");
    const json::Value request = requests(verb).front();
    const json::Value* member = request.find("thinking");
    return member != nullptr ? json::to_text(*member) : std::string();
  };
  EXPECT_THAT(thinking(2048, "text"), HasSubstr(R"("budget_tokens":2048)"));
  EXPECT_THAT(thinking(0, "images"), Not(HasSubstr("budget_tokens")));
  const std::string own_choice = thinking({}, "think");
  EXPECT_THAT(own_choice, HasSubstr("budget_tokens"));
  EXPECT_THAT(own_choice, Not(HasSubstr("2048")));
  // 2.1.112 connects when the first prompt comes, 2.1.329 before.
  std::string servers;
  until(
      [&] {
        const auto status =
            loop.block_on([](claude::Host& h) -> Task<Result<claude::McpStatus>> { co_return co_await h.mcp_status(); }(**host));
        if (!status) throw std::runtime_error(status.error().message);
        servers = status->servers.json;
        return servers.find(R"("connected")") != std::string::npos;
      },
      "the server to be connected");
  EXPECT_THAT(servers, HasSubstr(R"("name":"calc")"));
  EXPECT_THAT(servers, HasSubstr(R"("name":"add")")) << "its tools are listed";

  static_cast<void>(loop.block_on((*host)->stop()));
  scope.cancel();
}

TEST_F(ClaudeCli, AMessageOfBlocksWithAPicture) {
  Calc calc;
  auto host = claude::Host::spawn(loop, launch(), calc);
  ASSERT_TRUE(host) << host.error().message;
  Scope scope(loop);
  scope.start(run_host(**host));
  claude::UserMessage message;
  std::string text;
  json::write_text(text, step("images"));
  message.message.content.json =
      R"([{"type":"image","source":{"type":"base64","media_type":"image/png","data":")"
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      R"("}},{"type":"text","text":)" +
      text + "}]";
  ASSERT_TRUE((*host)->send_user(message));
  until([&] { return calc.results == 1; }, "the answer");
  EXPECT_THAT(calc.outputs, HasSubstr("IMAGES 1"));
  static_cast<void>(loop.block_on((*host)->stop()));
  scope.cancel();
}

// The survival test: a command in a separate session, and a host that stops, or dies silently.
TEST_F(ClaudeCli, NoProcessOfAToolRemainsAfterTheEnd) {
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

// Our program's exit code for a refusal is 3.
TEST_F(ClaudeCli, AfterARevisedAndApprovedPlanOurProgramEndsWell) {
  for (const auto& [typed, code] : {std::pair{"3\nmore carefully\n1\n", 0}, std::pair{"3\nmore carefully\n4\n", 3}}) {
    const claude::Launch how = launch();
    std::vector<std::string> command{PARLANCE_BINARY_DIR "/bin/parlance", "run", "claude", "--mode", "plan"};
    command.push_back(tool_step("ExitPlanMode", R"({"plan":"1. do it"})") +
                      tool_step("ExitPlanMode", R"({"plan":"2. do it well"})") + step("echo"));
    command.emplace_back("--");
    command.insert(command.end(), how.command.begin(), how.command.end());
    auto program = ChildProcess::start(loop, {.command = command, .folder = how.folder, .set = how.environment});
    ASSERT_TRUE(program) << program.error().message;
    const auto stream = (*program)->take_stream();
    const auto type = [&]() -> Task<void> { static_cast<void>(co_await write_all(*stream, std::string_view(typed))); };
    loop.block_on(type());
    stream->close_output();
    until([&] { return (*program)->exit_status().has_value(); }, "the end of our program");
    EXPECT_EQ((*program)->exit_status()->code, code) << typed;
  }
}

// Of our program too: told to stop, and killed with no time for anything.
TEST_F(ClaudeCli, NoProcessOfAToolRemainsAfterTheEndOfOurProgram) {
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

// Our host and a scripted agent (fake_agent.mjs): each of its scripts is something that a host must survive.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json/typed.h"
#include "codec/json/value.h"
#include "protocol/claude/host.h"
#include "transport/strays.h"

namespace parlance::claude {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

constexpr auto long_enough = 20s;

struct Handler final : HostHandler {
  explicit Handler(Loop& on) : loop(on), released(on) {}
  void on_line(const StreamLine& line) override {
    lines.push_back(std::string(line.type) + (line.subtype.empty() ? "" : "/" + std::string(line.subtype)));
    last_bytes = line.json.size();
    if (line.type == "assistant") texts += std::string(line.message);
    if (line.type == "result") ++results;
  }
  struct Open {
    explicit Open(Handler& h) : handler(h) { ++handler.open_now; }
    ~Open() { --handler.open_now; }
    Handler& handler;
  };
  Task<Result<PermissionResult>> can_use_tool(const CanUseTool& request) override {
    const Open counted(*this);
    ++asked;
    most_open = std::max(most_open, open_now);
    while (hold > 0 && asked < hold) co_await released.wait();
    if (hold > 0) released.notify_all();
    while (hold < 0) co_await released.wait();
    if (json::parse(request.input.json)->text_or("command", "").starts_with("rm"))
      co_return PermissionResult{Deny{.message = "too dangerous"}};
    co_return PermissionResult{Allow{}};
  }
  Task<Result<wire::Raw>> hook_callback(HookCallback request) override {
    hooks.push_back(request.callback_id);
    if (request.callback_id == "no_such_hook") co_return fail(Errc::not_found, "no such hook: no_such_hook");
    co_return wire::Raw{"{}"};
  }
  Task<Result<McpReply>> mcp_message(McpMessage message) override {
    const json::Value what = json::parse(message.message.json).value();
    mcp.push_back(std::string(what.text_or("method", "")));
    if (message.server_name != "calc") co_return fail(Errc::not_found, "SDK MCP server not found: " + message.server_name);
    co_return McpReply{{R"({"jsonrpc":"2.0","id":)" + std::to_string(what.integer_or("id", 0)) + R"(,"result":{}})"}};
  }

  Loop& loop;
  Signal released;
  int hold = 0;  // >0: answers wait until so many were asked; <0: for ever
  int asked = 0;
  int open_now = 0;
  int most_open = 0;
  int results = 0;
  std::size_t last_bytes = 0;
  std::string texts;
  std::vector<std::string> lines;
  std::vector<std::string> hooks;
  std::vector<std::string> mcp;
};

class FakeAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    folder = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  }
  void TearDown() override {
    scope.cancel();
    host.reset();
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  }
  void play(const std::string& script, std::vector<std::pair<std::string, std::string>> more = {}, HostSettings settings = {}) {
    Launch launch{.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"}, .folder = folder};
    launch.environment = {{"FAKE_SCRIPT", script}, {"FAKE_LOG", folder + "/log"}};
    launch.environment.insert(launch.environment.end(), more.begin(), more.end());
    auto spawned = Host::spawn(loop, launch, handler, std::move(settings));
    ASSERT_TRUE(spawned) << spawned.error().message;
    host = *std::move(spawned);
    scope.start(run());
  }
  void go() { ASSERT_TRUE(host->send_text("go")); }
  void until(const std::function<bool()>& condition) {
    const TimePoint limit = Clock::now() + long_enough;
    while (!condition() && Clock::now() < limit) loop.run_for(1ms);
    ASSERT_TRUE(condition()) << ::testing::PrintToString(handler.lines);
  }
  template <class T>
  T get(Task<T> task) {
    return loop.block_on(std::move(task));
  }
  // What the agent saw: our lines of that type, as it logged them.
  std::vector<json::Value> seen(std::string_view type) {
    std::vector<json::Value> found;
    std::ifstream log(folder + "/log");
    for (std::string text; std::getline(log, text);) {
      const auto record = json::parse(text);
      if (record && record->text_or("dir", "") == "h2a" && record->find("msg") != nullptr &&
          record->find("msg")->text_or("type", "") == type)
        found.push_back(*record->find("msg"));
    }
    return found;
  }
  static std::string answer_of(const json::Value& line) { return json::to_text(*line.find("response")); }

  Loop loop;
  Handler handler{loop};
  std::string folder;
  std::unique_ptr<Host> host;
  std::optional<Error> ended;
  Scope scope{loop};

 private:
  Task<void> run() { ended = co_await host->run(); }
};

TEST_F(FakeAgent, EchoIsOneTurnAndEndsWithItsInput) {
  play("echo");
  const auto hello = loop.block_on([](Host& h) -> Task<Result<Initialized>> { co_return co_await h.initialize(); }(*host));
  ASSERT_TRUE(hello) << hello.error().message;
  EXPECT_EQ(hello->hook_on_failure, true);
  go();
  EXPECT_TRUE(host->busy());
  until([&] { return handler.results == 1; });
  EXPECT_FALSE(host->busy());
  EXPECT_THAT(handler.lines, ElementsAre("system/init", "assistant", "result/success"));
  EXPECT_EQ(host->shown().version, "2.1.0");
  EXPECT_EQ(host->shown().session_id, "00000000-0000-4000-8000-0000000000aa");
  const auto status = get(host->stop());
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 0);
  until([&] { return ended.has_value(); });
}

TEST_F(FakeAgent, AQuestionIsAnsweredWithItsInputAndARefusalWithItsReason) {
  play("permission");
  go();
  until([&] { return handler.results == 1; });
  const auto answers = seen("control_response");
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_THAT(answer_of(answers[0]),
              HasSubstr(R"("response":{"behavior":"allow","updatedInput":{"command":"ls"},"toolUseID":"toolu_1"})"));
  EXPECT_THAT(answer_of(answers[1]), HasSubstr(R"({"behavior":"deny","message":"too dangerous","toolUseID":"toolu_1"})"));
}

TEST_F(FakeAgent, QuestionsAreServedAtOnceAndAnsweredInAnyOrder) {
  handler.hold = 5;
  play("concurrent");
  go();
  until([&] { return handler.results == 1; });
  EXPECT_EQ(handler.most_open, 5);
  EXPECT_EQ(seen("control_response").size(), 5U);
}

TEST_F(FakeAgent, TheSameQuestionTwiceIsAskedOnce) {
  handler.hold = -1;
  play("duplicate");
  go();
  until([&] { return host->dialect_stats().duplicates == 1; });
  EXPECT_EQ(handler.asked, 1);
  handler.hold = 0;
  handler.released.notify_all();
  until([&] { return handler.results == 1; });
  EXPECT_EQ(seen("control_response").size(), 1U);
}

TEST_F(FakeAgent, HooksAreCalledByTheirIdsAndAnUnknownOneIsAnsweredToo) {
  play("hooks");
  Initialize what;
  what.hooks.state = decltype(what.hooks)::State::value;
  what.hooks.value["PreToolUse"] = {{.matcher = "Bash", .callback_ids = {"pre"}, .timeout = 5}};
  what.hooks.value["PostToolUse"] = {{.callback_ids = {"post"}}};
  what.hooks.value["Stop"] = {{.callback_ids = {"s"}}};
  ASSERT_TRUE(loop.block_on([](Host& h, Initialize with) -> Task<Result<Initialized>> {
    co_return co_await h.initialize(std::move(with));
  }(*host, what)));
  go();
  until([&] { return handler.results == 1; });
  EXPECT_THAT(handler.hooks, ElementsAre("pre", "post", "s", "no_such_hook"));
  EXPECT_THAT(answer_of(seen("control_response").back()), HasSubstr(R"("subtype":"error")"));
}

TEST_F(FakeAgent, AnMcpSessionRunsInTheTunnel) {
  play("mcp");
  go();
  until([&] { return handler.results == 1; });
  EXPECT_THAT(handler.mcp,
              ElementsAre("initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call", "initialize"));
  const auto answers = seen("control_response");
  ASSERT_EQ(answers.size(), 6U);
  EXPECT_THAT(answer_of(answers[3]), HasSubstr(R"("mcp_response":{"jsonrpc":"2.0","id":2)"));
  EXPECT_THAT(answer_of(answers[5]), HasSubstr("SDK MCP server not found: ghost"));
}

TEST_F(FakeAgent, AnInterruptEndsTheTurn) {
  play("interrupt");
  go();
  until([&] { return !handler.texts.empty(); });
  const auto reply = loop.block_on([](Host& h) -> Task<Result<Interrupted>> { co_return co_await h.interrupt(); }(*host));
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->still_queued);
  until([&] { return handler.results == 1; });
  EXPECT_THAT(handler.lines, Contains("result/error_during_execution"));
}

TEST_F(FakeAgent, AWithdrawnQuestionIsDroppedUnanswered) {
  handler.hold = -1;
  play("cancel");
  go();
  until([&] { return handler.asked == 1; });
  EXPECT_EQ(handler.open_now, 1);
  until([&] { return handler.open_now == 0; });
  until([&] { return handler.results == 1; });
  EXPECT_TRUE(seen("control_response").empty());
  EXPECT_EQ(host->stats().cancelled, 1U);
}

TEST_F(FakeAgent, OddLinesChangeNothing) {
  play("odd");
  go();
  until([&] { return handler.results == 1; });
  EXPECT_THAT(handler.lines, IsSupersetOf({"keep_alive", "something_new", "system/brand_new", "assistant"}));
  EXPECT_EQ(host->stats().bad_frames, 1U) << "one line is no JSON";
  EXPECT_EQ(host->stats().late_replies, 1U);
  const auto answers = seen("control_response");
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_THAT(answer_of(answers[0]), HasSubstr(R"("error_code":"unsupported_request")"));
  EXPECT_THAT(answer_of(answers[1]), testing::Not(HasSubstr("toolUseID")));
}

TEST_F(FakeAgent, PlainTextOnItsOutputIsPassedOver) {
  play("nonjson_only");
  go();
  until([&] { return handler.results == 1; });
  EXPECT_THAT(handler.texts, HasSubstr("after"));
  EXPECT_EQ(host->stats().bad_frames, 1U);
}

TEST_F(FakeAgent, BadBytesAreMended) {
  play("badutf8");
  go();
  until([&] { return handler.results == 1; });
  EXPECT_THAT(handler.texts, HasSubstr("bad \xEF\xBF\xBD\xEF\xBF\xBD"));
}

TEST_F(FakeAgent, ALineOf60MiBIsALine) {
  play("bigline", {{"FAKE_BYTES", std::to_string(60 << 20)}});
  go();
  until([&] { return handler.texts.size() > (60U << 20); });
  until([&] { return handler.results == 1; });
}

TEST_F(FakeAgent, ALineAboveTheLimitIsPassedOverAndTheTurnGoesOn) {
  play("bigline", {{"FAKE_BYTES", std::to_string(65 << 20)}});
  go();
  until([&] { return handler.results == 1; });
  EXPECT_TRUE(handler.texts.empty());
  EXPECT_EQ(host->stats().bad_frames, 1U);
}

TEST_F(FakeAgent, ACrashIsToldWithItsLastWords) {
  play("crash");
  go();
  until([&] { return ended.has_value(); });
  EXPECT_THAT(ended->message, HasSubstr("exited with code 3: boom"));
  EXPECT_EQ(handler.results, 0);
  EXPECT_FALSE(host->busy());
}

TEST_F(FakeAgent, ACrashTakesOpenQuestionsAndCallsWithIt) {
  handler.hold = -1;
  play("crash_pending");
  go();
  until([&] { return handler.asked == 1; });
  until([&] { return ended.has_value(); });
  EXPECT_EQ(handler.open_now, 0) << "withdrawn: nobody would take the answer";
  EXPECT_THAT(ended->message, HasSubstr("exited with code 3"));
}

TEST_F(FakeAgent, AnEndWithoutAResultIsTold) {
  play("exit0_noresult");
  go();
  until([&] { return ended.has_value(); });
  EXPECT_THAT(ended->message, HasSubstr("exited with code 0"));
}

TEST_F(FakeAgent, ARefusedInitializeDoesNotStopTheTurn) {
  play("init_error");
  const auto hello = loop.block_on([](Host& h) -> Task<Result<Initialized>> { co_return co_await h.initialize(); }(*host));
  ASSERT_FALSE(hello);
  EXPECT_EQ(hello.error().message, "not today");
  go();
  until([&] { return handler.results == 1; });
}

TEST_F(FakeAgent, AnUnansweredRequestHasADeadline) {
  play("init_silent", {}, {.call_timeout = 300ms});
  go();
  until([&] { return handler.results == 1; });
  const auto reply =
      loop.block_on([](Host& h) -> Task<Result<wire::Raw>> { co_return co_await h.request("initialize", {"{}"}); }(*host));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Errc::deadline_exceeded);
}

TEST_F(FakeAgent, OneThatStaysAfterItsInputEndedIsStopped) {
  play("linger");
  go();
  until([&] { return handler.results == 1; });
  const TimePoint begun = Clock::now();
  const auto status = get(host->stop());
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 143) << "by SIGTERM";
  EXPECT_GE(Clock::now() - begun, limits::claude_eof_grace);
}

TEST_F(FakeAgent, AFloodIsReadToItsEndWhileAQuestionIsOpen) {
  play("flood", {{"FAKE_N", "10000"}, {"FAKE_QUIET", "1"}});
  go();
  until([&] { return handler.results == 1; });
  EXPECT_EQ(std::ranges::count(handler.lines, "stream_event"), 10000);
}

// Nothing is lost between them, and nothing of them stays: no more descriptors than before, but for the guard of all children.
TEST_F(FakeAgent, AHundredSessionsAtOnceLoseNothingAndLeaveNothing) {
  constexpr std::size_t sessions = 100;
  constexpr std::ptrdiff_t flood = 200;
  Launch launch{.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"}, .folder = folder};
  launch.environment = {{"FAKE_SCRIPT", "flood"}, {"FAKE_QUIET", "1"}, {"FAKE_N", std::to_string(flood)}};
  const auto begin = [](Host& of) -> Task<void> { static_cast<void>(co_await of.run()); };
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const std::ptrdiff_t before = descriptors();
  constexpr std::ptrdiff_t of_the_guard = 2;
  for (int round = 0; round < 2; ++round) {
    std::vector<std::unique_ptr<Handler>> handlers;
    std::vector<std::unique_ptr<Host>> hosts;
    Scope running(loop);
    for (std::size_t i = 0; i < sessions; ++i) {
      handlers.push_back(std::make_unique<Handler>(loop));
      auto spawned = Host::spawn(loop, launch, *handlers.back());
      ASSERT_TRUE(spawned) << spawned.error().message;
      hosts.push_back(*std::move(spawned));
      running.start(begin(*hosts.back()));
      ASSERT_TRUE(hosts.back()->send_text("go"));
    }
    const TimePoint limit = Clock::now() + 10 * long_enough;
    const auto all = [&] { return std::ranges::all_of(handlers, [](const auto& one) { return one->results == 1; }); };
    while (!all() && Clock::now() < limit) loop.run_for(5ms);
    ASSERT_TRUE(all());
    for (const auto& one : handlers) EXPECT_EQ(std::ranges::count(one->lines, "stream_event"), flood);
    for (const auto& one : hosts) EXPECT_EQ(one->stats().bad_frames, 0U);
    running.cancel();
    hosts.clear();
    until([&] { return descriptors() <= before + of_the_guard; });
  }
}

TEST_F(FakeAgent, AThousandQuestionsOneAfterTheOther) {
  play("latency", {{"FAKE_N", "1000"}, {"FAKE_QUIET", "1"}});
  go();
  until([&] { return handler.results == 1; });
  EXPECT_EQ(handler.asked, 1000);
  const auto told = json::parse([&] {
    std::ifstream file(folder + "/log.latency");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->integer_or("n", 0), 1000);
}

TEST_F(FakeAgent, NothingIsLeftOfItWhenTheHostIsGone) {
  play("interrupt");
  go();
  until([&] { return !handler.texts.empty(); });
  const std::string mark = [&] {
    std::ifstream file("/proc/" + std::to_string(host->child()->pid()) + "/environ", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = all.find("PARLANCE_CHILD=") + 15;
    return all.substr(at, all.find('\0', at) - at);
  }();
  ASSERT_FALSE(processes_with(mark_variable, mark).empty());
  scope.cancel();
  host.reset();
  until([&] { return processes_with(mark_variable, mark).empty(); });
}

}  // namespace
}  // namespace parlance::claude

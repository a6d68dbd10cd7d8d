// SPDX-License-Identifier: Apache-2.0
// Our host and a scripted agent (fake_agent.mjs): a host must survive each of its scripts.
#include <algorithm>

#include <gmock/gmock.h>

#include "parlance/process/strays.h"
#include "parlance/protocol/claude/limits.h"
#include "tests/peers/claude/fake_agent_fixture.h"
#include "tests/support/child_process_fixture.h"

namespace parlance::claude {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST_F(FakeAgent, EchoIsASingleTurnAndEndsWithItsInput) {
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
  get(host->idle());
  EXPECT_EQ(handler.results, 1);
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

TEST_F(FakeAgent, HooksAreCalledByTheirIdsAndAnUnknownHookIsAnsweredToo) {
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
  EXPECT_THAT(answer_of(seen("control_response").back()),
              AllOf(HasSubstr(R"("subtype":"error")"), HasSubstr("no such hook: no_such_hook")));
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

TEST_F(FakeAgent, BadBytesAreRepaired) {
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

TEST_F(FakeAgent, ACrashIsReportedWithItsLastWords) {
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

TEST_F(FakeAgent, AnEndWithoutAResultIsReported) {
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

TEST_F(FakeAgent, AnAgentThatStaysAfterItsInputsEndIsStopped) {
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

// No message is lost between them, and no descriptor remains except the guard of all children.
TEST_F(FakeAgent, AHundredConcurrentSessionsLoseNothingAndLeaveNothing) {
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
    const auto all = [&] { return std::ranges::all_of(handlers, [](const auto& one) { return one->results == 1; }); };
    ASSERT_TRUE(loop.run_until(all, 10 * long_enough));
    for (const auto& one : handlers) EXPECT_EQ(std::ranges::count(one->lines, "stream_event"), flood);
    for (const auto& one : hosts) EXPECT_EQ(one->stats().bad_frames, 0U);
    running.cancel();
    hosts.clear();
    until([&] { return descriptors() <= before + of_the_guard; });
  }
}

TEST_F(FakeAgent, AThousandQuestionsInSequence) {
  play("latency", {{"FAKE_N", "1000"}, {"FAKE_QUIET", "1"}});
  go();
  until([&] { return handler.results == 1; });
  EXPECT_EQ(handler.asked, 1000);
  const auto parsed_line = json::parse([&] {
    std::ifstream file(folder + "/log.latency");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }());
  ASSERT_TRUE(parsed_line);
  EXPECT_EQ(parsed_line->integer_or("n", 0), 1000);
}

TEST_F(FakeAgent, NoProcessRemainsAfterTheHostsDeath) {
  play("interrupt");
  go();
  until([&] { return !handler.texts.empty(); });
  const std::string mark = [&] {
    std::ifstream file("/proc/" + std::to_string(host->child()->pid()) + "/environ", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = all.find("PARLANCE_CHILD=") + 15;
    return all.substr(at, all.find('\0', at) - at);
  }();
  std::vector<test::Watched> processes;
  for (const pid_t pid : processes_with(mark_variable, mark)) processes.emplace_back(pid);
  ASSERT_FALSE(processes.empty());
  scope.cancel();
  host.reset();
  for (const test::Watched& process : processes) EXPECT_TRUE(process.ends_within());
}

}  // namespace
}  // namespace parlance::claude

// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/runner.h"

#include <filesystem>

#include "parlance/iflow/test_support.h"
#include "tests/support/programs.h"

namespace parlance::iflow {
namespace {

using test::said;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class RunnerTest : public test::ScriptedAgent {
 protected:
  RunnerTest() {
    std::string name = testing::TempDir() + "runner.XXXXXX";
    folder_ = ::mkdtemp(name.data());
    will_say({said("hello")});
  }
  ~RunnerTest() override {
    scope.cancel();
    runner.reset();
    std::filesystem::remove_all(folder_);
  }
  Runner& made(RunnerSettings settings = {}) {
    settings.options = options();
    settings.place = {};  // nothing is started
    return runner.emplace(loop, std::move(settings));
  }
  RunCallbacks callbacks() {
    return {.on_chunk = [this](const StreamChunk& chunk) { chunks.push_back(json::to_text(to_json(chunk))); },
            .on_end = [this] { ++ends; },
            .on_error = [this](const Error& error) { errors.push_back(error.message); }};
  }
  std::string run(RunOptions with) {
    chunks.clear();
    errors.clear();
    return get(runner->run(std::move(with), callbacks()));
  }
  void begin(RunOptions with) {
    scope.start([](Runner& of, RunOptions o, RunCallbacks c) -> Task<void> { co_await of.run(std::move(o), std::move(c)); }(
                                                                 *runner, std::move(with), callbacks()));
    settle();
  }
  std::string prompt() const { return *acp::text_of(script.prompts.back().prompt.front()); }
  std::size_t connections() const { return agents.size(); }

  std::string folder_;
  std::optional<Runner> runner;
  std::vector<std::string> chunks;
  std::vector<std::string> errors;
  int ends = 0;
};

TEST_F(RunnerTest, ATurnIsReportedInPiecesAndEndsOnce) {
  made();
  EXPECT_EQ(run({.prompt = "go", .think = true}), "s-1");
  EXPECT_THAT(chunks, ElementsAre(R"({"chunkType":"text","content":"hello"})"));
  EXPECT_EQ(ends, 1);
  EXPECT_THAT(errors, IsEmpty());
  EXPECT_THAT(script.asked, ElementsAre("initialize", "session/new", "session/set_think on", "session/prompt"));
  EXPECT_FALSE(runner->is_running());
  EXPECT_TRUE(runner->is_connected());
}

TEST_F(RunnerTest, OnlyAnotherModeOrFolderMakesANewConnection) {
  made();
  run({.prompt = "1", .cwd = "/a"});
  run({.prompt = "2", .think = true, .model = "m", .cwd = "/a"});
  EXPECT_EQ(connections(), 1U);
  run({.prompt = "3", .mode = ConversationMode::smart, .cwd = "/a"});
  EXPECT_EQ(connections(), 2U);
  run({.prompt = "4", .mode = ConversationMode::smart, .cwd = "/b"});
  EXPECT_EQ(connections(), 3U);
  agents.back()->close();
  settle();
  run({.prompt = "5", .mode = ConversationMode::smart, .cwd = "/b"});
  EXPECT_EQ(connections(), 4U);
  EXPECT_THAT(chunks, ElementsAre(R"({"chunkType":"text","content":"hello"})")) << "a dead connection is never used again";
}

TEST_F(RunnerTest, AModelIsSentToALiveSessionOnce) {
  made();
  run({.prompt = "1"});
  run({.prompt = "2", .model = "glm"});
  run({.prompt = "3", .model = "glm"});
  EXPECT_EQ(std::ranges::count(script.asked, "session/set_model glm"), 1);
}

TEST_F(RunnerTest, SettingsAreWrittenBeforeTheTurn) {
  const std::string path = folder_ + "/.iflow/settings.json";
  made({.settings_path = path, .base_url = "http://h/v1", .api_key = "key"});
  run({.prompt = "1", .model = "glm-5"});
  const json::Value written = *json::parse(::parlance::test::read_file(path));
  EXPECT_EQ(written.text_or("modelName", ""), "glm-5");
  EXPECT_EQ(written.text_or("baseUrl", ""), "http://h/v1");
  EXPECT_EQ(written.text_or("apiKey", ""), "key");
  ::parlance::test::write_file(path, "{broken");
  run({.prompt = "2", .model = "glm-5"});
  EXPECT_THAT(chunks, Contains(HasSubstr("could not be read; it was kept as")));
  EXPECT_EQ(ends, 2);
}

TEST_F(RunnerTest, TheContextIsInThePrompt) {
  ::parlance::test::write_file(folder_ + "/a.txt", "0123456789");
  made({.max_file_bytes = 5});
  run({.prompt = "explain",
       .attached_files = {{.path = folder_ + "/a.txt"}, {.path = "b.txt", .content = "given"}, {.path = folder_ + "/gone"}},
       .workspace_files = {"a.txt"},
       .ide_context = IdeContext{.active_file = "a.txt"},
       .cwd = folder_});
  EXPECT_EQ(prompt(), "=== Working Directory ===\n" + folder_ +
                          "\n=== End Working Directory ===\n\n=== Workspace Files ===\na.txt\n=== End Workspace Files ===\n\n"
                          "=== IDE Context ===\nActive File: a.txt\n=== End IDE Context ===\n\n=== Attached Files ===\n--- " +
                          folder_ +
                          "/a.txt ---\n01234\n[... truncated ...]\n--- b.txt ---\ngiven\n=== End Attached Files ===\n\nexplain");
  EXPECT_THAT(chunks.front(), HasSubstr("not attached: open " + folder_ + "/gone"));
}

TEST_F(RunnerTest, PlanModeIsAnnouncedTwiceAndAnUnaskedPlanNeedsApproval) {
  made({.language = adapter::Language::chinese});
  run({.prompt = "go", .mode = ConversationMode::plan});
  EXPECT_THAT(from_client, Contains(::testing::AllOf(HasSubstr("session/new"), HasSubstr(R"("permission_mode":"plan")"),
                                                     HasSubstr("计划模式"))));
  EXPECT_THAT(prompt(), StartsWith("<system-reminder>\n当前处于计划模式"));
  EXPECT_THAT(prompt(), EndsWith("</system-reminder>\n\ngo"));
  EXPECT_EQ(chunks.back(), R"({"chunkType":"plan_approval","requestId":-1,"plan":""})");
  const auto prompts = script.prompts.size();
  EXPECT_TRUE(runner->approve_plan(synthetic_plan, true)) << "nothing is sent";
  EXPECT_EQ(script.prompts.size(), prompts);
}

TEST_F(RunnerTest, ARequestedPlanIsNotRequestedAgain) {
  script.prompt = [](const acp::Prompt&, Peer& to) -> Task<Result<acp::PromptResult>> {
    const auto decided = co_await to.call(acp::method::iflow_plan_exit, {.plan = "1. read"}, no_deadline);
    static_cast<void>(to.notify(acp::method::update, said(decided->approved ? "yes" : "no")));
    co_return acp::PromptResult{};
  };
  made();
  begin({.prompt = "go", .mode = ConversationMode::plan});
  EXPECT_THAT(chunks, ElementsAre(R"({"chunkType":"plan_approval","requestId":1,"plan":"1. read"})"));
  EXPECT_TRUE(runner->approve_plan(1, true));
  settle();
  EXPECT_THAT(chunks, ElementsAre(HasSubstr("plan_approval"), R"({"chunkType":"text","content":"yes"})"));
  EXPECT_EQ(ends, 1);
}

TEST_F(RunnerTest, ASessionIsResumedOnceAndNeverReplacedByAnEmptySession) {
  made();
  EXPECT_EQ(run({.prompt = "1", .mode = ConversationMode::yolo, .session_id = "old-7"}), "old-7");
  EXPECT_THAT(script.modes_set, ElementsAre("yolo")) << "the mode is that of the session that was loaded";
  EXPECT_EQ(run({.prompt = "2", .mode = ConversationMode::yolo, .session_id = "old-7"}), "old-7");
  EXPECT_EQ(std::ranges::count(script.asked, "session/load"), 1);
  const auto prompts = script.prompts.size();
  EXPECT_EQ(run({.prompt = "3", .mode = ConversationMode::yolo, .session_id = "missing"}), "") << "no other takes its place";
  EXPECT_EQ(script.prompts.size(), prompts) << "no prompt was sent";
  EXPECT_THAT(errors, ElementsAre(HasSubstr("the session missing cannot be taken up; a new one can be begun")));
}

TEST_F(RunnerTest, TheRestOfAnEarlierTurnIsAbsentFromTheNext) {
  made();
  run({.prompt = "1"});
  runner->client()->queue().push(AssistantMessage{.text = "stale"});
  run({.prompt = "2"});
  EXPECT_THAT(chunks, ElementsAre(R"({"chunkType":"text","content":"hello"})"));
}

TEST_F(RunnerTest, TurnsRunSinglyAndCanBeCancelled) {
  script.prompt = [this](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_await script.proceed.wait();
    co_return acp::PromptResult{.stop_reason = {acp::StopReason::cancelled}};
  };
  made();
  begin({.prompt = "1"});
  EXPECT_TRUE(runner->is_running());
  begin({.prompt = "2"});
  EXPECT_THAT(errors, ElementsAre(HasSubstr("a turn is running")));
  runner->cancel();
  settle();
  EXPECT_EQ(ends, 1);
  EXPECT_TRUE(runner->is_connected());
}

TEST_F(RunnerTest, AnAbandonedRunInterruptsItsTurn) {
  script.prompt = [this](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_await script.proceed.wait();
    co_return acp::PromptResult{};
  };
  made();
  {
    Scope own(loop);
    own.start(
        [](Runner& of, RunCallbacks c) -> Task<void> { co_await of.run({.prompt = "1"}, std::move(c)); }(*runner, callbacks()));
    settle();
  }
  settle();
  EXPECT_THAT(script.asked, Contains("session/cancel"));
  EXPECT_FALSE(runner->is_running());
  EXPECT_EQ(ends, 0);
}

TEST_F(RunnerTest, FailuresEndTheRunOnceAndTheNextRunReconnects) {
  unreachable = true;
  made();
  EXPECT_EQ(run({.prompt = "1"}), "");
  EXPECT_THAT(errors, ElementsAre(HasSubstr("unreachable")));
  unreachable = false;
  script.prompt = [this](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_await script.proceed.wait();
    co_return acp::PromptResult{};
  };
  chunks.clear();
  errors.clear();
  begin({.prompt = "2"});
  agents.back()->close();
  settle();
  EXPECT_THAT(errors, ::testing::SizeIs(1));
  EXPECT_EQ(ends, 0);
  will_say({said("back")});
  run({.prompt = "3"});
  EXPECT_THAT(chunks, ElementsAre(R"({"chunkType":"text","content":"back"})"));
}

TEST_F(RunnerTest, AllowedFoldersChangeOnTheExistingConnection) {
  ::parlance::test::write_file(folder_ + "/a.txt", "hello");
  made();
  run({.prompt = "1", .cwd = "/w"});
  EXPECT_FALSE(runner->client()->files()->read(folder_ + "/a.txt"));
  run({.prompt = "2", .cwd = "/w", .file_allowed_dirs = {folder_}});
  EXPECT_EQ(connections(), 1U);
  EXPECT_TRUE(runner->client()->files()->read(folder_ + "/a.txt"));
  run({.prompt = "3", .cwd = "/w"});
  EXPECT_FALSE(runner->client()->files()->read(folder_ + "/a.txt"));
}

TEST_F(RunnerTest, ItsAvailabilityIsRemembered) {
  made();
  const driver::Availability there = get(runner->check_availability());
  EXPECT_TRUE(there.available);
  EXPECT_THAT(there.diagnosis, StartsWith("iFlow answers"));
  get(runner->check_availability());
  EXPECT_EQ(connections(), 1U);
  unreachable = true;
  runner->clear_auto_detect_cache();
  const driver::Availability gone = get(runner->check_availability());
  EXPECT_FALSE(gone.available);
  EXPECT_THAT(gone.diagnosis, StartsWith("ConnectionError: Failed to connect: unreachable"));
}

TEST_F(RunnerTest, WithoutARunNoRequestWaitsForAnAnswer) {
  made();
  EXPECT_FALSE(runner->approve_tool_call(1, ToolCallConfirmationOutcome::allow));
  EXPECT_FALSE(runner->reject_tool_call(1));
  EXPECT_FALSE(runner->answer_questions(1, {}));
  EXPECT_FALSE(runner->approve_plan(1, true));
  runner->cancel();
  get(runner->dispose());
}

}  // namespace
}  // namespace parlance::iflow

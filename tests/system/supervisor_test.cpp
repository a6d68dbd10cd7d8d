// SPDX-License-Identifier: Apache-2.0
// The supervisor and its decision about hanging services, without our programs: services are shell scripts.
#include "apps/parlance/supervise/supervisor.h"

#include <chrono>
#include <csignal>

#include <gmock/gmock.h>

#include "apps/parlance/supervise/heartbeat.h"
#include "tests/support/child_process_fixture.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;
using test::long_enough;
using testing::HasSubstr;
using Verdict = Heartbeat::Verdict;

// ---- deciding ----------------------------------------------------------------------------------------------------------------

// Questions of one second each, in sequence; `states` lists the process state at the end of each.
class Asked {
 public:
  Verdict miss(char state, Duration processor = {}) {
    const ProcessSample before{.state = 'S', .processor = had_};
    had_ += processor;
    now_ += 1s;
    return heartbeat.missed(now_ - 1s, now_, before, {.state = state, .processor = had_});
  }
  std::string reason() const { return heartbeat.reason(now_); }
  Heartbeat heartbeat;

 private:
  TimePoint now_{};
  Duration had_{};
};

TEST(Heartbeat, AStoppedProcessHangsAtTheThirdQuestion) {
  Asked service;
  EXPECT_EQ(service.miss('T'), Verdict::late);
  EXPECT_EQ(service.miss('T'), Verdict::late);
  EXPECT_EQ(service.miss('T'), Verdict::hanging);
  EXPECT_EQ(service.reason(), "no answer for 3.0 s: it was stopped by a signal");
}

TEST(Heartbeat, AnIdleSilentProcessHangs) {
  Asked service;
  service.miss('S');
  service.miss('S');
  EXPECT_EQ(service.miss('S'), Verdict::hanging);
  EXPECT_THAT(service.reason(), HasSubstr("does not come"));
}

TEST(Heartbeat, AnAnswerResetsTheMissedQuestions) {
  Asked service;
  service.miss('S');
  service.miss('S');
  EXPECT_TRUE(service.heartbeat.is_late());
  service.heartbeat.answered();
  EXPECT_FALSE(service.heartbeat.is_late());
  EXPECT_EQ(service.miss('S'), Verdict::late);
}

TEST(Heartbeat, ASpinningProcessHangsOnceThereWasTimeToAnswer) {
  Asked service;
  service.miss('R', 1s);
  service.miss('R', 1s);
  EXPECT_EQ(service.miss('R', 1s), Verdict::hanging);
  EXPECT_THAT(service.reason(), HasSubstr("comes to no end"));
}

// Ten busy processes, or a slow disk: no reason for a kill.
TEST(Heartbeat, AProcessWithoutProcessorTimeIsOnlyLate) {
  Asked busy;
  for (int second = 0; second < 19; ++second) EXPECT_EQ(busy.miss('R', 100ms), Verdict::late) << second;
  EXPECT_EQ(busy.miss('R', 100ms), Verdict::hanging) << "it had two seconds by now";
  Asked disk;
  for (int second = 0; second < 59; ++second) EXPECT_EQ(disk.miss('D'), Verdict::late) << second;
  EXPECT_EQ(disk.miss('D'), Verdict::hanging) << "nobody waits for ever";
  Asked sometimes;
  sometimes.miss('R', 10ms);
  sometimes.miss('S');
  EXPECT_EQ(sometimes.miss('S'), Verdict::late) << "it does get on";
}

TEST(Heartbeat, AProcessUnderADebuggerIsLeftAlone) {
  Asked service;
  for (int second = 0; second < 1000; ++second) EXPECT_EQ(service.miss('t'), Verdict::fine);
}

TEST(Heartbeat, AProcessIsSampled) {
  const auto own = sample_process(::getpid());
  ASSERT_TRUE(own);
  EXPECT_EQ(own->state, 'R');
  EXPECT_EQ(sample_process(0x7ffffff0), std::nullopt);
}

// ---- doing -------------------------------------------------------------------------------------------------------------------

class SupervisorTest : public test::ChildProcessTest {
 protected:
  void start(const std::string& script) {
    supervisor.start({.name = "service",
                      .command = {"/bin/sh", "-c", "echo '{\"ready\":\"service\",\"address\":\"here\"}'; " + script},
                      .ask_pause = 10ms,
                      .answer_patience = patience});
    ASSERT_TRUE(get(supervisor.all_ready()));
  }
  void TearDown() override { get(supervisor.stop_all()); }
  const ServiceState& service() const { return *supervisor.services().front(); }

  std::chrono::milliseconds patience{50};
  std::vector<std::string> lates;
  Supervisor supervisor{loop, [this](const ServiceState& state) {
                          if (state.ready && !state.late.empty()) lates.push_back(state.late);
                        }};
};

// Together with its children: its group, not only the process.
TEST_F(SupervisorTest, ASpinningServiceIsKilledWithItsGroupAndRestarted) {
  start("sleep 1000 & while :; do :; done");
  const pid_t first = service().pid;
  const test::Watched group(first);
  until([&] { return service().restarts > 0 && service().ready; }, "a second start");
  EXPECT_NE(service().pid, first);
  EXPECT_THAT(service().last_end, AllOf(HasSubstr("no answer for"), HasSubstr("so it was killed")));
  EXPECT_FALSE(lates.empty()) << "notified before it is killed";
  EXPECT_TRUE(group.ends_within(0ms));
  until_observed([&] { return ::kill(-first, 0) != 0; }, "the end of the group");
}

TEST_F(SupervisorTest, AStoppedServiceIsKilledAndRestarted) {
  start("exec sleep 1000");
  ASSERT_EQ(::kill(service().pid, SIGSTOP), 0);
  until([&] { return service().restarts > 0 && service().ready; }, "a second start");
  EXPECT_THAT(service().last_end, HasSubstr("it was stopped by a signal"));
}

// With the real timing: asked each second, with the patience of `up`. The test measures its processor time, because other
// programs may be busy here.
TEST_F(SupervisorTest, ASpinningServiceIsDetectedWithinFiveSecondsOfProcessorTime) {
  supervisor.start({.name = "service",
                    .command = {"/bin/sh", "-c", "echo '{\"ready\":\"service\",\"address\":\"here\"}'; while :; do :; done"}});
  ASSERT_TRUE(get(supervisor.all_ready()));
  const pid_t first = service().pid;
  Duration burnt{};
  until(
      [&] {
        if (const auto now = sample_process(first)) burnt = std::max(burnt, now->processor);
        return service().restarts > 0;
      },
      "a restart");
  EXPECT_LT(burnt, 5s);
  EXPECT_THAT(service().last_end, HasSubstr("comes to no end"));
}

TEST_F(SupervisorTest, AServiceThatAnswersAgainIsLeftAlone) {
  patience = 2s;  // late after the first question, with time for the next
  start("read -r unanswered; while read -r question; do echo \"$question\"; done");
  const pid_t first = service().pid;
  until([&] { return !lates.empty(); }, "a late answer");  // late only for a moment: the next question is answered at once
  until([&] { return service().late.empty(); }, "an answer in time");
  EXPECT_EQ(service().pid, first);
  EXPECT_EQ(service().restarts, 0);
}

TEST_F(SupervisorTest, AServiceThatRepeatsEachQuestionLives) {
  patience = 20s;  // a busy machine answers late
  start("while read -r question; do echo \"$question\"; done");
  until([&] { return service().answered > 20; }, "some answers");
  EXPECT_EQ(service().restarts, 0);
  EXPECT_THAT(lates, testing::IsEmpty());
}

// Only the open question accepts an answer: neither an answer to an unasked question nor an invalid line counts.
TEST_F(SupervisorTest, AnAnswerToAnotherQuestionIsNone) {
  start(
      "while read -r question; do echo '{\"alive\":18446744073709551615}'; echo '{\"alive\":-1}'; echo '{\"alive\":99999}'; echo alive; done");
  until([&] { return service().restarts > 0; }, "a restart");
  EXPECT_THAT(service().last_end, HasSubstr("no answer for"));
}

}  // namespace
}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_guard.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/transport/whole_file.h"
#include "tests/support/child_process_fixture.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using test::ChildProcessTest;
using test::have_children;
using test::open_descriptors;
using test::Watched;
using testing::ElementsAre;

class ChildGuardTest : public ChildProcessTest {};

// ---- no process remains ----------------------------------------------------------------------------------------------

TEST_F(ChildGuardTest, AGrandchildDiesWithTheGroup) {
  for (const bool by_itself : {true, false}) {
    const auto child = shell("sleep 1000 & echo $!; read x");
    const auto stream = child->take_stream();
    const Watched grandchild(parse_number<pid_t>(read_line(*stream)).value_or(-1));
    ASSERT_TRUE(grandchild.runs());
    if (by_itself) stream->close_output();
    else child->signal_group(SIGKILL);
    get(child->wait());
    EXPECT_TRUE(grandchild.ends_within());
  }
}

TEST_F(ChildGuardTest, DestroyingAChildKillsTheGroupAtOnceAndLeavesNoZombie) {
  auto child = shell("trap '' TERM HUP; sleep 1000 & echo $!; wait");
  const auto stream = child->take_stream();
  const Watched leader(child->pid());
  const Watched grandchild(parse_number<pid_t>(read_line(*stream)).value_or(-1));
  auto wait = child->wait();
  child.reset();
  EXPECT_TRUE(leader.ends_within());
  EXPECT_TRUE(grandchild.ends_within());
  EXPECT_EQ(get(std::move(wait)).signal, SIGKILL);
  EXPECT_EQ(read_all(*stream), "");
  EXPECT_FALSE(have_children());
}

TEST_F(ChildGuardTest, TheEndOfTheLoopReapsTheRest) {
  {
    Loop other;
    auto child = ChildProcess::start(other, {.command = {"sleep", "1000"}});
    ASSERT_TRUE(child);
    auto second = ChildProcess::start(other, {.command = {"true"}});
    ASSERT_TRUE(second);
  }
  EXPECT_FALSE(have_children());
}

TEST_F(ChildGuardTest, TwoHundredStartsLeaveNoZombieAndNoDescriptor) {
  get(shell("true")->wait());  // the guard and Asio have theirs from now on
  const std::size_t before = open_descriptors();
  const auto began = Clock::now();
  for (int i = 0; i < 200; ++i) {
    const auto child = start({.command = {"/bin/true"}});
    ASSERT_EQ(get(child->wait()).code, 0);
  }
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began) / 200;
  RecordProperty("microseconds_to_start_and_wait", static_cast<int>(time.count()));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(start_error({.command = {"/nowhere/program"}}).code, Errc::not_found);
  EXPECT_FALSE(have_children());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ChildGuardTest, FiftyAtOnceKeepTheirAnswersApart) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 50; ++i) children.push_back(shell("read x; echo got $x; echo err $x >&2; exit " + std::to_string(i)));
  const auto talk = [&](int i) -> Task<void> {
    const auto stream = children[i]->take_stream();
    const std::string text = std::to_string(i) + "\n";
    const auto written = co_await write_all(*stream, text);
    EXPECT_TRUE(written);
    char buffer[64];
    const auto bytes = co_await read_some(*stream, buffer);
    EXPECT_EQ(std::string(buffer, bytes.value_or(0)), "got " + text);
    const ExitStatus status = co_await children[i]->wait();
    EXPECT_EQ(status.code, i);
    EXPECT_EQ(status.stderr_tail, "err " + text);
  };
  Scope scope(loop);
  for (int i = 0; i < 50; ++i) scope.start(talk(i));
  get(scope.join());
}

TEST_F(ChildGuardTest, LoopsOfSeveralThreadsStartChildrenAtOnce) {
  const auto work = [](int* right) {
    Loop own;
    for (int i = 0; i < 20; ++i) {
      auto child = ChildProcess::start(own, {.command = {"/bin/sh", "-c", "exit " + std::to_string(i)}});
      if (child && own.block_on((*child)->wait()).code == i) ++*right;
    }
  };
  std::array<int, 4> right{};
  std::vector<std::thread> threads;
  for (int& count : right) threads.emplace_back(work, &count);
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(right, ElementsAre(20, 20, 20, 20));
  EXPECT_FALSE(have_children());
}

// ---- our own death ---------------------------------------------------------------------------------------------------

// tests/support/child_victim.cpp: a program with children, to be killed by the test.
class VictimTest : public ChildProcessTest {
 protected:
  struct Victim {
    std::unique_ptr<ChildProcess> process;
    std::unique_ptr<ByteStream> output;
  };
  Victim victim(const std::string& mode) {
    marker = "CHILD_VICTIM=" + std::to_string(::getpid()) + "." + std::to_string(++victims);
    Victim made;
    made.process =
        start({.command = {PARLANCE_BINARY_DIR "/bin/child_victim", mode}, .set = {{"CHILD_VICTIM", marker.substr(13)}}});
    made.output = made.process->take_stream();
    return made;
  }
  pid_t read_pid(ByteStream& stream) { return parse_number<pid_t>(read_line(stream)).value_or(-1); }

  // All descendants of the victim carry its marker, whatever their names.
  std::vector<pid_t> descendants() const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const auto pid = parse_number<pid_t>(entry.path().filename().native());
      if (!pid) continue;
      const std::string text = read_whole_file(entry.path() / "environ").value_or("");
      if (text.find(marker) != text.npos) found.push_back(*pid);
    }
    return found;
  }
  bool all_gone() const {
    for (const pid_t pid : descendants())
      if (!Watched(pid).ends_within(10s)) return false;
    return true;
  }

  std::string marker;
  static inline int victims = 0;
};

TEST_F(VictimTest, SigkillOfUsLeavesNeitherChildNorGrandchild) {
  for (const char* const mode : {"family", "family-of-thread"}) {
    const Victim parent = victim(mode);
    const Watched guard(read_pid(*parent.output));
    const Watched child(read_pid(*parent.output));
    const Watched grandchild(read_pid(*parent.output));
    ASSERT_TRUE(guard.runs() && child.runs() && grandchild.runs()) << mode;
    ASSERT_GE(descendants().size(), 3U) << mode;
    ::kill(parent.process->pid(), SIGKILL);
    EXPECT_EQ(get(parent.process->wait()).signal, SIGKILL);
    EXPECT_TRUE(child.ends_within());
    EXPECT_TRUE(grandchild.ends_within());
    EXPECT_TRUE(guard.ends_within());
    EXPECT_TRUE(all_gone()) << mode;
  }
}

TEST_F(VictimTest, SigkillOfUsKillsProcessesOutsideTheSession) {
  const Victim parent = victim("strays");
  const Watched guard(read_pid(*parent.output));
  const Watched stray(read_pid(*parent.output));
  ASSERT_TRUE(guard.runs() && stray.runs());
  ::kill(parent.process->pid(), SIGKILL);
  get(parent.process->wait());
  EXPECT_TRUE(guard.ends_within());
  EXPECT_TRUE(stray.ends_within());
  EXPECT_TRUE(all_gone());
}

TEST_F(VictimTest, SigkillOfUsKillsStartingChildren) {
  for (int starts = 1; starts <= 24; ++starts) {
    const Victim parent = victim(starts % 2 != 0 ? "flood" : "flood-of-thread");
    const Watched guard(read_pid(*parent.output));
    for (int i = 0; i < starts; ++i) ASSERT_EQ(read_line(*parent.output), "started");
    ::kill(parent.process->pid(), SIGKILL);
    get(parent.process->wait());
    ASSERT_TRUE(guard.ends_within());  // its end means that no child is starting
    EXPECT_TRUE(all_gone());
  }
}

TEST_F(VictimTest, AnOrderlyEndWithoutDestructorsKillsAllChildren) {
  const Victim parent = victim("exit");
  const Watched guard(read_pid(*parent.output));
  const Watched child(read_pid(*parent.output));
  const Watched grandchild(read_pid(*parent.output));
  EXPECT_EQ(get(parent.process->wait()).code, 0);
  EXPECT_TRUE(guard.ends_within(0ms));
  EXPECT_TRUE(child.ends_within());
  EXPECT_TRUE(grandchild.ends_within());
}

TEST_F(VictimTest, ASurvivingForkDoesNotKeepTheChildrenAlive) {
  const Victim parent = victim("forked");
  const Watched guard(read_pid(*parent.output));
  const Watched child(read_pid(*parent.output));
  const Watched grandchild(read_pid(*parent.output));
  const pid_t fork = read_pid(*parent.output);
  const Watched forked(fork);
  ASSERT_TRUE(forked.runs());
  ::kill(parent.process->pid(), SIGKILL);
  EXPECT_TRUE(child.ends_within());
  EXPECT_TRUE(grandchild.ends_within());
  EXPECT_TRUE(forked.runs());
  ::kill(fork, SIGKILL);
  EXPECT_TRUE(guard.ends_within());
}

// A hub whose lease expires while stopped: its children must not outlive the lease.
TEST_F(VictimTest, AtItsLimitTheGuardKillsChildrenOfAStoppedProcess) {
  const Victim parent = victim("stopped-at-its-limit");
  const Watched guard(read_pid(*parent.output));
  const pid_t first = read_pid(*parent.output);
  const Watched child(first);
  EXPECT_TRUE(child.ends_within());
  ::kill(parent.process->pid(), SIGCONT);
  const Watched late(read_pid(*parent.output));
  EXPECT_TRUE(late.ends_within()) << "a child after the limit ends at once";
  EXPECT_TRUE(guard.runs());
  ::kill(parent.process->pid(), SIGKILL);
  get(parent.process->wait());
  EXPECT_TRUE(guard.ends_within());
  EXPECT_TRUE(all_gone()) << "also processes of other sessions";
}

TEST_F(VictimTest, ALimitMovedInTimeKillsNoChild) {
  const Victim parent = victim("moving-its-limit");
  const Watched guard(read_pid(*parent.output));
  const Watched child(read_pid(*parent.output));
  ASSERT_EQ(read_line(*parent.output), "moved");
  EXPECT_TRUE(child.runs()) << "a second later, with a limit of half of one";
  EXPECT_TRUE(child.ends_within()) << "moved no more";
}

TEST_F(ChildGuardTest, TheGuardHidesFromPkillAndHoldsNoDescriptorOfOurs) {
  const auto child = start({.command = {"cat"}});
  const std::string proc = "/proc/" + std::to_string(guard_pid());
  const auto first_text = [&](const std::string& file, char end) {
    std::string text;
    std::ifstream stream(proc + file);
    std::getline(stream, text, end);
    return text;
  };
  const auto descriptors = [&] {
    std::vector<std::string> numbers;
    for (const auto& entry : std::filesystem::directory_iterator(proc + "/fd")) numbers.push_back(entry.path().filename());
    std::ranges::sort(numbers);
    return numbers;
  };
  // The guard hides while we already go on.
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  while (Clock::now() < deadline && (first_text("/cmdline", '\0') != "child-guard" || descriptors().size() != 2))
    std::this_thread::yield();
  EXPECT_EQ(first_text("/comm", '\n'), "child-guard");
  EXPECT_EQ(first_text("/cmdline", '\0'), "child-guard");
  EXPECT_THAT(descriptors(), ElementsAre("0", "1"));
  EXPECT_EQ(std::filesystem::read_symlink(proc + "/cwd"), "/");
}

TEST_F(ChildGuardTest, AKilledGuardIsReplaced) {
  const auto before = start({.command = {"cat"}});
  const pid_t first = guard_pid();
  ::kill(first, SIGKILL);
  ASSERT_TRUE(Watched(first).ends_within());
  const auto after = start({.command = {"cat"}});
  EXPECT_GT(guard_pid(), 0);
  EXPECT_NE(guard_pid(), first);
  // The guard leaves our process group before the first child: a kill of our group must not kill the guard too.
  EXPECT_EQ(::getsid(guard_pid()), guard_pid());
  EXPECT_EQ(get(before->stop()).code, 0);
  EXPECT_EQ(get(after->stop()).code, 0);
  EXPECT_FALSE(have_children());
}

}  // namespace
}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_process.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/base/text.h"
#include "parlance/process/limits.h"
#include "tests/support/child_process_fixture.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using test::ChildProcessTest;
using test::long_enough;
using test::Watched;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// ---- talking ---------------------------------------------------------------------------------------------------------

TEST_F(ChildProcessTest, AnEchoComesBackAndEndsWithItsInput) {
  const auto child = start({.command = {"cat"}});
  const auto stream = child->take_stream();
  EXPECT_EQ(stream->name(), "child cat[" + std::to_string(child->pid()) + "]");
  EXPECT_EQ(stream->try_write("hello\n"), 6U);
  EXPECT_EQ(read_line(*stream), "hello");
  stream->close_output();
  EXPECT_EQ(read_all(*stream), "");
  EXPECT_EQ(get(child->wait()).code, 0);
}

TEST_F(ChildProcessTest, AllThreePipesMoveAtOnceWithoutALimit) {
  constexpr std::size_t size = 10 << 20;
  const auto child = shell("head -c 10485760 /dev/zero >&2 & cat; wait");
  const auto stream = child->take_stream();
  std::string sent(size, 'x');
  for (std::size_t i = 0; i < size; i += 4096) sent[i] = static_cast<char>('a' + i / 4096 % 26);
  const auto write = [&]() -> Task<void> {
    const auto written = co_await write_all(*stream, sent);
    EXPECT_EQ(written.value_or(0), size);
    stream->close_output();
  };
  Scope scope(loop);
  scope.start(write());
  EXPECT_TRUE(read_all(*stream) == sent);
  const ExitStatus status = get(child->wait());
  EXPECT_EQ(status.code, 0);
  EXPECT_EQ(status.stderr_tail, std::string(limits::stderr_tail_bytes, '\0'));
}

TEST_F(ChildProcessTest, StderrIsDrainedWithoutAReader) {
  const auto child = shell("head -c 3000000 /dev/zero >&2; echo done");
  EXPECT_EQ(read_all(*child->take_stream()), "done\n");
}

TEST_F(ChildProcessTest, StdinCanBeEmpty) {
  const auto child = start({.command = {"cat"}, .stdin_from = ChildSettings::Stdin::null});
  const auto stream = child->take_stream();
  EXPECT_EQ(stream->try_write("lost"), 0U);
  EXPECT_EQ(read_all(*stream), "");
  EXPECT_EQ(get(child->wait()).code, 0);
}

TEST_F(ChildProcessTest, TheFolderIsTheWorkingFolder) {
  EXPECT_EQ(output_of({.command = {"pwd"}, .folder = "/usr/lib"}), "/usr/lib\n");
  EXPECT_EQ(output_of({.command = {"./pwd"}, .folder = "/bin"}).empty(), false);
}

TEST_F(ChildProcessTest, LinesOfStderrAreWholeAndLongLinesAreCut) {
  std::vector<std::string> lines;
  const auto child = start({.command = {"/bin/sh", "-c",
                                        "printf 'one\\ntw' >&2; echo go; read x; printf 'o\\r\\n\\n' >&2;"
                                        "head -c 20000 /dev/zero | tr '\\0' L >&2; printf '\\nlast' >&2"},
                            .on_stderr_line = [&](BytesView line) { lines.emplace_back(line); }});
  const auto stream = child->take_stream();
  EXPECT_EQ(read_line(*stream), "go");
  EXPECT_EQ(stream->try_write("\n"), 1U);
  EXPECT_EQ(get(child->wait()).code, 0);
  EXPECT_THAT(lines, ElementsAre("one", "two", "", std::string(limits::stderr_line_bytes, 'L'), "last"));
}

TEST_F(ChildProcessTest, TheTailOfStderrBeginsWithAWholeLine) {
  const auto child = shell("i=1000; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2");
  const std::string tail = get(child->wait()).stderr_tail;
  EXPECT_LE(tail.size(), limits::stderr_tail_bytes);
  EXPECT_GT(tail.size(), limits::stderr_tail_bytes - 20);
  EXPECT_THAT(tail, StartsWith("line 2"));
  EXPECT_TRUE(tail.ends_with("line 2999\n"));
}

TEST_F(ChildProcessTest, ALineCallbackMayDestroyTheChild) {
  std::unique_ptr<ChildProcess> child;
  child = start({.command = {"/bin/sh", "-c", "read x; echo first >&2; echo second >&2; exec sleep 1000"},
                 .on_stderr_line = [&](BytesView line) {
                   EXPECT_EQ(line, "first");
                   child.reset();
                 }});
  auto wait = child->wait();
  EXPECT_EQ(child->take_stream()->try_write("\n"), 1U);
  EXPECT_EQ(get(std::move(wait)).signal, SIGKILL);
  EXPECT_EQ(child, nullptr);
}

// ---- ending ----------------------------------------------------------------------------------------------------------

TEST_F(ChildProcessTest, ExitCodeAndSignalAreDistinguished) {
  const auto nine = shell("echo first >&2; echo 'what went wrong' >&2; exit 9");
  ExitStatus status = get(nine->wait());
  EXPECT_EQ(status.code, 9);
  EXPECT_EQ(status.signal, 0);
  EXPECT_EQ(status.stderr_tail, "first\nwhat went wrong\n");
  EXPECT_EQ(status.describe(), "exit code 9: what went wrong");
  EXPECT_EQ(nine->exit_status()->code, 9);

  const auto killed = shell("kill -SEGV $$");
  status = get(killed->wait());
  EXPECT_EQ(status.code, -1);
  EXPECT_EQ(status.signal, SIGSEGV);
  EXPECT_EQ(status.describe(), "killed by signal 11 (SIGSEGV)");
}

TEST_F(ChildProcessTest, EveryWaiterGetsTheStatus) {
  const auto child = shell("read x; echo reason >&2; exit 3");
  std::vector<int> codes;
  const auto wait = [&]() -> Task<void> { codes.push_back((co_await child->wait()).code); };
  Scope scope(loop);
  for (int i = 0; i < 3; ++i) scope.start(wait());
  const auto why = [&]() -> Task<void> {
    const Error error = co_await child->why_it_ended(long_enough);
    EXPECT_EQ(error.code, Errc::disconnected);
    EXPECT_EQ(error.message, "sh exited with code 3: reason");
    EXPECT_EQ(error.data, R"({"exit_code":3,"stderr":"reason\u000a"})");
  };
  scope.start(why());
  EXPECT_EQ(scope.running(), 4U);
  child->take_stream().reset();
  get(scope.join());
  EXPECT_THAT(codes, ElementsAre(3, 3, 3));
}

TEST_F(ChildProcessTest, AnEndedStreamIsExplained) {
  const auto child = shell("read x; kill -9 $$");
  const auto stream = child->take_stream();
  EXPECT_EQ(stream->try_write("\n"), 1U);
  EXPECT_EQ(read_all(*stream), "");
  const Error error = get(child->why_it_ended());
  EXPECT_EQ(error.message, "sh was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(error.data, R"({"signal":9,"signal_name":"SIGKILL","stderr":""})");
}

TEST_F(ChildProcessTest, AChildWithAClosedOutputIsNotCalledDead) {
  const auto child = shell("exec >&-; exec sleep 1000");
  EXPECT_EQ(read_all(*child->take_stream()), "");
  EXPECT_EQ(get(child->why_it_ended(1ms)).message, "sh closed its output, but still runs");
}

TEST_F(ChildProcessTest, TheStreamEndsWithTheChildAlthoughADaemonHoldsThePipe) {
  const auto child = shell("setsid sleep 1000 2>/dev/null & echo $!; read x");
  const auto stream = child->take_stream();
  // setsid forks only as the leader of a group; here setsid becomes the sleep.
  const pid_t daemon = parse_number<pid_t>(read_line(*stream)).value_or(0);
  ASSERT_GT(daemon, 1);
  while (::getpgid(daemon) == child->pid()) ::sched_yield();  // until the daemon has left the group
  const auto read = [&]() -> Task<void> {
    char buffer[16];
    const auto bytes = co_await read_some(*stream, buffer);
    EXPECT_EQ(bytes.value_or(99), 0U);
  };
  Scope scope(loop);
  scope.start(read());
  child->signal_group(SIGKILL);
  get(scope.join());
  EXPECT_EQ(read_all(*stream), "");  // and stays so
  EXPECT_TRUE(Watched(daemon).runs());
  ::kill(daemon, SIGKILL);
}

TEST_F(ChildProcessTest, OutputBeforeTheEndIsRead) {
  const auto child = shell("head -c 50000 /dev/zero; exit 4");
  EXPECT_EQ(get(child->wait()).code, 4);
  EXPECT_EQ(read_all(*child->take_stream()).size(), 50000U);
}

// ---- starting --------------------------------------------------------------------------------------------------------

TEST_F(ChildProcessTest, AMissingProgramNamesThePath) {
  const Error error = start_error({.command = {"no-such-program"}, .set = {{"PATH", "/nowhere:/bin"}}});
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_EQ(error.message, "no program \"no-such-program\" in PATH (/nowhere:/bin)");
  EXPECT_EQ(start_error({.command = {"/nowhere/program"}}).message, "no such program: /nowhere/program");
  EXPECT_EQ(start_error({.command = {}}).code, Errc::invalid_params);
  EXPECT_EQ(start_error({.command = {"cat", std::string("a\0b", 3)}}).code, Errc::invalid_params);
}

class ChildFilesTest : public ChildProcessTest {
 protected:
  ChildFilesTest() {
    char name[] = "/tmp/child_process_test.XXXXXX";
    folder = ::mkdtemp(name);
  }
  ~ChildFilesTest() { std::filesystem::remove_all(folder); }
  std::string file(const std::string& name, const std::string& content, mode_t mode) const {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::string folder;
};

TEST_F(ChildFilesTest, AProgramWithoutPermissionIsDenied) {
  const std::string path = file("plain", "#!/bin/sh\n", 0644);
  EXPECT_EQ(start_error({.command = {path}}).code, Errc::denied);
  // In PATH, a later executable program is taken; without one, the error names the forbidden program.
  EXPECT_EQ(start_error({.command = {"plain"}, .set = {{"PATH", folder + ":/nowhere"}}}).message,
            "start " + path + ": Permission denied");
  std::filesystem::create_directory(folder + "/later");
  file("later/plain", "#!/bin/sh\necho ran\n", 0755);
  EXPECT_EQ(output_of({.command = {"plain"}, .set = {{"PATH", folder + ":" + folder + "/later:/bin"}}}), "ran\n");
}

TEST_F(ChildFilesTest, AScriptWithoutItsFirstLineRunsAndAWrongFirstLineIsReported) {
  EXPECT_EQ(output_of({.command = {file("script", "echo \"$1-$2\"\n", 0755), "a", "b"}}), "a-b\n");
  const Error error = start_error({.command = {file("wrong", "#!/no/such/interpreter\n", 0755)}});
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_THAT(error.message, HasSubstr("interpreter"));
}

TEST_F(ChildFilesTest, AMissingWorkingFolderIsDistinguished) {
  const Error error = start_error({.command = {"cat"}, .folder = folder + "/missing"});
  EXPECT_EQ(error.code, Errc::not_found);
  EXPECT_EQ(error.message, "working folder " + folder + "/missing: No such file or directory");
}

TEST_F(ChildFilesTest, AWorkingFolderBehindALinkIsRefusedWhereItsRealPathIsMeant) {
  const std::string real = std::filesystem::canonical(folder).string();
  std::filesystem::create_directory(real + "/there");
  std::filesystem::create_symlink("there", real + "/link");
  EXPECT_EQ(output_of({.command = {"pwd"}, .folder = real + "/there", .folder_links = FolderLinks::refused}), real + "/there\n");
  EXPECT_EQ(output_of({.command = {"pwd"}, .folder = real + "/link", .unset = {"PWD"}}), real + "/there\n");
  const Error error = start_error({.command = {"pwd"}, .folder = real + "/link", .folder_links = FolderLinks::refused});
  EXPECT_EQ(error.code, Errc::denied);
  EXPECT_THAT(error.message, HasSubstr("leads through a link to " + real + "/there"));
}

TEST_F(ChildProcessTest, AnExactEnvironmentIsComplete) {
  EXPECT_EQ(output_of({.command = {"env"}, .environment = {{{"ONE", "1"}, {"PATH", "/usr/bin:/bin"}}}}),
            "ONE=1\nPATH=/usr/bin:/bin\n");
  EXPECT_EQ(output_of({.command = {"/usr/bin/env"}, .environment = std::vector<std::pair<std::string, std::string>>{}}), "");
  EXPECT_EQ(start_error({.command = {"env"}, .set = {{"A=B", "c"}}}).code, Errc::invalid_params);
}

TEST_F(ChildProcessTest, VariablesAreSetAndUnsetByPrefix) {
  ::setenv("CHILDTEST_A", "1", 1);
  ::setenv("CHILDTEST_B", "2", 1);
  ::setenv("CHILDTEST", "3", 1);
  ::setenv("OTHER_CHILDTEST", "4", 1);
  const std::string text =
      output_of({.command = {"env"}, .set = {{"CHILDTEST_B", "new"}, {"ADDED", "a=b"}}, .unset = {"CHILDTEST_*"}});
  std::vector<std::string> of_us;
  for (const auto line : split(text, '\n'))
    if (line.find("CHILDTEST") != line.npos || line.starts_with("ADDED")) of_us.emplace_back(line);
  std::ranges::sort(of_us);
  EXPECT_THAT(of_us, ElementsAre("ADDED=a=b", "CHILDTEST=3", "CHILDTEST_B=new", "OTHER_CHILDTEST=4"));
}

TEST_F(ChildProcessTest, TheChildStartsWithFreshSignalsAndNoDescriptorOfOurs) {
  ignore_sigpipe();
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  ::signal(SIGUSR2, [](int) {});
  const int leaked = ::dup(2);  // not close-on-exec
  const std::string text = output_of({.command = {"sh", "-c", "exec cat /proc/self/status"}});
  const std::string descriptors = output_of({.command = {"ls", "/proc/self/fd"}});
  ::close(leaked);
  ::signal(SIGUSR2, SIG_DFL);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_THAT(text, HasSubstr("SigBlk:\t0000000000000000\n"));
  EXPECT_THAT(text, HasSubstr("SigCgt:\t0000000000000000\n"));
  const std::size_t ignored = text.find("SigIgn:\t");
  ASSERT_NE(ignored, text.npos);
  EXPECT_EQ(std::stoull(text.substr(ignored + 8, 16), nullptr, 16) >> (SIGPIPE - 1) & 1, 0U);
  EXPECT_EQ(descriptors, "0\n1\n2\n3\n");  // 3 is the folder read by ls
}

// ---- the ladder ------------------------------------------------------------------------------------------------------

TEST_F(ChildProcessTest, StopEndsAChildAtTheEndOfItsInput) {
  const auto child = start({.command = {"cat"}, .eof_grace = long_enough});
  EXPECT_EQ(get(child->stop()).code, 0);
}

TEST_F(ChildProcessTest, StopTerminatesAChildAfterTheEndOfItsInput) {
  const auto child = start({.command = {"/bin/sh", "-c", "trap 'exit 7' TERM; echo ready; while :; do sleep 1000 & wait; done"},
                            .eof_grace = 1ms,
                            .term_grace = long_enough});
  const auto stream = child->take_stream();
  EXPECT_EQ(read_line(*stream), "ready");
  EXPECT_EQ(get(child->stop()).code, 7);
}

TEST_F(ChildProcessTest, StopKillsAStubbornChild) {
  const auto child = start(
      {.command = {"/bin/sh", "-c", "trap '' TERM; echo ready; sleep 1000; sleep 1000"}, .eof_grace = 1ms, .term_grace = 1ms});
  const auto stream = child->take_stream();
  EXPECT_EQ(read_line(*stream), "ready");
  EXPECT_EQ(get(child->stop()).signal, SIGKILL);
}

TEST_F(ChildProcessTest, StopReachesAStoppedChild) {
  const auto child =
      start({.command = {"/bin/sh", "-c", "echo ready; kill -STOP $$"}, .eof_grace = 1ms, .term_grace = long_enough});
  const auto stream = child->take_stream();
  EXPECT_EQ(read_line(*stream), "ready");
  EXPECT_EQ(get(child->stop()).signal, SIGTERM);
}

TEST_F(ChildProcessTest, WithoutInputTheLadderBeginsWithSigterm) {
  const auto child = start(
      {.command = {"sleep", "1000"}, .stdin_from = ChildSettings::Stdin::null, .eof_grace = 24h, .term_grace = long_enough});
  EXPECT_EQ(get(child->stop()).signal, SIGTERM);
}

TEST_F(ChildProcessTest, AProgramUnderAShellKeepsItsTimeWhenTheShellGoesFirst) {
  const auto child =
      start({.command = {"/bin/sh", "-c",
                         "sh -c 'trap \"sleep 0.2; echo cleaned up >&2; exit 0\" TERM; echo ready; while :; do sleep 1000 "
                         "2>/dev/null & wait; done'; true"},
             .eof_grace = 1ms,
             .term_grace = long_enough});
  const auto stream = child->take_stream();
  EXPECT_EQ(read_line(*stream), "ready");
  const ExitStatus status = get(child->stop());
  EXPECT_EQ(status.signal, SIGTERM);
  EXPECT_EQ(status.stderr_tail, "cleaned up\n");
}

TEST_F(ChildProcessTest, StopDoesNotWaitForAnotherHolderOfStderr) {
  const auto child = start({.command = {"/bin/sh", "-c", "setsid sleep 1000 >/dev/null & echo $!; sleep 1000; true"},
                            .eof_grace = 1ms,
                            .term_grace = long_enough});
  const auto stream = child->take_stream();
  const pid_t daemon = parse_number<pid_t>(read_line(*stream)).value_or(0);
  ASSERT_GT(daemon, 1);
  while (::getpgid(daemon) == child->pid()) ::sched_yield();  // until the daemon has left the group
  const auto before = Clock::now();
  EXPECT_EQ(get(child->stop()).signal, SIGTERM);
  EXPECT_LT(Clock::now() - before, long_enough / 2);
  EXPECT_TRUE(Watched(daemon).runs());
  ::kill(daemon, SIGKILL);
}

TEST_F(ChildProcessTest, ASecondStopJoinsTheFirstAndALateStopReturnsAtOnce) {
  const auto child = start({.command = {"cat"}, .eof_grace = long_enough});
  int ended = 0;
  const auto stop = [&]() -> Task<void> {
    EXPECT_EQ((co_await child->stop()).code, 0);
    ++ended;
  };
  Scope scope(loop);
  scope.start(stop());
  scope.start(stop());
  get(scope.join());
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(get(child->stop()).code, 0);
}

TEST_F(ChildProcessTest, TheStopContinuesWithoutAWaiter) {
  const auto child = start({.command = {"sleep", "1000"}, .eof_grace = 1ms, .term_grace = long_enough});
  {
    const auto stop = [&]() -> Task<void> { co_await child->stop(); };
    Scope scope(loop);
    scope.start(stop());
  }
  EXPECT_EQ(get(child->wait()).signal, SIGTERM);
}

}  // namespace
}  // namespace parlance

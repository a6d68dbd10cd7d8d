// SPDX-License-Identifier: Apache-2.0
// A program with children, killed by the tests of child_process: prints pids (the guard's first), one on each line.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/process/child_guard.h"
#include "parlance/process/child_process.h"
#include "parlance/process/strays.h"

namespace parlance {
namespace {

void say(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::_Exit(9);
}

std::unique_ptr<ChildProcess> start(Loop& loop, std::string script) {
  auto child = ChildProcess::start(
      loop, {.command = {"/bin/sh", "-c", std::move(script)}, .set = {{child_mark_variable, make_child_mark()}}});
  if (!child) {
    std::fprintf(stderr, "%s\n", child.error().message.c_str());
    std::_Exit(8);
  }
  return *std::move(child);
}

std::string first_line(Loop& loop, ByteStream& stream) {
  const auto read = [&]() -> Task<std::string> {
    std::string line;
    for (char c = 0; (co_await read_some(stream, {&c, 1})).value_or(0) == 1 && c != '\n';) line += c;
    co_return line;
  };
  return loop.block_on(read());
}

// A child that ignores all ignorable signals, with a child of its own.
void family(std::string_view ending) {
  static Loop& loop = *new Loop;  // never destroyed: at exit, only the guard can kill the child
  static auto child = start(loop, "trap '' HUP INT TERM; sleep 1000 & echo $!; while :; do sleep 1000; done");
  static auto stream = child->take_stream();
  const std::string grandchild = first_line(loop, *stream);
  say(std::to_string(guard_pid()));
  say(std::to_string(child->pid()));
  say(grandchild);
  if (ending == "exit") {
    // Leaked on purpose: only the end of the process is left to clean up.
    [[maybe_unused]] static auto* const leaked_child = child.release();
    [[maybe_unused]] static auto* const leaked_stream = stream.release();
    std::exit(0);
  }
  if (ending == "forked") {
    const pid_t forked = ::fork();
    if (forked == 0)
      for (;;) ::pause();
    say(std::to_string(forked));
  }
  loop.run();
}

// A child with a descendant that leaves its session, like Claude Code's tools, and starts a program there.
void strays() {
  static Loop& loop = *new Loop;
  static auto child = start(loop, "setsid sh -c 'sleep 1000 & echo $!; exec sleep 1000' & exec sleep 1000");
  static auto stream = child->take_stream();
  const std::string stray = first_line(loop, *stream);
  say(std::to_string(guard_pid()));
  say(stray);
  loop.run();
}

std::chrono::nanoseconds since_boot() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Stops itself before the limit of its guard. After waking, starts another child.
void stopped_at_its_limit() {
  Loop loop;
  guard_limit(since_boot() + std::chrono::milliseconds(300));
  const auto child = start(loop, "trap '' HUP INT TERM; setsid sleep 1000 & while :; do sleep 1000; done");
  say(std::to_string(guard_pid()));
  say(std::to_string(child->pid()));
  ::raise(SIGSTOP);
  const auto late = start(loop, "exec sleep 1000");
  say(std::to_string(late->pid()));
  for (;;) ::pause();
}

// Repeatedly extends its limit, until told to end.
void moving_its_limit() {
  Loop loop;
  const auto child = start(loop, "exec sleep 1000");
  say(std::to_string(guard_pid()));
  say(std::to_string(child->pid()));
  for (int i = 0; i < 40; ++i) {
    guard_limit(since_boot() + std::chrono::milliseconds(500));
    loop.run_for(std::chrono::milliseconds(25));
  }
  say("moved");
  for (;;) ::pause();
}

void flood() {
  Loop loop;
  std::vector<std::unique_ptr<ChildProcess>> children;
  children.push_back(start(loop, "exec sleep 1000"));
  say(std::to_string(guard_pid()));
  for (;;) {
    children.push_back(start(loop, "trap '' HUP TERM; sleep 1000 & sleep 1000"));
    say("started");
  }
}

int run(std::string_view mode) {
  if (mode == "family" || mode == "exit" || mode == "forked") family(mode);
  else if (mode == "family-of-thread") std::thread([] { family(""); }).join();  // where PR_SET_PDEATHSIG is not used
  else if (mode == "strays") strays();
  else if (mode == "stopped-at-its-limit") stopped_at_its_limit();
  else if (mode == "moving-its-limit") moving_its_limit();
  else if (mode == "flood") flood();
  else if (mode == "flood-of-thread") std::thread(flood).join();
  return 7;
}

}  // namespace
}  // namespace parlance

int main(int count, char** arguments) { return parlance::run(count > 1 ? arguments[1] : ""); }

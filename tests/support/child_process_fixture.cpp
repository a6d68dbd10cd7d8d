// SPDX-License-Identifier: Apache-2.0
#include "tests/support/child_process_fixture.h"

#include <chrono>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/async/file_watch.h"

namespace parlance::test {
namespace {

Task<Result<void>> as_result(Task<void> task) {
  co_await std::move(task);
  co_return Result<void>{};
}

Task<std::string> all_of(ByteStream& stream) {
  std::string text;
  char buffer[64 << 10];
  for (;;) {
    const auto bytes = co_await read_some(stream, buffer);
    if (!bytes || *bytes == 0) co_return bytes ? text : text + "<" + bytes.error().message + ">";
    text.append(buffer, *bytes);
  }
}

Task<std::string> line_of(ByteStream& stream) {
  std::string line;
  for (char c = 0;;) {
    const auto bytes = co_await read_some(stream, {&c, 1});
    if (!bytes || *bytes == 0 || c == '\n') co_return line;
    line += c;
  }
}

}  // namespace

void ChildProcessTest::get(Task<void> task) {
  const auto limited = [&](Task<void> inner) -> Task<Result<void>> {
    co_return co_await with_deadline(loop, loop.now() + long_enough, as_result(std::move(inner)));
  };
  if (!loop.block_on(limited(std::move(task)))) throw std::runtime_error("nothing happened for too long");
}

void ChildProcessTest::until(const std::function<bool()>& condition, std::string_view what) {
  if (!loop.run_until(condition, long_enough)) throw std::runtime_error("waited too long for: " + std::string(what));
}
void ChildProcessTest::until_file(const std::string& path, const std::function<bool()>& condition, std::string_view what) {
  const std::filesystem::path file(path);
  const FileWatch watch(loop, file.parent_path().string(), file.filename().string(), [] {});
  until(condition, what);
}
void ChildProcessTest::until_observed(const std::function<bool()>& condition, std::string_view what) {
  for (const TimePoint limit = Clock::now() + long_enough; !condition(); loop.run_for(5ms))
    if (Clock::now() > limit) throw std::runtime_error("waited too long for: " + std::string(what));
}
void ChildProcessTest::until_ended(const std::function<std::vector<pid_t>()>& find) {
  for (std::vector<pid_t> found = find(); !found.empty(); found = find())
    for (const pid_t pid : found)
      if (!Watched(pid).ends_within()) throw std::runtime_error("waited too long for the end of process " + std::to_string(pid));
}

std::unique_ptr<ChildProcess> ChildProcessTest::start(ChildSettings settings) {
  auto child = ChildProcess::start(loop, std::move(settings));
  if (!child) throw std::runtime_error(child.error().message);
  return *std::move(child);
}
std::unique_ptr<ChildProcess> ChildProcessTest::shell(std::string script) {
  return start({.command = {"/bin/sh", "-c", std::move(script)}});
}
Error ChildProcessTest::start_error(ChildSettings settings) {
  auto child = ChildProcess::start(loop, std::move(settings));
  return child ? Error{Errc::internal, "it started"} : child.error();
}

std::string ChildProcessTest::read_all(ByteStream& stream) { return get(all_of(stream)); }
std::string ChildProcessTest::read_line(ByteStream& stream) { return get(line_of(stream)); }
std::string ChildProcessTest::output_of(ChildSettings settings) {
  const auto child = start(std::move(settings));
  const auto stream = child->take_stream();
  stream->close_output();
  return read_all(*stream);
}

Watched::Watched(pid_t pid) : fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
Watched::~Watched() {
  if (fd_ >= 0) ::close(fd_);
}
bool Watched::ends_within(std::chrono::milliseconds time) const {
  if (fd_ < 0) return true;
  pollfd watched{.fd = fd_, .events = POLLIN, .revents = 0};
  return ::poll(&watched, 1, static_cast<int>(time.count())) == 1;
}

std::size_t open_descriptors() {
  const auto entries = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

bool have_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Processor time of our side of Claude Code's protocol.
//
// `bench_claude lines`: 10,000 stream lines through a pipe, read and mapped to events. Median of 21, in ms of processor time.
// `bench_claude latency NODE AGENT`: round trips of can_use_tool. The scripted agent prints the percentiles.
// `bench_claude floor NODE AGENT`: the same with a host of bare C that blocks in read, for the time of machine and agent.
// `bench_claude sessions NODE AGENT N`: N parallel sessions. Lost lines, resident KiB of each session, growth since the first round.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "measure.h"
#include "parlance/async/channel.h"
#include "parlance/base/text.h"
#include "parlance/driver/claude/events.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/framed_stream.h"

namespace {

using namespace parlance;

// Maps lines like the agent of the hub, and keeps only counts.
struct Handler final : claude::HostHandler, driver::ClaudeEvents::Sink {
  void on_line(const claude::StreamLine& line) override {
    ++lines;
    events.line(line);
  }
  Task<Result<claude::PermissionResult>> can_use_tool(const claude::CanUseTool&) override {
    co_return claude::PermissionResult{claude::Allow{}};
  }
  Task<Result<wire::Raw>> hook_callback(claude::HookCallback) override { co_return wire::Raw{"{}"}; }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage) override { co_return claude::McpReply{}; }
  void emit(hub::EventBody body) override { bytes += hub::weight_of(body); }
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {
    ++results;
    if (ended != nullptr) ended->notify_all();
  }

  driver::ClaudeEvents events{*this};
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;
  int results = 0;
  Signal* ended = nullptr;  // called at every result
};

Task<void> run(claude::Host& host) { static_cast<void>(co_await host.run()); }

double thread_cpu_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

int lines() {
  constexpr int count = 10'000;
  const std::string line =
      R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}},)"
      R"("session_id":"00000000-0000-4000-8000-0000000000aa","parent_tool_use_id":null,"uuid":"00000000-0000-4000-8000-000000000006"})"
      "\n";
  std::string all;
  for (int i = 0; i < count; ++i) all += line;
  std::vector<double> took;
  for (int round = 0; round < 21; ++round) {
    int there[2];
    int back[2];
    if (::pipe(there) != 0 || ::pipe(back) != 0) return 1;
    Loop loop;
    Handler handler;
    claude::Host host(loop, framed_stream(loop, fd_stream(loop, there[0], back[1], "agent", ReadWait::looking), line_framing()),
                      handler);
    std::thread writer([&] {
      for (std::size_t sent = 0; sent < all.size();) {
        const ssize_t n = ::write(there[1], all.data() + sent, all.size() - sent);
        if (n <= 0) break;
        sent += static_cast<std::size_t>(n);
      }
      ::close(there[1]);
    });
    const double begun = thread_cpu_ms();
    loop.block_on(run(host));
    took.push_back(thread_cpu_ms() - begun);
    writer.join();
    ::close(back[0]);
    if (handler.lines != count || handler.bytes < count * 5ULL) return 1;
  }
  std::sort(took.begin(), took.end());
  std::printf("lines %d cpu_ms median %.2f least %.2f most %.2f\n", count, took[took.size() / 2], took.front(), took.back());
  return 0;
}

claude::Launch launch(const char* node, const char* agent, const std::string& script, const std::string& log, const char* n) {
  claude::Launch launch{.command = {node, agent}, .allow_bypass = false};
  launch.environment = {{"FAKE_SCRIPT", script}, {"FAKE_LOG", log}, {"FAKE_QUIET", "1"}, {"FAKE_N", n}};
  return launch;
}

void print_percentiles(const std::string& log) {
  std::ifstream latency(log + ".latency");
  std::string text;
  std::getline(latency, text);
  ::unlink((log + ".latency").c_str());
  std::printf("latency %s\n", text.c_str());
}

Task<void> first_result(const Handler& handler) {
  while (handler.results == 0) co_await handler.ended->wait();
}

int latency(const char* node, const char* agent) {
  const std::string log = "/tmp/parlance-bench-" + std::to_string(::getpid());
  Loop loop;
  Handler handler;
  auto host = claude::Host::spawn(loop, launch(node, agent, "latency", log, "10000"), handler);
  if (!host) return 1;
  Scope scope(loop);
  scope.start(run(**host));
  Signal ended(loop);
  handler.ended = &ended;
  if (!(*host)->send_text("go")) return 1;
  loop.block_on(first_result(handler));
  print_percentiles(log);
  scope.cancel();
  return 0;
}

// The minimum of a host that waits in the kernel. Bare C: no JSON is read, and an answer consists of three pieces.
int floor(const char* node, const char* agent) {
  const std::string log = "/tmp/parlance-bench-" + std::to_string(::getpid());
  int in[2];
  int out[2];
  if (::pipe(in) != 0 || ::pipe(out) != 0) return 1;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    for (const int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
    for (const auto& [name, value] : launch(node, agent, "latency", log, "10000").environment)
      ::setenv(name.c_str(), value.c_str(), 1);
    ::execlp(node, node, agent, nullptr);
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  const auto send = [&](std::string_view text) {
    return ::write(in[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
  };
  if (!send(R"({"type":"user","message":{"role":"user","content":"go"}})"
            "\n"))
    return 1;
  static char buffer[1 << 16];
  std::size_t size = 0;
  for (bool ended = false; !ended;) {
    const ssize_t n = ::read(out[0], buffer + size, sizeof buffer - size);
    if (n <= 0) return 1;
    size += static_cast<std::size_t>(n);
    BytesView rest(buffer, size);
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
      const BytesView line = rest.substr(0, end);
      constexpr std::string_view key = R"("request_id":")";
      const std::size_t id = line.find(key);
      if (id == line.npos) {
        ended = ended || line.contains(R"("type":"result")");
        continue;
      }
      const BytesView value = line.substr(id + key.size(), 36);  // a UUID
      char answer[512];
      const int length = std::snprintf(answer, sizeof answer,
                                       R"({"type":"control_response","response":{"subtype":"success","request_id":"%.*s",)"
                                       R"("response":{"behavior":"allow","updatedInput":{"command":"ls"}}}})"
                                       "\n",
                                       static_cast<int>(value.size()), value.data());
      if (!send({answer, static_cast<std::size_t>(length)})) return 1;
    }
    std::memmove(buffer, rest.data(), rest.size());
    size = rest.size();
  }
  print_percentiles(log);
  ::close(in[1]);
  ::waitpid(child, nullptr, 0);
  return 0;
}

std::size_t rss_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  file >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

int sessions(const char* node, const char* agent, std::size_t count) {
  constexpr std::uint64_t flood = 2000;
  Loop loop;
  std::size_t after_first = 0;
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = rss_bytes();
    std::vector<std::unique_ptr<Handler>> handlers;
    std::vector<std::unique_ptr<claude::Host>> hosts;
    Scope scope(loop);
    for (std::size_t i = 0; i < count; ++i) {
      handlers.push_back(std::make_unique<Handler>());
      auto host = claude::Host::spawn(loop, launch(node, agent, "flood", "/dev/null", "2000"), *handlers.back());
      if (!host) return 1;
      hosts.push_back(*std::move(host));
      scope.start(run(*hosts.back()));
      if (!hosts.back()->send_text("go")) return 1;
    }
    const auto all = [&] { return std::ranges::all_of(handlers, [](const auto& one) { return one->results == 1; }); };
    loop.run_until(all);
    std::uint64_t lost = 0;
    for (const auto& one : handlers) lost += flood + 2 - one->lines;  // init and result
    const std::size_t now = rss_bytes();
    if (round == 0) after_first = now;
    std::printf("sessions %zu lost %llu rss_KiB_each %.1f growth_since_first_KiB %lld\n", count,
                static_cast<unsigned long long>(lost),
                static_cast<double>(now - std::min(now, before)) / 1024 / static_cast<double>(count),
                (static_cast<long long>(now) - static_cast<long long>(after_first)) / 1024);
    scope.cancel();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "lines";
  if (what == "lines") return lines();
  if (what == "latency" && argc > 3) return latency(argv[2], argv[3]);
  if (what == "floor" && argc > 3) return floor(argv[2], argv[3]);
  if (what == "sessions" && argc > 4)
    return sessions(argv[2], argv[3], parlance::parse_number<std::size_t>(argv[4]).value_or(100));
  std::fprintf(stderr, "usage: bench_claude lines | latency NODE AGENT | floor NODE AGENT | sessions NODE AGENT N\n");
  return 2;
}

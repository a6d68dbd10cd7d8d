// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/process_manager.h"

#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/iflow/test_support.h"
#include "parlance/transport/http/websocket_client.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Accepts silent WebSockets. Each test decides about output and the time of listening.
constexpr std::string_view server = R"js(
const http = require('http'), crypto = require('crypto');
const port = +process.argv[process.argv.indexOf('--port') + 1];
const server = http.createServer();
server.on('upgrade', (request, socket) => {
  const key = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  socket.on('data', () => socket.end());
});
server.listen(port, '127.0.0.1');
)js";

class ProcessManagerTest : public test::InstalledTest {
 protected:
  ProcessManager manager(Surroundings place = {}) {
    const Reporter report = [this](std::string_view reason) { reasons_.emplace_back(reason); };
    auto installation =
        std::make_shared<IflowInstallation>(loop, IflowInstallationSettings{.place = std::move(place), .report = report});
    return ProcessManager(loop, std::move(installation), report,
                          {.probe_delay = 20ms, .probe_interval = 20ms, .probes = 500, .patience = 30s});
  }
  // The first port for the search.
  unsigned short some_port() {
    const auto free = listen_tcp(loop, {.host = "127.0.0.1", .port = 0}, [](auto) {});
    return (*free)->port();
  }
  static std::string node() { return PARLANCE_NODE; }
  std::vector<std::string> reasons_;
};

TEST_F(ProcessManagerTest, FirstFreePortIsUsed) {
  auto taken = listen_tcp(loop, {.host = "127.0.0.1", .port = 0}, [](auto) {});
  ASSERT_TRUE(taken);
  const unsigned short port = (*taken)->port();
  EXPECT_EQ(free_port(port, 1), std::nullopt);
  const auto next = free_port(port);
  ASSERT_TRUE(next);
  EXPECT_GT(*next, port);
  EXPECT_EQ(free_port(0, 0), std::nullopt);
}

TEST_F(ProcessManagerTest, StartedProgramAnswers) {
  if (node().empty()) GTEST_SKIP() << "no node here";
  ProcessManager processes = manager();
  const auto started =
      get(processes.start({.program = node(), .script = make("entry.js", server), .port = some_port()}, folder()));
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_TRUE(started->answered);
  EXPECT_EQ(started->url, "ws://localhost:" + std::to_string(started->port) + "/acp");
  EXPECT_TRUE(processes.has_process());
  EXPECT_TRUE(get(answers_websocket(loop, started->url)));
  const test::Watched child(processes.pid());
  get(processes.stop());
  EXPECT_FALSE(processes.has_process());
  EXPECT_TRUE(child.ends_within());
  EXPECT_FALSE(get(answers_websocket(loop, started->url)));
}

TEST_F(ProcessManagerTest, StopEndsChildrenOutsideTheGroupToo) {
  const std::string program =
      make("iflow", "#!/bin/sh\nsleep 1000 & echo $! > " + path("in") + "\nsetsid sleep 1000 2>&- & echo $! > " + path("out") +
                        "\necho listening\nwait\n");
  ProcessManager processes(loop, nullptr, [](std::string_view) {},
                           {.probe_delay = 10ms, .probe_interval = 1ms, .probes = 3, .patience = 30s});
  const auto started = get(processes.start({.program = program, .port = some_port()}, folder()));
  ASSERT_TRUE(started) << started.error().message;
  until_file(path("out"), [&] { return !test::read_file(path("out")).empty(); }, "both started");
  const test::Watched inside(std::stoi(test::read_file(path("in"))));
  const test::Watched outside(std::stoi(test::read_file(path("out"))));
  get(processes.stop());
  EXPECT_TRUE(inside.ends_within());
  EXPECT_TRUE(outside.ends_within());
}

TEST_F(ProcessManagerTest, SilentProgramIsReturnedUnanswered) {
  const std::string program = make("iflow", "#!/bin/sh\necho 'listening on a port of mine'\nexec sleep 1000\n");
  ProcessManager processes(loop, nullptr, [this](std::string_view reason) { reasons_.emplace_back(reason); },
                           {.probe_delay = 30s, .probe_interval = 1ms, .probes = 3, .patience = 60s});
  const auto started =
      get(processes.start({.program = program, .port = some_port()}, folder()));  // its output avoids the wait of 30 seconds
  ASSERT_TRUE(started);
  EXPECT_FALSE(started->answered);
  EXPECT_TRUE(processes.has_process());
  EXPECT_THAT(reasons_, ::testing::Contains(HasSubstr("nobody answers at ws://localhost:")));
}

TEST_F(ProcessManagerTest, EarlyExitErrorHasTheLastOutput) {
  const std::string program = make("iflow", "#!/bin/sh\necho 'Error: port is broken' >&2\nexit 7\n");
  ProcessManager processes = manager();
  const auto started = get(processes.start({.program = program, .port = some_port()}, folder()));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, Errc::failed);
  EXPECT_THAT(started.error().message, HasSubstr("code 7"));
  EXPECT_THAT(started.error().message, HasSubstr("port is broken"));
  EXPECT_FALSE(processes.has_process());
  EXPECT_EQ(get(processes.start({.program = "/no/such/node"}, folder())).error().code, Errc::not_found);
}

TEST_F(ProcessManagerTest, UnreadOutputDoesNotBlockTheProgram) {
  const std::string program =
      make("iflow", "#!/bin/sh\nhead -c 1000000 /dev/zero\ntouch " + path("done") + "\nexec sleep 1000\n");
  ProcessManager processes(loop, nullptr, [](std::string_view) {},
                           {.probe_delay = 1ms, .probe_interval = 1ms, .probes = 1, .patience = 30s});
  ASSERT_TRUE(get(processes.start({.program = program, .port = some_port()}, folder())));
  until_file(path("done"), [&] { return fs::exists(path("done")); }, "all of it was read");
}

TEST_F(ProcessManagerTest, DestroyedStartLeavesNoProcess) {
  const std::string program = make("iflow", "#!/bin/sh\necho $$ > " + path("pid") + "\nexec sleep 1000\n");
  std::optional<test::Watched> child;
  {
    ProcessManager processes(loop, nullptr, [](std::string_view) {}, {.probe_delay = 60s, .patience = 60s});
    Scope scope(loop);
    scope.start([](ProcessManager& of, StartInfo info) -> Task<void> { co_await of.start(std::move(info), ""); }(
                                                           processes, {.program = program, .port = some_port()}));
    until_file(path("pid"), [&] { return !test::read_file(path("pid")).empty(); }, "it runs");
    child.emplace(std::stoi(test::read_file(path("pid"))));
  }
  EXPECT_TRUE(child->ends_within());
}

TEST_F(ProcessManagerTest, TheWayToStartIsFoundInThreeSteps) {
  const std::string script = make("bin/app/cli.js", "#!/usr/bin/env node\n");
  fs::create_symlink("app/cli.js", path("bin/iflow"));
  const std::string own = make("bin/node", "#!/bin/sh\n");
  ProcessManager processes = manager({.path = path("bin")});
  const auto configured = get(processes.resolve_start_mode("/opt/node/bin/node", 9'000));
  ASSERT_TRUE(configured);
  EXPECT_EQ(configured->program, "/opt/node/bin/node");
  EXPECT_EQ(configured->script, fs::canonical(script));
  EXPECT_EQ(configured->port, 9'000);
  const auto detected = get(processes.resolve_start_mode("", 9'000));
  ASSERT_TRUE(detected);
  EXPECT_EQ(detected->program, own);

  fs::remove(path("bin/iflow"));
  EXPECT_TRUE(get(processes.resolve_start_mode(""))) << "what was detected is remembered";
  processes.clear_auto_detect_cache();
  EXPECT_FALSE(get(processes.resolve_start_mode("")));
  EXPECT_EQ(get(processes.start_alone(9'000, "")).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::driver

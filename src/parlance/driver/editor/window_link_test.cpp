// SPDX-License-Identifier: Apache-2.0
// Hand-written windows: acceptance, the greeting, and the handling of silent or closed windows.
#include "parlance/driver/editor/window_link.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
namespace method = editor::method;

constexpr WindowTimes quick{.heartbeat = 20ms, .pulse = 500ms, .first_wait = 10ms, .most_wait = 40ms, .request = 5s};

struct Windows : ::testing::Test {
  fs::path folder = fs::temp_directory_path() / ("window_link_" + std::to_string(::getpid()));
  Loop loop;
  Router router;
  std::vector<editor::Initialize> greeted;
  int pings = 0;
  int connections = 0;
  bool answers_pings = true;
  std::vector<std::unique_ptr<Peer>> peers;
  std::unique_ptr<Listener> listener;
  std::vector<std::unique_ptr<WindowLink>> windows;  // until their tasks have ended
  Scope scope{loop};

  void SetUp() override {
    fs::create_directories(folder);
    router.on(method::initialize, [this](const editor::Initialize& begin, Context&) -> Result<editor::Initialized> {
      greeted.push_back(begin);
      return editor::Initialized{.editor = {.name = "hand"}};
    });
    router.on(method::ping, [this](const wire::Nothing&, Context&) { return answer_ping(); });
    router.on(method::workspace_folder, [](const wire::Nothing&, Context&) -> Result<editor::WorkspaceFolder> {
      return editor::WorkspaceFolder{.folder = "/w"};
    });
    router.on(method::active_file, [this](const wire::Nothing&, Context&) { return never(); });
  }
  void TearDown() override {
    scope.cancel();
    listener.reset();
    peers.clear();
    fs::remove_all(folder);
  }

  Task<Result<editor::Pong>> answer_ping() {
    ++pings;
    if (!answers_pings) co_await sleep_for(loop, 1h);
    co_return editor::Pong{};
  }
  Task<Result<editor::ActiveFile>> never() {
    co_await sleep_for(loop, 1h);
    co_return editor::ActiveFile{};
  }
  OnConnection serve() {
    return [this](std::unique_ptr<ByteStream> stream) {
      ++connections;
      peers.push_back(
          std::make_unique<Peer>(loop, framed_stream(loop, std::move(stream), line_framing()), editor::dialect(), router));
      scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(*peers.back()));
    };
  }
  std::string socket() const { return (folder / "s").string(); }
  void open() { listener = *listen_unix(loop, socket(), serve()); }
  void hang_up() {
    for (const auto& peer : peers) peer->close();
  }
  WindowSettings settings() const { return {.address = {.socket = "unix:" + socket()}, .ours = {.name = "t"}, .times = quick}; }
  WindowLink& make(WindowSettings wanted) {
    windows.push_back(std::make_unique<WindowLink>(loop, std::move(wanted)));
    return *windows.back();
  }
  void begin(WindowLink& window) { scope.start(window.run()); }
  void until(const std::function<bool()>& condition, const char* what) {
    loop.run_until(condition);
    ASSERT_TRUE(condition()) << what;
  }
};
using WindowLinkTest = Windows;

TEST_F(WindowLinkTest, ConnectsOnTheFirstTryWithItsToken) {
  open();
  WindowSettings wanted = settings();
  wanted.address.token = "secret";
  WindowLink& window = make(std::move(wanted));
  EXPECT_EQ(loop.block_on(window.editor().ping()).error().code, Errc::not_found) << "nothing is connected before run()";
  begin(window);
  loop.block_on(window.tried());
  EXPECT_EQ(*loop.block_on(window.editor().workspace_folder()), "/w");
  ASSERT_EQ(greeted.size(), 1U);
  EXPECT_EQ(greeted[0].token, "secret");
  EXPECT_EQ(greeted[0].client->name, "t");
}

TEST_F(WindowLinkTest, MissingWindowIsNoEditor) {
  WindowLink& window = make(settings());
  begin(window);
  loop.block_on(window.tried());
  EXPECT_EQ(loop.block_on(window.editor().ping()).error().message, "No editor is connected");
  EXPECT_NE(window.why_not().message.find(socket()), std::string::npos) << window.why_not().message;
  open();
  until([&] { return window.peer() != nullptr; }, "it is found when it comes");
  EXPECT_TRUE(loop.block_on(window.editor().ping()));
}

TEST_F(WindowLinkTest, WaitingCallsFailAtOnceAndTheLinkReconnects) {
  open();
  int times = 0;
  WindowSettings wanted = settings();
  wanted.connected = [&times] { ++times; };
  WindowLink& window = make(std::move(wanted));
  begin(window);
  loop.block_on(window.tried());
  std::optional<Error> failure;
  scope.start([](hub::Editor& there, std::optional<Error>& into) -> Task<void> {
    const auto file = co_await there.active_file();
    into = file.error();
  }(window.editor(), failure));
  loop.run_for(10ms);
  hang_up();
  until([&] { return failure.has_value(); }, "it fails");
  EXPECT_EQ(failure->code, Errc::disconnected);
  until([&] { return times == 2; }, "it is connected again");
  EXPECT_TRUE(loop.block_on(window.editor().ping()));
}

TEST_F(WindowLinkTest, MissedHeartbeatEndsTheConnection) {
  open();
  WindowLink& window = make(settings());
  begin(window);
  until([&] { return pings >= 3; }, "it is asked again and again");
  EXPECT_EQ(connections, 1);
  answers_pings = false;
  until([&] { return connections >= 2; }, "another connection is made");
  answers_pings = true;
  until([&] { return window.peer() != nullptr; }, "and it lives");
}

TEST_F(WindowLinkTest, TriesComeSlowerAndSlower) {
  listener = *listen_unix(loop, socket(), [this](std::unique_ptr<ByteStream>) { ++connections; });  // hangs up on everybody
  WindowLink& window = make(settings());
  begin(window);
  const auto begun = std::chrono::steady_clock::now();
  until([&] { return connections >= 6; }, "it is tried again and again");
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 10ms + 20ms + 40ms + 40ms + 40ms);
}

TEST_F(WindowLinkTest, FirstVersionEditorIsAccepted) {
  Router first;
  first.on_unknown([](std::string_view name) { return Error{Errc::unknown_method, "Method not found: " + std::string(name)}; });
  first.on(method::workspace_folder, [](const wire::Nothing&, Context&) -> Result<editor::WorkspaceFolder> {
    return editor::WorkspaceFolder{.folder = "/old"};
  });
  std::unique_ptr<Peer> old;
  listener = *listen_unix(loop, socket(), [&](std::unique_ptr<ByteStream> stream) {
    old = std::make_unique<Peer>(loop, framed_stream(loop, std::move(stream), line_framing()), editor::dialect(), first);
    scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(*old));
  });
  WindowLink& window = make(settings());
  begin(window);
  loop.block_on(window.tried());
  EXPECT_EQ(*loop.block_on(window.editor().workspace_folder()), "/old");
  loop.run_for(100ms);  // several heartbeats, each answered with an error
  EXPECT_NE(window.peer(), nullptr);
  scope.cancel();
}

// Another user's listener: exits with the number of received bytes.
pid_t listen_as_other_user(const std::string& path) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  sockaddr_un address{.sun_family = AF_UNIX};
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  char received[16];
  if (::setuid(65534) != 0 || ::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, 1) != 0)
    ::_exit(99);
  ::_exit(static_cast<int>(::read(::accept(listener, nullptr, nullptr), received, sizeof received)));
}

TEST_F(WindowLinkTest, ASocketOfAnotherUserIsNotSpokenTo) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can listen as another user";
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
  const pid_t listener = listen_as_other_user(socket());
  WindowLink& window = make(settings());
  begin(window);
  until([&] { return window.why_not().code == Errc::denied; }, "it is refused");
  EXPECT_EQ(window.peer(), nullptr);
  int status = -1;
  ASSERT_EQ(::waitpid(listener, &status, 0), listener);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "not a byte was said";
}

TEST(WindowAddress, AddressMustBeLocal) {
  EXPECT_EQ(window_address("unix:/run/x/editor.sock", "")->socket, "unix:/run/x/editor.sock");
  EXPECT_EQ(window_address("tcp:127.0.0.1:4711", "t")->token, "t");
  EXPECT_TRUE(window_address("tcp:[::1]:4711", "t"));
  const auto code = [](const char* socket, const char* token) { return window_address(socket, token).error().code; };
  EXPECT_EQ(code("tcp:192.0.2.1:4711", "t"), Errc::denied);
  EXPECT_EQ(code("tcp:127.evil.example:4711", "t"), Errc::denied);
  EXPECT_EQ(code("tcp:127.0.0.1:4711", ""), Errc::invalid_params);
  EXPECT_EQ(code("tcp:127.0.0.1", "t"), Errc::invalid_params);
  EXPECT_EQ(code("unix:relative", ""), Errc::invalid_params);
  EXPECT_EQ(code("/no/scheme", ""), Errc::invalid_params);
}

TEST(WindowAddress, IsAnnouncedByTheEnvironment) {
  ::unsetenv("PARLANCE_EDITOR_SOCKET");
  EXPECT_FALSE(announced_window()->has_value());
  ::setenv("PARLANCE_EDITOR_SOCKET", "tcp:127.0.0.1:1", 1);
  EXPECT_NE(announced_window().error().message.find("PARLANCE_EDITOR_TOKEN"), std::string::npos);
  ::setenv("PARLANCE_EDITOR_TOKEN", "t", 1);
  EXPECT_EQ((*announced_window())->token, "t");
  ::unsetenv("PARLANCE_EDITOR_SOCKET");
  ::unsetenv("PARLANCE_EDITOR_TOKEN");
}

}  // namespace
}  // namespace parlance::driver

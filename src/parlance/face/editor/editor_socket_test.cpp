// SPDX-License-Identifier: Apache-2.0
// A window's socket with programs of its terminals, and with foreign connections.
#include "parlance/face/editor/editor_socket.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/driver/editor/bridge_client.h"
#include "parlance/driver/editor/window_link.h"
#include "parlance/face/editor/editor_over_bridge.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Over = EditorSocketSettings::Over;

unsigned mode(const fs::path& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
}
std::string message(std::string_view method, std::string_view params = "{}") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}\n";
}

struct Sockets : ::testing::Test {
  Loop loop;
  Router router;
  std::unique_ptr<hub::Editor> mock = hub::mock_editor();
  std::vector<std::unique_ptr<driver::WindowLink>> windows;  // until their tasks have ended
  Scope scope{loop};

  void SetUp() override { serve_editor(router, *mock, {.name = "mock", .version = "1"}); }
  void TearDown() override { scope.cancel(); }

  std::unique_ptr<EditorSocket> listen(Over over, Duration first_line = 10s) {
    auto made = EditorSocket::listen(loop, router, {.over = over, .first_line = first_line});
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
  std::unique_ptr<ByteStream> connect(const EditorSocket& socket) {
    auto stream = loop.block_on(connect_to(loop, socket.address()));
    EXPECT_TRUE(stream) << stream.error().message;
    return *std::move(stream);
  }
  // The answer to these bytes, until the end of the connection or the given number of `lines`.
  std::string answer(const EditorSocket& socket, std::string_view bytes, std::size_t lines = 0) {
    const auto stream = connect(socket);
    stream->try_write(bytes);
    std::string all;
    const auto read = [](ByteStream& from, std::string& into, std::size_t most) -> Task<Result<void>> {
      std::string buffer(4096, '\0');
      for (;;) {
        const auto got = co_await read_some(from, buffer);
        if (!got || *got == 0) co_return Result<void>{};
        into.append(buffer, 0, *got);
        if (most != 0 && static_cast<std::size_t>(std::ranges::count(into, '\n')) >= most) co_return Result<void>{};
      }
    };
    const auto whole = [&]() -> Task<Result<void>> {
      co_return co_await with_deadline(loop, loop.now() + 5s, read(*stream, all, lines));
    };
    EXPECT_TRUE(loop.block_on(whole())) << "the connection was to end";
    return all;
  }
  driver::WindowLink& begin(driver::WindowSettings wanted) {
    windows.push_back(std::make_unique<driver::WindowLink>(loop, std::move(wanted)));
    scope.start(windows.back()->run());
    return *windows.back();
  }
  static driver::WindowSettings settings(const EditorSocket& socket) {
    return {.address = {.socket = socket.address(), .token = socket.token()}, .ours = {.name = "t"}};
  }
};
using EditorSocketTest = Sockets;

TEST_F(EditorSocketTest, AUnixSocketIsForThisUserAlone) {
  const fs::path runtime = fs::temp_directory_path() / ("editor_socket_" + std::to_string(::getpid()));
  fs::create_directories(runtime);
  ::setenv("XDG_RUNTIME_DIR", runtime.c_str(), 1);
  auto socket = listen(Over::unix_socket);
  auto other = listen(Over::unix_socket);
  ASSERT_TRUE(socket->address().starts_with("unix:" + runtime.string() + "/parlance-editor-")) << socket->address();
  EXPECT_NE(socket->address(), other->address()) << "each window has its own";
  const fs::path path = socket->address().substr(5);
  EXPECT_EQ(mode(path), 0600U);
  EXPECT_EQ(mode(path.parent_path()), 0700U);
  EXPECT_EQ(socket->token().size(), 43U) << "256 bits";
  socket.reset();
  other.reset();
  EXPECT_TRUE(fs::is_empty(runtime)) << "nothing is left";
  ::unsetenv("XDG_RUNTIME_DIR");
  fs::remove_all(runtime);
}

TEST_F(EditorSocketTest, OurProgramsFindTheEditorEitherWay) {
  for (const Over over : {Over::unix_socket, Over::tcp}) {
    const auto socket = listen(over);
    driver::WindowLink& window = begin(settings(*socket));
    loop.block_on(window.tried());
    EXPECT_EQ(*loop.block_on(window.editor().workspace_folder()), "/path/to/project") << window.why_not().message;
    EXPECT_EQ(socket->connections(), 1U);
    scope.cancel();
  }
}

TEST_F(EditorSocketTest, ProgramWithoutALoopConnectsToo) {
  const auto socket = listen(Over::tcp);
  driver::BridgeClient client(settings(*socket));
  ASSERT_TRUE(client.start());
  std::optional<Result<std::string>> first;
  const std::jthread program([&] { loop.post([&, answer = client.send_request("getWorkspaceFolder")] { first = answer; }); });
  ASSERT_TRUE(loop.run_until([&] { return first.has_value(); }));
  EXPECT_EQ((*first).value_or("failed"), R"({"success":true,"folder":"/path/to/project"})");
  client.stop();
  EXPECT_EQ(client.send_request("ping").error().code, Errc::disconnected);
}

TEST_F(EditorSocketTest, TcpWithoutTheTokenIsRefused) {
  const auto socket = listen(Over::tcp);
  EXPECT_TRUE(socket->address().starts_with("tcp:127.0.0.1:"));
  driver::WindowSettings wrong = settings(*socket);
  wrong.address.token.back() = wrong.address.token.back() == 'x' ? 'y' : 'x';
  driver::WindowLink& window = begin(std::move(wrong));
  loop.block_on(window.tried());
  EXPECT_EQ(window.peer(), nullptr);
  EXPECT_EQ(loop.block_on(window.editor().ping()).error().code, Errc::not_found);
}

TEST_F(EditorSocketTest, OverTcpAnythingButInitializeEndsTheConnection) {
  const auto socket = listen(Over::tcp);
  const std::string token = R"({"protocol":1,"token":")" + socket->token() + "\"}";
  for (const std::string& first :
       {message("ping"), message("initialize"), message("initialize", R"({"token":"no"})"),
        message("initialize", R"({"token":7})"), message("getActiveFile", token), std::string("GET / HTTP/1.1\r\n\r\n"),
        std::string("[]\n"), std::string(R"({"jsonrpc":"2.0","method":"log","params":{"level":"info","message":"m"}})") + "\n"}) {
    const std::string reply = answer(*socket, first + message("getActiveFile"));
    EXPECT_EQ(reply.find("main.cpp"), std::string::npos) << first << reply;
    EXPECT_NE(reply.find("PARLANCE_EDITOR_TOKEN"), std::string::npos) << first << reply;
  }
  EXPECT_NE(answer(*socket, message("initialize", token) + message("getActiveFile"), 2).find("main.cpp"), std::string::npos);
}

TEST_F(EditorSocketTest, SilentTcpConnectionTimesOut) {
  const auto socket = listen(Over::tcp, 300ms);
  EXPECT_EQ(answer(*socket, ""), "");
  EXPECT_EQ(answer(*socket, R"({"jsonrpc":)"), "") << "half a line is no line";
  const std::string token = R"({"token":")" + socket->token() + "\"}";
  const auto known = connect(*socket);
  known->try_write(message("initialize", token));
  loop.run_for(500ms);
  EXPECT_EQ(socket->connections(), 1U) << "who is known may be silent";
}

TEST_F(EditorSocketTest, MalformedMessageEndsTheConnection) {
  const auto socket = listen(Over::unix_socket);
  EXPECT_EQ(answer(*socket, "GET / HTTP/1.1\r\n\r\n" + message("ping")), "");
  EXPECT_NE(answer(*socket, message("ping"), 1).find("pong"), std::string::npos);
}

TEST_F(EditorSocketTest, NumberOfConnectionsIsBounded) {
  auto made = EditorSocket::listen(loop, router, {.connections = 2});
  ASSERT_TRUE(made);
  const auto first = connect(**made);
  const auto second = connect(**made);
  loop.run_for(20ms);
  EXPECT_EQ(answer(**made, message("ping")), "");
}

TEST_F(EditorSocketTest, EndOfTheEditorIsReportedAtOnce) {
  auto socket = listen(Over::unix_socket);
  driver::WindowLink& window = begin(settings(*socket));
  loop.block_on(window.tried());
  ASSERT_NE(window.peer(), nullptr);
  socket.reset();
  loop.run_until([&] { return window.peer() == nullptr; });
  EXPECT_EQ(window.peer(), nullptr);
  EXPECT_EQ(loop.block_on(window.editor().ping()).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::face

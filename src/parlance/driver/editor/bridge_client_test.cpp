// SPDX-License-Identifier: Apache-2.0
// The client against a hand-written editor over two pipes: answers out of order, late, repeated, unsolicited, and missing.
#include "parlance/driver/editor/bridge_client.h"

#include <array>
#include <chrono>
#include <csignal>
#include <future>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/driver/editor/mode.h"
#include "parlance/transport/fd_stream.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct ByHand {
  int to_client[2];
  int from_client[2];
  std::vector<std::string> typed;
  std::unique_ptr<BridgeClient> client;
  std::string read_so_far;

  explicit ByHand(EditorHandlers handlers = {}) {
    std::signal(SIGPIPE, SIG_IGN);
    EXPECT_TRUE(::pipe(to_client) == 0 && ::pipe(from_client) == 0);
    client = std::make_unique<BridgeClient>(
        [this](Loop& loop) -> Result<std::unique_ptr<ByteStream>> {
          return fd_stream(loop, to_client[0], from_client[1], "editor");
        },
        std::move(handlers));
    EXPECT_TRUE(client->start());
  }
  ~ByHand() {
    client.reset();
    hang_up();
    ::close(from_client[0]);
  }
  void say(const std::string& line) {
    const std::string whole = line + "\n";
    for (std::size_t at = 0; at < whole.size();) {
      const ssize_t wrote = ::write(to_client[1], whole.data() + at, whole.size() - at);
      if (wrote <= 0) return;
      at += static_cast<std::size_t>(wrote);
    }
  }
  void hang_up() {
    if (to_client[1] >= 0) ::close(to_client[1]);
    to_client[1] = -1;
  }
  std::string receive() {
    for (;;) {
      if (const std::size_t end = read_so_far.find('\n'); end != std::string::npos) {
        const std::string line = read_so_far.substr(0, end);
        read_so_far.erase(0, end + 1);
        return line;
      }
      std::array<char, 4096> piece;
      const ssize_t got = ::read(from_client[0], piece.data(), piece.size());
      if (got <= 0) return {};
      read_so_far.append(piece.data(), static_cast<std::size_t>(got));
    }
  }
  std::future<Result<std::string>> ask(std::string method, std::chrono::milliseconds timeout = 10s) {
    return std::async(std::launch::async, [this, method, timeout] { return client->send_request(method, "{}", timeout); });
  }
};

std::string answer(int id, const std::string& result = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}";
}

TEST(BridgeClient, RequestAndAnswer) {
  ByHand editor;
  auto waiting = editor.ask("getActiveFile");
  EXPECT_EQ(editor.receive(), R"({"jsonrpc":"2.0","id":1,"method":"getActiveFile","params":{}})");
  editor.say(answer(1, R"({"success":true})"));
  EXPECT_EQ(*waiting.get(), R"({"success":true})");
}

TEST(BridgeClient, ErrorHasItsCode) {
  ByHand editor;
  auto waiting = editor.ask("x");
  editor.receive();
  editor.say(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}})");
  const auto outcome = waiting.get();
  EXPECT_EQ(outcome.error().message, "RPC Error: Internal error");
  EXPECT_NE(outcome.error().data.find("-32603"), std::string::npos);
}

TEST(BridgeClient, SixtyFourInFlightAnsweredInReverse) {
  ByHand editor;
  std::vector<std::future<Result<std::string>>> waiting;
  for (int i = 1; i <= 64; ++i) {
    waiting.push_back(editor.ask("m" + std::to_string(i)));
    editor.receive();  // so that ids follow the order of the calls
  }
  for (int i = 64; i >= 1; --i) editor.say(answer(i, std::to_string(i)));
  for (int i = 1; i <= 64; ++i) EXPECT_EQ(*waiting[static_cast<std::size_t>(i - 1)].get(), std::to_string(i));
}

TEST(BridgeClient, LateAnswerIsDroppedAndReported) {
  std::vector<std::string> dropped;  // called on the client's thread
  ByHand editor({.diagnose = [&](std::string_view line) {
    if (line.contains("Dropped")) dropped.emplace_back(line.substr(line.find_last_of(' ') + 1));
  }});
  auto late = editor.ask("slow", 30ms);
  editor.receive();
  EXPECT_EQ(late.get().error().message, "No response for 'slow' after 0.03s");
  EXPECT_EQ(editor.receive(), R"({"jsonrpc":"2.0","method":"cancel","params":{"id":1}})");
  editor.say(answer(1, R"("late")"));
  editor.say(answer(99, R"("unrelated")"));
  editor.say(R"({"jsonrpc":"2.0","id":"2","result":"text is no number"})");
  auto next = editor.ask("next");
  editor.receive();
  editor.say(R"({"jsonrpc":"2.0","id":"2","result":"text is no number"})");
  editor.say(answer(2, R"("right")"));
  editor.say(answer(2, R"("twice")"));
  EXPECT_EQ(*next.get(), R"("right")");
  editor.client->stop();
  dropped.resize(4);  // the second of two answers may arrive after `stop`
  EXPECT_EQ(dropped, (std::vector<std::string>{"1", "99", "\"2\"", "\"2\""}));
}

TEST(BridgeClient, EndOfInputFailsAllWaitingRequests) {
  ByHand editor;
  std::vector<std::future<Result<std::string>>> waiting;
  for (int i = 0; i < 10; ++i) waiting.push_back(editor.ask("m"));
  for (int i = 0; i < 10; ++i) editor.receive();
  editor.hang_up();
  for (auto& call : waiting) {
    const Error error = call.get().error();
    EXPECT_EQ(error.code, Errc::disconnected);
    EXPECT_TRUE(is_no_response(error));
  }
  EXPECT_EQ(editor.client->send_request("after").error().code, Errc::disconnected);
}

TEST(BridgeClient, StopIsIdempotentAndFailsWaitingRequests) {
  ByHand editor;
  auto waiting = editor.ask("m", 0ms);
  editor.receive();
  editor.client->stop();
  EXPECT_EQ(waiting.get().error().code, Errc::disconnected);
  editor.client->stop();
  EXPECT_EQ(editor.client->send_request("m").error().code, Errc::disconnected);
}

// The editor does not read: 1 MiB exceeds the buffer of a pipe. Its answers still arrive.
TEST(BridgeClient, AnswersArriveFromAnEditorWithoutReads) {
  ByHand editor;
  auto first = editor.ask("first");
  editor.receive();
  editor.client->print(std::string(1 << 20, 'x') + "\n");
  editor.say(answer(1));
  EXPECT_EQ(first.wait_for(5s), std::future_status::ready);
}

TEST(BridgeClient, TypedLinesAndAnswersShareTheStreamWithoutALoss) {
  std::vector<std::string> typed;
  ByHand editor({.typed = [&typed](std::string line) { typed.push_back(std::move(line)); }});
  constexpr int many = 1000;
  std::thread hand([&editor] {
    for (int i = 1; i <= many; ++i) {
      editor.receive();
      editor.say("line " + std::to_string(i));
      editor.say(answer(i, std::to_string(i)));
    }
  });
  for (int i = 1; i <= many; ++i) ASSERT_EQ(editor.client->send_request("m").value_or(""), std::to_string(i));
  hand.join();
  editor.client->stop();
  ASSERT_EQ(typed.size(), static_cast<std::size_t>(many));
  for (int i = 1; i <= many; ++i) EXPECT_EQ(typed[static_cast<std::size_t>(i - 1)], "line " + std::to_string(i));
}

TEST(BridgeClient, ParametersAreAnObject) {
  ByHand editor;
  EXPECT_EQ(editor.client->send_request("m", "[]").error().code, Errc::invalid_params);
  EXPECT_EQ(editor.client->send_request("m", "{").error().code, Errc::invalid_params);
}

// A killed program ends its calls with its pipes.
TEST(BridgeClient, KilledEditorFailsAllWaitingRequests) {
  int to_client[2];
  int from_client[2];
  ASSERT_TRUE(::pipe(to_client) == 0 && ::pipe(from_client) == 0);
  const pid_t editor = ::fork();
  if (editor == 0) {
    ::close(to_client[0]);
    ::close(from_client[1]);
    for (;;) ::pause();
  }
  ::close(to_client[1]);
  ::close(from_client[0]);
  BridgeClient client(
      [&](Loop& loop) -> Result<std::unique_ptr<ByteStream>> { return fd_stream(loop, to_client[0], from_client[1], "editor"); });
  ASSERT_TRUE(client.start());
  auto waiting = std::async(std::launch::async, [&client] { return client.send_request("m", "{}", 0ms); });
  EXPECT_EQ(waiting.wait_for(50ms), std::future_status::timeout);
  ::kill(editor, SIGKILL);
  EXPECT_EQ(waiting.get().error().code, Errc::disconnected);
  ::waitpid(editor, nullptr, 0);
}

TEST(BridgeClient, MissingWindowErrorNamesTheSocket) {
  BridgeClient client(WindowSettings{.address = {.socket = "unix:/no/such/window.sock"}});
  ASSERT_TRUE(client.start());
  const auto outcome = client.send_request("ping");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Errc::disconnected);
  EXPECT_NE(outcome.error().message.find("/no/such/window.sock"), std::string::npos) << outcome.error().message;
  client.stop();
}

TEST(EditorMode, DebugAgentPrintsContentsOnlyAtLevel2) {
  for (const auto& [value, lines, contents] : std::vector<std::tuple<const char*, bool, bool>>{
           {"", false, false}, {"1", true, false}, {"true", true, false}, {"2", true, true}, {"22", true, false}}) {
    ::setenv("DEBUG_AGENT", value, 1);
    EXPECT_EQ(static_cast<bool>(debug_lines()), lines) << value;
    EXPECT_EQ(debug_contents(), contents) << value;
  }
  ::unsetenv("DEBUG_AGENT");
}

TEST(EditorMode, EnvironmentAloneDecidesTheMode) {
  for (const auto& [value, expected] :
       std::vector<std::pair<const char*, bool>>{{"true", true}, {"TRUE", true}, {"1", false}, {"", false}}) {
    ::setenv("VSCODE_INTEGRATION", value, 1);
    EXPECT_EQ(is_vscode_mode(), expected) << value;
  }
  ::unsetenv("VSCODE_INTEGRATION");
  EXPECT_FALSE(is_vscode_mode());
  EXPECT_EQ(send_vscode_request("ping").error().message, "Not in VSCode integration mode");
}

TEST(EditorMode, NoticesUseTheLocaleEvenIfNotInstalled) {
  ::unsetenv("LC_ALL");
  ::unsetenv("LC_MESSAGES");
  ::setenv("LANG", "zh_CN.UTF-8", 1);
  EXPECT_NE(started_notice().find("RPC 客户端已启动"), std::string_view::npos);
  EXPECT_EQ(no_response_notice(), "VSCode 没有响应");
  ::setenv("LC_MESSAGES", "en_US.UTF-8", 1);
  EXPECT_EQ(started_notice(), "✓ RPC client started (VSCode integration mode)");
  EXPECT_EQ(no_response_notice(), "VSCode does not respond");
  ::unsetenv("LC_MESSAGES");
  ::unsetenv("LANG");
}

}  // namespace
}  // namespace parlance::driver

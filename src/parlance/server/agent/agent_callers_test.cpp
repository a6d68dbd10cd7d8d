// SPDX-License-Identifier: Apache-2.0
// Callers of our agent with a disconnect during a Chat: real processes on a real Unix socket, killed. A model without a caller
// costs money if continued.
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/model/rehearsal/rehearsal.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/transport/sockets.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;

// A hand-written client, so that none of our code closes anything at its kill: connects, writes, perhaps ends its half, and
// waits.
class Caller {
 public:
  Caller(const std::string& path, const std::string& bytes, bool half_close) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::alarm(60);  // in case the test dies before the kill
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      ::_exit(1);
    if (half_close) ::shutdown(fd, SHUT_WR);
    char answer[256];
    while (::read(fd, answer, sizeof answer) > 0) {}
    ::_exit(0);
  }
  ~Caller() { kill(); }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }

 private:
  pid_t pid_;
};

class AgentCallers : public testing::Test {
 protected:
  AgentCallers() {
    std::string folder = (std::filesystem::temp_directory_path() / "callers-XXXXXX").string();
    EXPECT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    agent.emplace(loop, *model::make_rehearsal(loop, {}), nullptr);
    serve_agent(router, {.loop = loop, .agent = &*agent, .streams = streams});
    auto made = listen_unix(loop, path(), [this](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); });
    EXPECT_TRUE(made);
    listener = *std::move(made);
  }
  ~AgentCallers() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/agent.sock"; }
  // 200 words, 50 ms apart: ten seconds without output to the caller.
  static std::string slow_chat() {
    return R"({"method":"RPCService.Chat","params":[{"Messages":[{"Role":"user","Content":"slow 200 50"}]}],"id":1})";
  }
  void until(const std::function<bool()>& done) { ASSERT_TRUE(loop.run_until(done)); }
  void expect_that_the_model_stops(bool half_close, const std::string& behind = "") {
    Caller caller(path(), slow_chat() + behind, half_close);
    until([&] { return agent->running() == 1; });
    caller.kill();
    until([&] { return agent->running() == 0; });
    EXPECT_EQ(agent->stats().messages, 1U) << "the question; an answer that came to its end would have been counted";
    until([&] { return server.stats().open == 0; });
  }

  Loop loop;
  ChatStreams streams{loop};
  std::optional<agent::ChatAgent> agent;
  Router router;
  gorpc::Server server{loop, router, {.running_calls = 1}};
  std::unique_ptr<Listener> listener;

 private:
  std::string folder_;
};

TEST_F(AgentCallers, TheModelStopsWhenTheCallerIsKilled) { expect_that_the_model_stops(false); }

TEST_F(AgentCallers, AlsoWhenItHadEndedItsHalfBefore) { expect_that_the_model_stops(true); }

// A call runs, the next would exceed the limit, and the server does not read.
TEST_F(AgentCallers, AlsoWhenItsNextCallWaitsUnread) { expect_that_the_model_stops(false, slow_chat()); }

}  // namespace
}  // namespace parlance::server

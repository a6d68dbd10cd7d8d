// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/sockets.h"

#include <csignal>
#include <filesystem>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <gmock/gmock.h>

#include "parlance/transport/socket_link.h"
#include "parlance/transport/socket_peers.h"

namespace parlance {
namespace {

using testing::HasSubstr;

constexpr uid_t other_user = 12345;

class Sockets : public testing::Test {
 protected:
  Sockets() {
    std::string pattern = testing::TempDir() + "/sockets_XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~Sockets() override {
    listener.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string path(std::string_view name) const { return folder + "/" + std::string(name); }
  Result<void> listen(const std::string& at, SocketPeers peers = {}) {
    PARLANCE_TRY(
        made, listen_unix(
                  loop, at, [this](std::unique_ptr<ByteStream> stream) { came.push_back(std::move(stream)); }, std::move(peers)));
    listener = std::move(made);
    return {};
  }
  static unsigned mode_of(const std::string& at) {
    struct stat status{};
    return ::lstat(at.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
  }

  Loop loop;
  std::string folder;
  std::unique_ptr<Listener> listener;
  std::vector<std::unique_ptr<ByteStream>> came;
};

TEST_F(Sockets, AConnectorChecksTheListener) {
  ASSERT_TRUE(listen(path("a.sock")));
  EXPECT_TRUE(loop.block_on(connect_unix(loop, path("a.sock"))));
  // A different user for the system's check; only root is always trusted.
  const SocketPeers others{.own = other_user};
  const auto stranger = loop.block_on(connect_unix(loop, path("a.sock"), others));
  if (::geteuid() == 0) {
    EXPECT_TRUE(stranger);
  } else {
    ASSERT_FALSE(stranger);
    EXPECT_EQ(stranger.error().code, Errc::denied);
    EXPECT_THAT(stranger.error().message, AllOf(HasSubstr("nothing was sent"), HasSubstr("--agent-user")));
    EXPECT_TRUE(loop.block_on(connect_unix(loop, path("a.sock"), {.users = {::geteuid()}, .own = other_user})));
  }
}

// Needs a second user, possible only as root: a child drops its rights and listens.
TEST_F(Sockets, AListenerOfAnotherUserReceivesNoData) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  const std::string shared = path("shared");
  ASSERT_EQ(::mkdir(shared.c_str(), 0777), 0);
  ASSERT_EQ(::chmod(shared.c_str(), 01777), 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  int ready_pipe[2];
  ASSERT_EQ(::pipe(ready_pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto gave_up = ::setgid(other_user) == 0 && ::setuid(other_user) == 0;
    Loop own;
    auto theirs = listen_unix(own, shared + "/a.sock", [](std::unique_ptr<ByteStream>) {});
    const char ready = gave_up && theirs ? 'y' : 'n';
    static_cast<void>(::write(ready_pipe[1], &ready, 1));
    own.run_for(std::chrono::seconds(60));  // until the kill
    ::_exit(0);
  }
  char ready = 0;
  ASSERT_EQ(::read(ready_pipe[0], &ready, 1), 1);
  ASSERT_EQ(ready, 'y');
  const auto refused = loop.block_on(connect_unix(loop, shared + "/a.sock"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr(shared + "/a.sock"), HasSubstr(std::to_string(other_user))));
  EXPECT_TRUE(loop.block_on(connect_unix(loop, shared + "/a.sock", {.users = {other_user}})));
  // The other user's path is neither taken over nor probed.
  const auto taken = listen(shared + "/a.sock");
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("belongs to the user"));
  EXPECT_TRUE(std::filesystem::is_socket(shared + "/a.sock"));
  // A link to the socket is neither followed nor replaced, and the other user's link stays.
  EXPECT_EQ(SocketLink::make(shared + "/a.sock", path("mine.sock")).error().code, Errc::denied);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready_pipe[0]);
  ::close(ready_pipe[1]);
}

// A TCP connection within this machine; `connect` runs as another user, or in this process.
struct TcpPair {
  explicit TcpPair(bool by_other_user, int family = AF_INET) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    address.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET6) reinterpret_cast<sockaddr_in6&>(address).sin6_addr = in6addr_loopback;
    else reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const int listener = ::socket(family, SOCK_STREAM, 0);
    if (::bind(listener, any, size) != 0 || ::listen(listener, 1) != 0) return;
    ::getsockname(listener, any, &size);
    client = ::socket(family, SOCK_STREAM, 0);
    if (by_other_user) {
      ::close(client);
      client = -1;
      child = ::fork();
      if (child == 0) {
        const bool is_other = ::setgid(other_user) == 0 && ::setuid(other_user) == 0;
        const int theirs = ::socket(family, SOCK_STREAM, 0);
        if (is_other && ::connect(theirs, any, size) == 0) ::pause();
        ::_exit(1);
      }
    } else if (::connect(client, any, size) != 0) {
      return;
    }
    server = ::accept(listener, nullptr, nullptr);
    ::close(listener);
  }
  ~TcpPair() {
    if (child > 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    if (client >= 0) ::close(client);
    ::close(server);
  }
  int client = -1;
  int server = -1;
  pid_t child = -1;
};

TEST(TcpPeers, OfThisUserAreKnownUntilTheyClose) {
  for (const int family : {AF_INET, AF_INET6}) {
    TcpPair pair(false, family);
    if (pair.server < 0) continue;  // a machine without IPv6
    EXPECT_EQ(tcp_peer_user(pair.server), ::geteuid());
    EXPECT_TRUE(check_tcp_peer(pair.server));
    ::close(std::exchange(pair.client, -1));
    EXPECT_FALSE(check_tcp_peer(pair.server)) << "the kernel would name root";
  }
}

TEST(TcpPeers, OfAnotherUserAreRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  TcpPair pair(true);
  ASSERT_GE(pair.server, 0);
  EXPECT_EQ(tcp_peer_user(pair.server), other_user);
  const auto refused = check_tcp_peer(pair.server);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_THAT(refused.error().message, HasSubstr("belongs to the user " + std::to_string(other_user)));
}

TEST_F(Sockets, AFolderWhereOthersMayReplaceTheSocketIsRefused) {
  const std::string open = path("open");
  ASSERT_EQ(::mkdir(open.c_str(), 0700), 0);
  ASSERT_EQ(::chmod(open.c_str(), 0777), 0);
  const auto refused = listen(open + "/a.sock");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_THAT(refused.error().message, HasSubstr("chmod go-w " + open));
  ASSERT_EQ(::chmod(open.c_str(), 01777), 0);  // as /tmp
  EXPECT_TRUE(listen(open + "/a.sock"));
}

TEST_F(Sockets, AGroupMayConnectAndNoOtherUser) {
  ASSERT_TRUE(listen(path("own.sock")));
  EXPECT_EQ(mode_of(path("own.sock")), 0600U);
  ASSERT_TRUE(listen(path("group.sock"), {.group = ::getegid(), .own = ::geteuid()}));
  EXPECT_EQ(mode_of(path("group.sock")), 0660U);
  struct stat status{};
  ASSERT_EQ(::stat(path("group.sock").c_str(), &status), 0);
  EXPECT_EQ(status.st_gid, ::getegid());
  // Another user is admitted as a member of the group, and refused otherwise.
  listener.reset();
  if (::geteuid() != 0) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    EXPECT_TRUE(check_peer(ends[0], {.group = ::getegid(), .own = other_user}, "pair"));
    EXPECT_FALSE(check_peer(ends[0], {.group = other_user, .own = other_user}, "pair"));
    ::close(ends[0]);
    ::close(ends[1]);
  }
}

TEST_F(Sockets, UsersAndGroupsHaveNamesOrNumbers) {
  EXPECT_EQ(user_id("root"), 0U);
  EXPECT_EQ(user_id("12345"), 12345U);
  EXPECT_EQ(group_id("root"), 0U);
  EXPECT_EQ(user_id("no such user").error().code, Errc::invalid_params);
  EXPECT_EQ(group_id("no such group").error().code, Errc::invalid_params);
  EXPECT_EQ(user_name(0), "root");
}

TEST_F(Sockets, AnAddressIsAPathUnlessHostAndPort) {
  EXPECT_EQ(socket_path("unix:/run/a"), "/run/a");
  EXPECT_EQ(socket_path("/run/a"), "/run/a");
  EXPECT_EQ(socket_path("./a.sock"), "./a.sock");
  EXPECT_EQ(socket_path("run/a.sock"), "run/a.sock");
  EXPECT_EQ(socket_path("a.sock"), "a.sock");
  EXPECT_EQ(socket_path("../a:b/c"), "../a:b/c");
  EXPECT_EQ(socket_path("localhost:80"), std::nullopt);
  EXPECT_EQ(socket_path("[::1]:80"), std::nullopt);
  EXPECT_EQ(socket_path("tcp:localhost:80"), std::nullopt);
  EXPECT_EQ(socket_path("host:port"), std::nullopt);
  EXPECT_EQ(socket_path(""), std::nullopt);
}

TEST_F(Sockets, ALinkLeadsToTheSocketAndEndsWithTheSocket) {
  ASSERT_TRUE(listen(path("real.sock")));
  {
    const auto link = SocketLink::make(path("known.sock"), path("real.sock"));
    ASSERT_TRUE(link) << link.error().message;
    EXPECT_TRUE(loop.block_on(connect_unix(loop, path("known.sock"))));
    // A link left by a killed agent is dangling, or points to our socket.
    EXPECT_TRUE(SocketLink::make(path("known.sock"), path("real.sock")));
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path("known.sock"))));
  std::filesystem::create_symlink(path("gone.sock"), path("known.sock"));
  const auto over = SocketLink::make(path("known.sock"), path("real.sock"));
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_EQ(std::filesystem::read_symlink(path("known.sock")), path("real.sock"));
}

TEST_F(Sockets, WhereAKilledAgentLeftALinkAnotherListens) {
  std::filesystem::create_symlink(path("gone.sock"), path("known.sock"));
  ASSERT_TRUE(listen(path("known.sock")));
  EXPECT_TRUE(std::filesystem::is_socket(std::filesystem::symlink_status(path("known.sock"))));
  EXPECT_FALSE(std::filesystem::exists(path("gone.sock"))) << "nothing was made where it led";
  std::filesystem::create_symlink(path("gone"), path("precious.sock"));
  EXPECT_FALSE(listen(path("precious.sock"))) << "no socket was ever there";
}

TEST_F(Sockets, ALinkReplacesNoFileInUse) {
  std::filesystem::create_directories(path("folder"));
  EXPECT_THAT(SocketLink::make(path("folder"), path("b.sock")).error().message, HasSubstr("is no socket"));
  ASSERT_TRUE(listen(path("a.sock")));
  EXPECT_THAT(SocketLink::make(path("a.sock"), path("b.sock")).error().message, HasSubstr("another program of yours"));
  std::filesystem::create_symlink(path("a.sock"), path("known.sock"));
  EXPECT_THAT(SocketLink::make(path("known.sock"), path("b.sock")).error().message, HasSubstr("another agent of yours"));
  EXPECT_EQ(std::filesystem::read_symlink(path("known.sock")), path("a.sock"));
  EXPECT_TRUE(std::filesystem::is_socket(path("a.sock")));
}

}  // namespace
}  // namespace parlance

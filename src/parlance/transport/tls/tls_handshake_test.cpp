// SPDX-License-Identifier: Apache-2.0
// Handshakes that come to nothing, and streams that end while something is under way.
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/memory.h"
#include "parlance/transport/tls/tls_stream.h"
#include "parlance/transport/tls/tls_test_certificate.h"

namespace parlance {
namespace {

using Stream = Result<std::unique_ptr<ByteStream>>;

class TlsHandshake : public testing::Test {
 protected:
  TlsClientSettings trusting() const { return {.host = "localhost", .ca_file = certificate.certificate_file}; }
  TlsServerSettings serving() const {
    return {.certificate_file = certificate.certificate_file, .key_file = certificate.key_file};
  }
  static Task<void> into(std::optional<Stream>& result, Task<Stream> handshake) { result = co_await std::move(handshake); }
  void both() {
    auto [a, b] = memory_pair(loop, {.capacity = 4096});
    scope.start(into(client, tls_connect(loop, std::move(a), trusting())));
    scope.start(into(server, tls_accept(loop, std::move(b), serving())));
    loop.block_on(scope.join());
    ASSERT_TRUE(client && *client) << client->error().message;
    ASSERT_TRUE(server && *server) << server->error().message;
  }

  const test::Certificate certificate{"localhost"};
  Loop loop{Loop::Time::virtual_};
  std::optional<Stream> client, server;
  Scope scope{loop};
};

TEST_F(TlsHandshake, AnEndDuringTheHandshakeIsReported) {
  auto [a, b] = memory_pair(loop);
  scope.start(into(client, tls_connect(loop, std::move(a), trusting())));
  b->close_output();
  loop.block_on(scope.join());
  ASSERT_TRUE(client && !*client);
  EXPECT_EQ(client->error(),
            (Error{.code = Errc::disconnected, .message = "memory: the connection ended within the TLS handshake"}));
}

TEST_F(TlsHandshake, AClientWithoutTlsIsRefusedByTheServer) {
  auto [a, b] = memory_pair(loop);
  a->try_write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  scope.start(into(server, tls_accept(loop, std::move(b), serving())));
  loop.block_on(scope.join());
  ASSERT_TRUE(server && !*server);
  EXPECT_EQ(server->error(), (Error{.code = Errc::failed, .message = "memory: http request"}));
}

TEST_F(TlsHandshake, AMissingFileIsNamed) {
  for (const auto& [settings, what] :
       {std::pair{TlsServerSettings{.certificate_file = "/nowhere/c.pem", .key_file = certificate.key_file},
                  "TLS: no certificate in /nowhere/c.pem: "},
        {TlsServerSettings{.certificate_file = certificate.certificate_file, .key_file = "/nowhere/k.pem"},
         "TLS: no matching key in /nowhere/k.pem: "}}) {
    const Stream refused = loop.block_on(tls_accept(loop, memory_pair(loop).first, settings));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().message.starts_with(what)) << refused.error().message;
  }
  const Stream refused =
      loop.block_on(tls_connect(loop, memory_pair(loop).first, {.host = "localhost", .ca_file = "/nowhere/ca.pem"}));
  EXPECT_EQ(refused.error().message, "TLS: no certificates in /nowhere/ca.pem");
}

TEST_F(TlsHandshake, TheKeyOfAnotherCertificateIsRefused) {
  const test::Certificate other("localhost");
  const Stream refused = loop.block_on(
      tls_accept(loop, memory_pair(loop).first, {.certificate_file = certificate.certificate_file, .key_file = other.key_file}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "TLS: no matching key in " + other.key_file.string() + ": key values mismatch");
}

TEST_F(TlsHandshake, ACancelledHandshakeCallsNoCallback) {
  auto [a, b] = memory_pair(loop);
  Scope::Handle handshake = scope.start(into(client, tls_connect(loop, std::move(a), trusting())));
  loop.run_ready();
  handshake.cancel();
  scope.start(into(server, tls_accept(loop, std::move(b), serving())));
  loop.block_on(scope.join());
  EXPECT_FALSE(client);
  ASSERT_TRUE(server);
  EXPECT_FALSE(*server);
}

TEST_F(TlsHandshake, AWriterWithASlowReaderWaits) {
  both();
  const std::string much(100'000, 'x');
  std::optional<Result<std::size_t>> written;
  scope.start([](ByteStream& stream, const std::string& bytes, std::optional<Result<std::size_t>>& done) -> Task<void> {
    done = co_await write_all(stream, bytes);
  }(***client, much, written));
  while (loop.run_ready()) {}
  EXPECT_FALSE(written) << "the pipe holds 4096 bytes";
  EXPECT_EQ((**client)->try_write("y"), 0U) << "and nothing gets in between";
  std::string read;
  const auto take = [&]() -> Task<void> {
    std::string buffer(3000, '\0');
    while (read.size() < much.size()) {
      const auto count = co_await read_some(***server, buffer);
      if (!count || *count == 0) co_return;
      read.append(buffer, 0, *count);
    }
  };
  loop.block_on(take());
  while (loop.run_ready()) {}
  EXPECT_TRUE(read == much);
  ASSERT_TRUE(written && *written);
  EXPECT_EQ(**written, much.size());
}

TEST_F(TlsHandshake, ClosingFailsAWriteInProgress) {
  both();
  const std::string much(100'000, 'x');
  std::optional<Result<std::size_t>> written;
  scope.start([](ByteStream& stream, const std::string& bytes, std::optional<Result<std::size_t>>& done) -> Task<void> {
    done = co_await write_all(stream, bytes);
  }(***client, much, written));
  while (loop.run_ready()) {}
  (**client)->close();
  while (loop.run_ready()) {}
  ASSERT_TRUE(written);
  ASSERT_FALSE(*written);
  EXPECT_EQ(written->error().code, Errc::disconnected);
}

}  // namespace
}  // namespace parlance

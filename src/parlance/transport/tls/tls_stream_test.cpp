// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/tls_stream.h"

#include <optional>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/memory.h"
#include "parlance/transport/tls/tls_test_certificate.h"

namespace parlance {
namespace {

// Both ends of a TLS connection over memory.
struct Ends {
  Ends(Loop& loop, MemoryOptions options, TlsClientSettings settings, const test::Certificate& certificate) {
    auto [a, b] = memory_pair(loop, options);
    Scope scope(loop);
    const auto connect = [&](std::unique_ptr<ByteStream> stream) -> Task<void> {
      client = co_await tls_connect(loop, std::move(stream), settings);
    };
    const auto accept = [&](std::unique_ptr<ByteStream> stream) -> Task<void> {
      server = co_await tls_accept(loop, std::move(stream),
                                   {.certificate_file = certificate.certificate_file, .key_file = certificate.key_file});
    };
    scope.start(connect(std::move(a)));
    scope.start(accept(std::move(b)));
    loop.block_on(scope.join());
  }
  Result<std::unique_ptr<ByteStream>> client;
  Result<std::unique_ptr<ByteStream>> server;
};

Task<Bytes> read_to_end(ByteStream& stream) {
  Bytes all;
  Bytes buffer(5000, '\0');
  for (;;) {
    const auto count = co_await read_some(stream, buffer);
    if (!count) co_return all + "<" + count.error().message + ">";
    if (*count == 0) co_return all;
    all.append(buffer, 0, *count);
  }
}

TEST(TlsStream, CarriesBytesBothWaysAndEndsCleanly) {
  const test::Certificate certificate("localhost");
  for (const bool one_byte : {false, true}) {
    Loop loop(Loop::Time::virtual_);
    Ends ends(loop, {.one_byte_reads = one_byte}, {.host = "localhost", .ca_file = certificate.certificate_file}, certificate);
    ASSERT_TRUE(ends.client) << ends.client.error().message;
    ASSERT_TRUE(ends.server) << ends.server.error().message;
    const Bytes there(one_byte ? 3'000 : 500'000, 't');
    const Bytes back(one_byte ? 2'000 : 300'000, 'b');
    std::optional<Bytes> at_server;
    std::optional<Bytes> at_client;
    const auto send = [](ByteStream& stream, const Bytes& bytes) -> Task<void> {
      EXPECT_TRUE(co_await write_all(stream, bytes));
      stream.close_output();
    };
    const auto take = [](ByteStream& stream, std::optional<Bytes>& into) -> Task<void> { into = co_await read_to_end(stream); };
    Scope scope(loop);
    scope.start(send(**ends.client, there));
    scope.start(send(**ends.server, back));
    scope.start(take(**ends.server, at_server));
    scope.start(take(**ends.client, at_client));
    loop.block_on(scope.join());
    EXPECT_TRUE(at_server == there);
    EXPECT_TRUE(at_client == back);
  }
}

TEST(TlsStream, AConnectionThatIsCutOffIsNoCleanEnd) {
  const test::Certificate certificate("localhost");
  Loop loop(Loop::Time::virtual_);
  Ends ends(loop, {}, {.host = "localhost", .ca_file = certificate.certificate_file}, certificate);
  ASSERT_TRUE(ends.client && ends.server);
  ends.server->reset();
  EXPECT_EQ(loop.block_on(read_to_end(**ends.client)), "<memory: the connection was cut off>");
}

TEST(TlsStream, ClosingEndsAReadInProgress) {
  const test::Certificate certificate("localhost");
  Loop loop(Loop::Time::virtual_);
  Ends ends(loop, {}, {.host = "localhost", .ca_file = certificate.certificate_file}, certificate);
  ASSERT_TRUE(ends.client && ends.server);
  std::optional<Bytes> seen;
  const auto take = [&]() -> Task<void> { seen = co_await read_to_end(**ends.client); };
  Scope scope(loop);
  scope.start(take());
  loop.run_ready();
  EXPECT_FALSE(seen);
  (*ends.client)->close();
  loop.run_ready();
  EXPECT_EQ(seen, "<memory: closed>");
}

TEST(TlsStream, ACertificateMustBeTrustedAndNameTheHost) {
  const test::Certificate certificate("localhost");
  Loop loop(Loop::Time::virtual_);
  const Ends untrusted(loop, {}, {.host = "localhost"}, certificate);
  ASSERT_FALSE(untrusted.client);
  EXPECT_EQ(untrusted.client.error().code, Errc::denied);
  EXPECT_NE(untrusted.client.error().message.find("self-signed"), std::string::npos) << untrusted.client.error().message;
  const Ends misnamed(loop, {}, {.host = "other.example", .ca_file = certificate.certificate_file}, certificate);
  ASSERT_FALSE(misnamed.client);
  EXPECT_NE(misnamed.client.error().message.find("hostname mismatch"), std::string::npos) << misnamed.client.error().message;
  const Ends blind(loop, {}, {.host = "other.example", .verify = false}, certificate);
  EXPECT_TRUE(blind.client);
}

TEST(TlsStream, WithoutAHostThereIsNoNameToVerify) {
  const test::Certificate certificate("localhost");
  Loop loop(Loop::Time::virtual_);
  const Ends nameless(loop, {}, {.ca_file = certificate.certificate_file}, certificate);
  ASSERT_FALSE(nameless.client) << "any name was taken";
  EXPECT_EQ(nameless.client.error().code, Errc::invalid_params);
  EXPECT_TRUE(Ends(loop, {}, {.verify = false}, certificate).client) << "without verification, no name is needed";
}

TEST(TlsStream, ANumericHostIsFoundInTheCertificate) {
  const test::Certificate certificate("127.0.0.1");
  Loop loop(Loop::Time::virtual_);
  EXPECT_TRUE(Ends(loop, {}, {.host = "127.0.0.1", .ca_file = certificate.certificate_file}, certificate).client);
  EXPECT_FALSE(Ends(loop, {}, {.host = "127.0.0.2", .ca_file = certificate.certificate_file}, certificate).client);
}

TEST(TlsStream, AnotherProtocolThanTlsIsExplained) {
  Loop loop(Loop::Time::virtual_);
  auto [a, b] = memory_pair(loop);
  b->try_write("HTTP/1.1 400 Bad Request\r\n\r\n");
  const auto failed = loop.block_on(tls_connect(loop, std::move(a), {.host = "localhost"}));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "memory: wrong version number");
}

}  // namespace
}  // namespace parlance

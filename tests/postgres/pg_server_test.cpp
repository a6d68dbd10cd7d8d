// SPDX-License-Identifier: Apache-2.0
// src/parlance/pg with a real server.
#include <arpa/inet.h>
#include <csignal>
#include <sys/socket.h>
#include <thread>

#include <gtest/gtest.h>

#include "parlance/pg/connection.h"
#include "parlance/pg/listen_probe.h"
#include "parlance/process/pipe.h"
#include "tests/postgres/server.h"

namespace parlance::pg {
namespace {

using namespace std::chrono_literals;
using test::postgres;

class PgServer : public testing::Test {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    address = postgres().new_database();
    connection = open();
  }
  std::unique_ptr<Connection> open(Duration silence = limits::pg_silence) {
    auto opened = Connection::open({.address = address, .silence = silence}, interrupt);
    if (!opened) throw std::runtime_error(opened.error().message);
    return *std::move(opened);
  }
  std::string one(const std::string& sql) {
    const auto rows = connection->run({.sql = sql});
    return rows ? std::string(rows->text(0, 0)) : rows.error().sqlstate;
  }

  Interrupt interrupt;
  std::string address;
  std::unique_ptr<Connection> connection;
};

// A machine that is gone refuses nothing: packets to it get no answer, or connections are taken and nobody speaks.
TEST_F(PgServer, ASilentServerLeavesTimeForTheNext) {
  const Descriptor silent{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(silent.fd, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  ASSERT_EQ(::listen(silent.fd, 8), 0);
  socklen_t size = sizeof at;
  ASSERT_EQ(::getsockname(silent.fd, reinterpret_cast<sockaddr*>(&at), &size), 0);
  const std::size_t host = address.find("127.0.0.1");
  ASSERT_NE(host, std::string::npos) << address;
  const std::string nobody = "127.0.0.1:" + std::to_string(ntohs(at.sin_port));
  const std::string both = address.substr(0, host) + nobody + "," + address.substr(host);
  const auto took = [&](const std::string& where) {
    const TimePoint began = Clock::now();
    const auto opened = Connection::open({.address = where, .patience = 2s}, interrupt);
    EXPECT_TRUE(opened) << opened.error().message;
    return Clock::now() - began;
  };
  EXPECT_GE(took(both), 1s) << "its part of the patience";
  EXPECT_LT(took(both), 1s) << "whichever answered is asked first";
  // Nor does it need a port.
  ASSERT_EQ(::setenv("PGPORT", std::to_string(postgres().port()).c_str(), 1), 0);
  const auto opened = Connection::open({.address = "postgresql://parlance@127.0.0.9,127.0.0.1/postgres"}, interrupt);
  ::unsetenv("PGPORT");
  EXPECT_TRUE(opened) << opened.error().message;
  const auto none =
      Connection::open({.address = "postgresql://parlance@" + nobody + "," + nobody + "/x", .patience = 200ms}, interrupt);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no server answered at " + nobody + "; no server answered at " + nobody);
}

TEST_F(PgServer, ValuesReturnUnchanged) {
  const std::string data("\0\\x\xff'", 5);
  const auto rows = connection->run({.sql = "SELECT $1::text, $2::bytea, $3::text, $4::bigint",
                                     .parameters = {"'; DROP TABLE x; --", Parameter::bytes(data), std::nullopt, INT64_MIN}});
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->text(0, 0), "'; DROP TABLE x; --");
  EXPECT_EQ(rows->bytes(0, 1), data);
  EXPECT_TRUE(rows->is_null(0, 2));
  EXPECT_EQ(rows->text_or_null(0, 2), std::nullopt);
  EXPECT_EQ(rows->integer(0, 3), INT64_MIN);
}

TEST_F(PgServer, AnArrayIsASingleParameter) {
  Array texts;
  for (const std::string_view text : {R"({"a":"\"\\n"})", "", "NULL", "主题"}) texts.add(text);
  const auto rows = connection->run({.sql = "SELECT t FROM unnest($1::text[]) t", .parameters = {texts.text()}});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 4U);
  EXPECT_EQ(rows->text(0, 0), R"({"a":"\"\\n"})");
  EXPECT_EQ(rows->text(2, 0), "NULL");
  EXPECT_EQ(rows->text(3, 0), "主题");
}

TEST_F(PgServer, AFailureInAPipelineUndoesItsTransactionAndTheConnectionContinues) {
  ASSERT_TRUE(connection->run_script("CREATE TABLE t(n int PRIMARY KEY)"));
  const std::vector<Statement> wrong{
      {.sql = "BEGIN"}, {.sql = "INSERT INTO t VALUES(1)"}, {.sql = "INSERT INTO t VALUES(1)"}, {.sql = "COMMIT"}};
  const auto failed = connection->run(wrong);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().sqlstate, "23505");
  EXPECT_FALSE(connection->lost());
  EXPECT_EQ(one("SELECT count(*) FROM t"), "0");
  const std::vector<Statement> right{{.sql = "BEGIN"}, {.sql = "INSERT INTO t VALUES(1)"}, {.sql = "COMMIT"}};
  const auto done = connection->run(right);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->back().tag(), "COMMIT");
  EXPECT_EQ(one("SELECT count(*) FROM t"), "1");
}

TEST_F(PgServer, APipelineLargerThanEveryBufferPasses) {
  std::vector<Statement> many;
  for (int i = 0; i < 200; ++i) many.push_back({.sql = "SELECT $1::text", .parameters = {std::string(100'000, 'x')}});
  const auto all = connection->run(many);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->size(), 200U);
  EXPECT_EQ(all->back().text(0, 0).size(), 100'000U);
}

TEST_F(PgServer, AnEndedServerProcessLeavesTheOutcomeUnknown) {
  const auto other = open();
  ASSERT_TRUE(other->run({.sql = "SELECT pg_terminate_backend($1::int)", .parameters = {one("SELECT pg_backend_pid()")}}));
  const auto rows = connection->run({.sql = "SELECT 1"});
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().unknown()) << rows.error().sqlstate;
  EXPECT_TRUE(connection->lost());
  EXPECT_TRUE(connection->run({.sql = "SELECT 1"}).error().unknown()) << "and stays so";
}

TEST_F(PgServer, ASilentServerIsGivenUp) {
  connection = open(100ms);
  const auto rows = connection->run({.sql = "SELECT pg_sleep(60)"});
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().unknown());
}

TEST_F(PgServer, AnInterruptEndsAWait) {
  const auto began = Clock::now();
  std::thread waker([&] {
    const Interrupt never_raised;
    static_cast<void>(never_raised.wait_ms(50));
    interrupt.raise();
  });
  EXPECT_FALSE(connection->run({.sql = "SELECT pg_sleep(60)"}));
  waker.join();
  EXPECT_LT(Clock::now() - began, limits::pg_silence);
}

TEST_F(PgServer, AMissingServerIsReportedWithoutThePassword) {
  const auto opened = Connection::open({.address = "postgresql://a:secret@127.0.0.1:1/db"}, interrupt);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().unknown());
  EXPECT_EQ(opened.error().message.find("secret"), std::string::npos) << opened.error().message;
}

TEST_F(PgServer, NotificationsArriveWithTheirPayload) {
  const auto listener = open();
  ASSERT_TRUE(listener->run({.sql = "LISTEN news"}));
  ASSERT_TRUE(connection->run({.sql = "SELECT pg_notify('news', $1)", .parameters = {R"({"a":1})"}}));
  const auto notifications = listener->notifications(Clock::now() + 10s, -1);
  ASSERT_TRUE(notifications);
  ASSERT_EQ(notifications->size(), 1U);
  EXPECT_EQ(notifications->front().channel, "news");
  EXPECT_EQ(notifications->front().payload, R"({"a":1})");
}

TEST_F(PgServer, WithoutAPoolerNotificationsArrive) {
  const auto arrived = notifications_arrive({.address = address}, interrupt);
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_TRUE(*arrived);
}

TEST_F(PgServer, WarningsAreKept) {
  ASSERT_TRUE(connection->run_script("DO $$ BEGIN RAISE WARNING 'hm' USING ERRCODE='57014'; END $$"));
  const auto warnings = connection->take_warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].sqlstate, "57014");
  EXPECT_EQ(warnings[0].message, "hm");
}

}  // namespace
}  // namespace parlance::pg

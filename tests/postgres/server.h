// SPDX-License-Identifier: Apache-2.0
// A PostgreSQL server for the test: a fresh cluster in a temporary folder, on a socket there and on a free loopback port, with
// fsync. The server ends with the program in any case. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>

namespace parlance::test {

class PostgresServer {
 public:
  // The reason for a missing server on this machine; empty: available.
  static std::string missing();

  PostgresServer();  // throws
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // A database without tables; returns its address. Over TCP, so that a connection can be cut.
  std::string new_database();
  std::string new_database_in(const std::string& locale);  // a whole cluster: slower
  std::string address(const std::string& database) const;
  int port() const { return port_; }

  void stop_immediately();  // like a crash: writes no pending data
  void start();
  pid_t pid() const { return pid_; }

 private:
  std::string folder_;
  std::string programs_;
  int port_ = 0;
  pid_t pid_ = -1;
  int databases_ = 0;
};

// The shared server of this program's tests, created on first use.
PostgresServer& postgres();

}  // namespace parlance::test

// First statement of a test with the server. Without a server the test is skipped with a reason; with the demand for a complete
// run, this is an error.
#define PARLANCE_NEEDS_POSTGRES()                                                            \
  do {                                                                                       \
    if (const std::string why = ::parlance::test::PostgresServer::missing(); !why.empty()) { \
      if (std::getenv("CI") != nullptr) FAIL() << why;                                       \
      GTEST_SKIP() << why;                                                                   \
    }                                                                                        \
  } while (false)

// SPDX-License-Identifier: Apache-2.0
// A PostgreSQL of the test's own: a fresh cluster in a temporary folder, on a socket there and on a free port of loopback, with fsync on. It ends with
// the program, however that ends. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <sys/types.h>

namespace parlance::test {

class PostgresServer {
 public:
  // Why there is none on this machine; empty: there is.
  static std::string missing();

  PostgresServer();  // throws
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // A place without tables, and its address. Over TCP, so that a connection can be cut in between.
  std::string new_database();
  std::string new_database_in(const std::string& locale);  // a whole one: slower
  std::string address(const std::string& database) const;
  int port() const { return port_; }

  void stop_immediately();  // as after a crash: nothing is written that was not
  void start();
  pid_t pid() const { return pid_; }

 private:
  std::string folder_;
  std::string programs_;
  int port_ = 0;
  pid_t pid_ = -1;
  int databases_ = 0;
};

// The server that the tests of this program share; made by the first that asks.
PostgresServer& postgres();

}  // namespace parlance::test

// First in a test that needs the server. Without one it is skipped, and says why; where everything is to be tested that is an error.
#define PARLANCE_NEEDS_POSTGRES()                                                            \
  do {                                                                                       \
    if (const std::string why = ::parlance::test::PostgresServer::missing(); !why.empty()) { \
      if (std::getenv("CI") != nullptr) FAIL() << why;                                       \
      GTEST_SKIP() << why;                                                                   \
    }                                                                                        \
  } while (false)

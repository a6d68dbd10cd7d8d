// A connection that is made when it is needed and made anew when it was lost. Blocking; one thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

class Session {
 public:
  Session(pg::ConnectSettings settings, const pg::Interrupt& interrupt) : settings_(std::move(settings)), interrupt_(interrupt) {}

  pg::Outcome<pg::Connection*> connection();
  void drop() { connection_.reset(); }

  // For what changes nothing: tried once more, on a new connection, when the old one was lost meanwhile.
  Result<pg::Rows> read(const pg::Statement& statement);
  Result<std::vector<pg::Rows>> read(const std::vector<pg::Statement>& statements);

 private:
  pg::ConnectSettings settings_;
  const pg::Interrupt& interrupt_;
  std::unique_ptr<pg::Connection> connection_;
};

}  // namespace parlance::store

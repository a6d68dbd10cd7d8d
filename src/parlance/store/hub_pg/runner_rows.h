// SPDX-License-Identifier: Apache-2.0
// The connections of runners in the database. Any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/runner_connection.h"
#include "parlance/pg/session.h"

namespace parlance::store {

// All known runners, by name; `here` is relative to `hub`. The lease is an interval.
pg::Statement all_runners(const std::string& hub, const std::string& lease);
// The rows of `all_runners`.
std::vector<hub::RunnerConnection> read_runners(const pg::Rows& rows);

// The operations of one hub.
class RunnerRows {
 public:
  RunnerRows(pg::Session& session, std::string hub, std::string lease)
      : session_(session), hub_(std::move(hub)), lease_(std::move(lease)) {}

  // Registers a connection to this hub and removes connections to others. Errors: denied (another user has a runner of this
  // name), failed (this hub is marked dead), the store's.
  Result<hub::RunnerConnection> connected(const std::string& runner, const std::string& body, const std::string& user);
  Result<void> disconnected(const std::string& runner, std::uint64_t connection);  // does nothing after a newer connection
  // No value: unknown. A connection to a dead hub counts as lost.
  Result<std::optional<hub::RunnerConnection>> find(const std::string& runner);
  Result<std::vector<std::string>> unused_sessions(const std::string& runner);  // store/hub/unused_sessions.h
  // An unknown session is no error.
  Result<void> forget_unused_session(const std::string& runner, const std::string& session);

 private:
  pg::Session& session_;
  std::string hub_;
  std::string lease_;
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// The audit of writes to databases, one JSON line for each: time, database, statements, outcome. Loop thread only. Never delays a
// write; a failed line is an error in the log.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/sqlite/failure.h"
#include "parlance/sqlite/write.h"

namespace parlance::server {

class SqliteAudit {
 public:
  static Result<std::unique_ptr<SqliteAudit>> open(const std::string& path);  // appended to; made with mode 0600
  ~SqliteAudit();
  SqliteAudit(const SqliteAudit&) = delete;
  SqliteAudit& operator=(const SqliteAudit&) = delete;

  void wrote(std::string_view database, std::string_view what, const sqlite::Outcome<sqlite::WriteResult>& outcome);

 private:
  explicit SqliteAudit(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace parlance::server

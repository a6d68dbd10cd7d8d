// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/audit.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "parlance/base/clock.h"
#include "parlance/base/log.h"
#include "parlance/codec/json/writer.h"
#include "parlance/server/sqlite/convert.h"

namespace parlance::server {

Result<std::unique_ptr<SqliteAudit>> SqliteAudit::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return parlance::fail(system_error("open " + path, errno));
  return std::unique_ptr<SqliteAudit>(new SqliteAudit(fd));
}

SqliteAudit::~SqliteAudit() { ::close(fd_); }

void SqliteAudit::wrote(std::string_view database, std::string_view what, const sqlite::Outcome<sqlite::WriteResult>& outcome) {
  std::string line = "{\"time\":";
  json::write_text(line, to_rfc3339(WallClock::now()));
  line += ",\"database\":";
  json::write_text(line, database);
  line += ",\"sql\":";
  json::write_text(line, what);
  if (outcome) {
    line += ",\"changes\":";
    json::write_integer(line, outcome->changes);
  } else {
    const auto failure = to_wire(outcome.error());
    line += ",\"code\":";
    json::write_text(line, wire::name_of(failure.code));
    line += ",\"error\":";
    json::write_text(line, failure.error);
  }
  line += "}\n";
  // One write: lines of several helpers with one file stay whole.
  if (::write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    log(LogLevel::error, "the audit file could not be written", {{"reason", system_error("write", errno).message}});
}

}  // namespace parlance::server

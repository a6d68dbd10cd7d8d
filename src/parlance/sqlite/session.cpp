// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/session.h"

#include <atomic>

namespace parlance::sqlite {
namespace {

std::atomic<std::uint64_t> openings{0};  // of the process

}  // namespace

void Session::close() {
  reader_.reset();
  writer_.reset();
  file_.reset();
}

Outcome<> Session::ensure_file(bool create) {
  if (file_ && !file_->still_there()) close();
  if (file_) return {};
  PARLANCE_TRY(file, guard_.pin(path_, create));
  file_.emplace(std::move(file));
  opening_ = ++openings;
  PinnedFile::activate(&*file_);
  return {};
}

Outcome<Connection*> Session::open(std::unique_ptr<Connection>& connection, Use use, Run& run) {
  PARLANCE_TRY_DO(ensure_file(false));
  if (!connection) {
    PARLANCE_TRY(opened, Connection::open(*file_, use, settings_, run));
    connection = std::move(opened);
  }
  return connection.get();
}

Outcome<Connection*> Session::reader(Run& run) { return open(reader_, Use::read, run); }
Outcome<Connection*> Session::writer(Run& run) { return open(writer_, Use::write, run); }

Outcome<> Session::create(Run& run) {
  PARLANCE_TRY_DO(ensure_file(true));
  PARLANCE_TRY_DO(reader(run));
  return {};
}

Outcome<> Session::repair(Run& run) {
  PARLANCE_TRY_DO(writer(run));
  return {};
}

}  // namespace parlance::sqlite

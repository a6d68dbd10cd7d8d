// SPDX-License-Identifier: Apache-2.0
// Tells other hubs what has changed, after it has, on a connection of its own: while one notice is on its way, what comes gathers for the next. One
// that is lost is found by comparing. Any thread; it may be told things until it is destroyed, before the loop ends.
#pragma once

#include <mutex>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/worker.h"
#include "parlance/pg/connection.h"
#include "parlance/pg/session.h"
#include "parlance/store/hub_pg/notices.h"

namespace parlance::store {

class Teller {
 public:
  Teller(Loop& loop, pg::ConnectSettings settings, const pg::Interrupt& interrupt, std::string hub);

  void tell(Notice notice);
  Task<void> finish(Notice last);  // Loop thread: until it is told.

 private:
  void send();  // on the worker

  std::string hub_;
  pg::Session session_;  // used by the worker alone
  std::mutex mutex_;
  Notice waiting_;  // guarded by mutex_
  Worker worker_;
};

}  // namespace parlance::store

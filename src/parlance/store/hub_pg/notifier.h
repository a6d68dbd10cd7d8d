// SPDX-License-Identifier: Apache-2.0
// Notifies other hubs of commits, after the commit, on a separate connection. Notices during a send are merged for the next send.
// The comparison of revisions covers lost notices. Any thread; calls are allowed until the destruction, which must precede the
// loop's end.
#pragma once

#include <mutex>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/worker.h"
#include "parlance/pg/connection.h"
#include "parlance/pg/session.h"
#include "parlance/store/hub_pg/notices.h"

namespace parlance::store {

class Notifier {
 public:
  Notifier(Loop& loop, pg::ConnectSettings settings, const pg::Interrupt& interrupt, std::string hub);

  // Returns at once; the worker sends the notice. Failures are ignored, and an empty notice is not sent.
  void notify(Notice notice);
  Task<void> finish(Notice last);  // Loop thread: sends the last notice and waits.

 private:
  void send();  // on the worker

  std::string hub_;
  pg::Session session_;  // used only by the worker
  std::mutex mutex_;
  Notice waiting_;  // guarded by mutex_
  Worker worker_;
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// Keeps a hub's lease: a worker thread renews the lease, and a timer on the loop checks the lease. The keeper passes
// each limit to the guard of child processes, which ends them at the limit even while this process is stopped
// (process/child_guard.h).
//
// Loop thread. `on_lost` must not destroy the keeper.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"
#include "parlance/store/hub_pg/database_clock.h"
#include "parlance/store/hub_pg/lease.h"
#include "parlance/store/hub_pg/lease_rows.h"

namespace parlance::store {

class LeaseKeeper final : private Timer {
 public:
  using OnLost = std::function<void(const std::string& reason)>;
  LeaseKeeper(Loop& loop, LeaseRows rows, Lease::Settings settings, OnLost on_lost);
  ~LeaseKeeper();  // Waits for pending requests: raise the interrupt first.

  // Writes this hub's row and starts the renewals. Errors: failed (declared dead before the start), the server's.
  Task<Result<void>> join();
  // Ends the renewals, releases all conversations and marks the row dead; `on_lost` is not called afterwards.
  Task<Result<void>> leave();

  std::chrono::nanoseconds left() const {
    return std::max(Lease::Time(limit_.load()) - since_boot(), Lease::Time{});
  }  // Any thread.
  // The database's time; no value before `join`. Any thread.
  std::optional<WallTime> database_time() const { return database_clock_.at(since_boot()); }
  bool alive() const { return since_boot() < Lease::Time(limit_.load()); }  // Any thread.

 private:
  void on_timer() override;
  // Decides by the lease's times: reports the loss, starts a renewal, and sets the timer of the next look.
  void check();
  // One renewal. A failure is logged and repeated soon; the verdict "dead" loses the lease at once.
  Task<void> renew();
  // Ends the renewals and calls `on_lost`, once.
  void lose(const std::string& reason);
  // Publishes the new limit for other threads and for the guard of child processes.
  void note_limit();
  // Corrects the database's clock, and warns once about a difference of more than 60 seconds.
  void note_time(WallTime time, Lease::Time sent);

  Loop& loop_;
  Lease lease_;
  OnLost on_lost_;
  std::atomic<std::int64_t> limit_ = 0;  // since_boot, nanoseconds
  bool over_ = false;                    // lost, or released
  DatabaseClock database_clock_;
  bool skew_reported_ = false;
  LeaseRows rows_;  // used only by the worker
  Worker worker_;
  Scope scope_;
};

}  // namespace parlance::store

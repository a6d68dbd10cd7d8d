// SPDX-License-Identifier: Apache-2.0
// A hub's row in the database: inserted at the start, renewed during the run, closed at the end. Blocking; one thread at a time.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/pg/session.h"

namespace parlance::store {

class LeaseRows {
 public:
  LeaseRows(pg::ConnectSettings settings, const pg::Interrupt& interrupt, std::string hub, std::string version, std::string lease)
      : session_(std::move(settings), interrupt), hub_(std::move(hub)), version_(std::move(version)), lease_(std::move(lease)) {}

  // Both return the server's time, or no value if another hub declared this hub dead.
  Result<std::optional<WallTime>> join();
  // Extends the lease from the server's present time on; does not revive a hub that is marked dead.
  Result<std::optional<WallTime>> renew();
  // Releases all conversations; no calls may follow.
  Result<void> leave();

 private:
  pg::Session session_;
  std::string hub_;
  std::string version_;
  std::string lease_;  // an interval
};

}  // namespace parlance::store

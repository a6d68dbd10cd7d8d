// SPDX-License-Identifier: Apache-2.0
// A hub's row in the database: written when it comes, renewed while it lives, closed when it goes. Blocking; one thread at a time.
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

  // Both return the time of the server, or nothing when another hub has declared this one dead.
  Result<std::optional<WallTime>> join();
  Result<std::optional<WallTime>> renew();
  // Lets go of all conversations, and is never used again.
  Result<void> leave();

 private:
  pg::Session session_;
  std::string hub_;
  std::string version_;
  std::string lease_;  // an interval
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// Where the machines of runners are connected, as the database has it. Any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/place.h"
#include "parlance/pg/session.h"

namespace parlance::store {

// Those that are known, by name; as `hub` sees them. The lease is an interval.
pg::Statement all_places(const std::string& hub, const std::string& lease);
std::vector<hub::PlaceAt> places_at(const pg::Rows& rows);

// Of one hub.
class PlaceRows {
 public:
  PlaceRows(pg::Session& session, std::string hub, std::string lease)
      : session_(session), hub_(std::move(hub)), lease_(std::move(lease)) {}

  // It is connected to this hub now, and to no other any more. Errors: denied (another user has one of that name), failed (this hub is
  // dead), the store's.
  Result<hub::PlaceAt> connected(const std::string& place, const std::string& body, const std::string& user);
  Result<void> gone(const std::string& place, std::uint64_t connection);  // nothing, when it has connected since
  Result<std::optional<hub::PlaceAt>> find(const std::string& place);
  Result<std::vector<std::string>> left_sessions(const std::string& place);  // store/hub/left_sessions.h
  Result<void> forget_left_session(const std::string& place, const std::string& session);

 private:
  pg::Session& session_;
  std::string hub_;
  std::string lease_;
};

}  // namespace parlance::store

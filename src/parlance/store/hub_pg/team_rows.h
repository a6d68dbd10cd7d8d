// SPDX-License-Identifier: Apache-2.0
// The rows of users and tokens: read by hubs, written by a team's administrator. Blocking; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/team/audit.h"
#include "parlance/hub/team/team.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// A hub keeps all users and tokens in memory, and scans them for every presented token.
inline constexpr std::size_t most_users = 1'000;
inline constexpr std::size_t most_tokens = 10'000;

inline constexpr const char* all_users = "SELECT id, name, role, disabled FROM users ORDER BY name COLLATE \"C\"";
inline constexpr const char* all_tokens =
    "SELECT id, hash, page_hash, user_id, kind, label, created_at, expires_at FROM tokens ORDER BY hash";
// The rows of both queries, in their order.
hub::Team team_of(const pg::Rows& users, const pg::Rows& tokens);

// Changes take effect at a gateway with its next notice; at the latest with the lease's renewal.
class TeamRows {
 public:
  // Migrates the tables first. `by`: the administrator's name for the audit. Errors: those of the server and of migrate_hub.
  static Result<TeamRows> open(const std::string& address, std::string by = {});

  // Disabled users and expired tokens included.
  Result<hub::Team> all();
  Result<WallTime> now();  // the database's time: gateways check token expiry against it
  Result<hub::User> add_user(std::string name, hub::TeamRole role);    // invalid_params: a name in use, or an invalid name
  Result<void> set_role(const std::string& name, hub::TeamRole role);  // not_found; same below
  // The user's tokens remain, and are invalid while the user is disabled.
  Result<void> set_disabled(const std::string& name, bool disabled);
  // Stores all fields of `token` except id and user; not_found: no such user.
  Result<hub::Token> add_token(const std::string& user_name, hub::Token token);
  Result<void> revoke_token(const std::string& id);  // not_found

 private:
  TeamRows(std::unique_ptr<pg::Interrupt> interrupt, std::unique_ptr<pg::Connection> connection, std::string by)
      : interrupt_(std::move(interrupt)), connection_(std::move(connection)), by_(std::move(by)) {}
  // Executes `sql`, writes the returned columns (about, detail) to the audit, and notifies the gateways. Returns the rows.
  Result<pg::Rows> change(std::string_view what, const std::string& sql, std::vector<pg::Parameter> parameters);

  std::unique_ptr<pg::Interrupt> interrupt_;
  std::unique_ptr<pg::Connection> connection_;
  std::string by_;
};

}  // namespace parlance::store

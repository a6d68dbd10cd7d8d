// SPDX-License-Identifier: Apache-2.0
// The users and tokens of a team as rows: how hubs read them, and how a person who runs the team writes them. Blocking; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/log/audit.h"
#include "parlance/hub/team/team.h"
#include "parlance/pg/connection.h"

namespace parlance::store {

// A hub keeps all of them in memory, and looks at each for every token that is shown.
inline constexpr std::size_t most_users = 1'000;
inline constexpr std::size_t most_tokens = 10'000;

inline constexpr const char* all_users = "SELECT id, name, role, disabled FROM users ORDER BY name COLLATE \"C\"";
inline constexpr const char* all_tokens =
    "SELECT id, hash, page_hash, user_id, kind, label, created_at, expires_at FROM tokens ORDER BY hash";
hub::Team team_of(const pg::Rows& users, const pg::Rows& tokens);

// Changes are in force at every gateway as soon as it hears of them; the lease's renewal at the latest.
class TeamRows {
 public:
  // Brings the tables up to date first. `by`: who changes something, for the audit. Errors: those of the server, and migrate_hub's.
  static Result<TeamRows> open(const std::string& address, std::string by = {});

  Result<hub::Team> all();
  Result<WallTime> now();                                            // of the database: gateways judge the expiry of tokens by it
  Result<hub::User> add_user(std::string name, hub::TeamRole role);  // invalid_params: taken, or no name
  Result<void> set_role(const std::string& name, hub::TeamRole role);  // not_found, as below
  // Their tokens stay, and open nothing while they are disabled.
  Result<void> set_disabled(const std::string& name, bool disabled);
  // Keeps what `token` says but for its id and user; not_found: no such user.
  Result<hub::Token> add_token(const std::string& user_name, hub::Token token);
  Result<void> revoke_token(const std::string& id);  // not_found

 private:
  TeamRows(std::unique_ptr<pg::Interrupt> interrupt, std::unique_ptr<pg::Connection> connection, std::string by)
      : interrupt_(std::move(interrupt)), connection_(std::move(connection)), by_(std::move(by)) {}
  // Does it, writes down what `RETURNING` says was done (about, detail), and tells the gateways; the rows that came back.
  Result<pg::Rows> change(std::string_view what, const std::string& sql, std::vector<pg::Parameter> parameters);

  std::unique_ptr<pg::Interrupt> interrupt_;
  std::unique_ptr<pg::Connection> connection_;
  std::string by_;
};

}  // namespace parlance::store

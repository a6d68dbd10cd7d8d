// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/team_rows.h"

#include <utility>

#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/store/hub_pg/notices.h"
#include "parlance/store/hub_pg/schema.h"

namespace parlance::store {
namespace {

constexpr const char* name_is_taken = "23505";

}  // namespace

// An unknown role or kind of a newer program grants no access.
hub::Team team_of(const pg::Rows& users, const pg::Rows& tokens) {
  hub::Team team;
  for (std::size_t i = 0; i < users.size(); ++i) {
    const auto role = hub::role_named(users.text(i, 2));
    team.users.push_back({.id = std::string(users.text(i, 0)),
                          .name = std::string(users.text(i, 1)),
                          .role = role.value_or(hub::TeamRole::viewer),
                          .disabled = users.truth(i, 3) || !role});
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto kind = hub::token_kind_named(tokens.text(i, 4));
    if (!kind) continue;
    team.tokens.push_back({.id = std::string(tokens.text(i, 0)),
                           .hash = tokens.bytes(i, 1),
                           .page_hash = tokens.bytes(i, 2),
                           .user = std::string(tokens.text(i, 3)),
                           .kind = *kind,
                           .label = std::string(tokens.text(i, 5)),
                           .created_at = std::string(tokens.text(i, 6)),
                           .expires_at = tokens.text_or_null(i, 7)});
  }
  return team;
}

Result<TeamRows> TeamRows::open(const std::string& address, std::string by) {
  auto interrupt = std::make_unique<pg::Interrupt>();
  auto connection = pg::Connection::open({.address = address, .name = "parlance team"}, *interrupt);
  if (!connection) return std::unexpected(pg::error_of(connection.error()));
  PARLANCE_TRY_DO(migrate_hub(**connection));
  return TeamRows(std::move(interrupt), *std::move(connection), std::move(by));
}

Result<hub::Team> TeamRows::all() {
  const auto rows = connection_->run(std::vector<pg::Statement>{{.sql = all_users}, {.sql = all_tokens}});
  if (!rows) return std::unexpected(pg::error_of(rows.error()));
  return team_of((*rows)[0], (*rows)[1]);
}

Result<WallTime> TeamRows::now() {
  const auto rows = connection_->run({.sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"});
  if (!rows) return std::unexpected(pg::error_of(rows.error()));
  const auto since = parse_number<std::int64_t>(rows->text(0, 0));
  if (!since) return fail(Errc::failed, "the database did not report its time: check the connection with `parlance doctor`");
  return WallTime(std::chrono::milliseconds(*since));
}

// A single statement makes the change and writes its audit entry.
Result<pg::Rows> TeamRows::change(std::string_view what, const std::string& sql, std::vector<pg::Parameter> parameters) {
  const std::string next = std::to_string(parameters.size() + 1);
  const std::string after_next = std::to_string(parameters.size() + 2);
  parameters.emplace_back(what);
  parameters.emplace_back(by_);
  std::vector<pg::Statement> statements{
      {.sql = "BEGIN"},
      {.sql = "WITH done AS (" + sql +
              "), audited AS (INSERT INTO audit(what, user_id, by_name, about, conversation, detail) "
              "SELECT $" +
              next + ", '', $" + after_next + ", about, '', detail FROM done) SELECT * FROM done",
       .parameters = std::move(parameters)},
      {.sql = "UPDATE rules_version SET version = version + 1"},
      {.sql = "COMMIT"}};
  for (const std::string& payload : payloads_of({.settings_changed = true}, "team"))
    statements.push_back({.sql = "SELECT pg_notify($1, $2)", .parameters = {notice_channel, payload}});
  auto rows = connection_->run(statements);
  if (rows) return std::move((*rows)[1]);
  if (rows.error().sqlstate == name_is_taken) return fail(Errc::invalid_params, "that name is taken");
  return std::unexpected(pg::error_of(rows.error()));
}

Result<hub::User> TeamRows::add_user(std::string name, hub::TeamRole role) {
  if (const std::string fault = hub::name_fault(name); !fault.empty()) return fail(Errc::invalid_params, fault);
  hub::User user{.id = make_id("user_"), .name = std::move(name), .role = role};
  // `ann` and `Ann` read as the same name. The table's unique key decides; this check names the other user.
  PARLANCE_TRY(known, all());
  for (const hub::User& other_user : known.users)
    if (equal_ignoring_case(other_user.name, user.name))
      return fail(Errc::invalid_params,
                  "the name " + user.name + " is taken by the user " + other_user.name + ": choose another one");
  PARLANCE_TRY(added, change(hub::audit::user_added,
                             "INSERT INTO users(id, name, role) SELECT $1, $2, $3 WHERE (SELECT count(*) FROM users) < $4 "
                             "RETURNING id AS about, name || ', ' || role AS detail",
                             {user.id, user.name, to_string(role), most_users}));
  if (added.empty())
    return fail(Errc::overloaded, "there are " + std::to_string(most_users) + " users already, and that is the most");
  return user;
}

Result<void> TeamRows::set_role(const std::string& name, hub::TeamRole role) {
  PARLANCE_TRY(changed, change(hub::audit::role_changed,
                               "UPDATE users SET role = $2 WHERE name = $1 RETURNING id AS about, name || ', ' || role AS detail",
                               {name, to_string(role)}));
  if (changed.empty()) return fail(Errc::not_found, "no such user: " + name);
  return {};
}

Result<void> TeamRows::set_disabled(const std::string& name, bool disabled) {
  PARLANCE_TRY(changed, change(disabled ? hub::audit::user_disabled : hub::audit::user_enabled,
                               "UPDATE users SET disabled = $2::boolean WHERE name = $1 RETURNING id AS about, name AS detail",
                               {name, disabled ? "true" : "false"}));
  if (changed.empty()) return fail(Errc::not_found, "no such user: " + name);
  return {};
}

Result<hub::Token> TeamRows::add_token(const std::string& user_name, hub::Token token) {
  token.id = make_id("token_");
  PARLANCE_TRY(added,
               change(hub::audit::token_made,
                      "INSERT INTO tokens(id, hash, page_hash, user_id, kind, label, created_at, expires_at) "
                      "SELECT $1, $2, $3, u.id, $5, $6, $7, $8 FROM users AS u WHERE u.name = $4 "
                      "AND (SELECT count(*) FROM tokens) < $9 RETURNING id AS about, $4 || ', ' || kind AS detail, user_id",
                      {token.id, pg::Parameter::bytes(token.hash), pg::Parameter::bytes(token.page_hash), user_name,
                       to_string(token.kind), token.label, token.created_at, token.expires_at, most_tokens}));
  if (added.empty()) {
    PARLANCE_TRY(team, all());
    if (team.tokens.size() >= most_tokens)
      return fail(Errc::overloaded,
                  "there are " + std::to_string(most_tokens) + " tokens already: revoke some with `parlance tokens revoke`");
    return fail(Errc::not_found, "no such user: " + user_name + "; `parlance users list` shows all");
  }
  token.user = added.text(0, 2);
  return token;
}

Result<void> TeamRows::revoke_token(const std::string& id) {
  PARLANCE_TRY(gone, change(hub::audit::token_revoked,
                            "DELETE FROM tokens AS t WHERE id = $1 RETURNING id AS about, (SELECT name FROM users WHERE id = "
                            "t.user_id) || ', ' || kind AS detail",
                            {id}));
  if (gone.empty()) return fail(Errc::not_found, "no such token: " + id + "; `parlance tokens list` shows all");
  return {};
}

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// The people of a hub: users of a team, roles, tokens, and the caller of a connection. Values; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::hub {

// Ascending: each role includes the permissions of the previous role (rights.h).
enum class TeamRole : std::uint8_t { viewer, member, admin };
std::string_view to_string(TeamRole role);
std::optional<TeamRole> role_named(std::string_view name);

// Access of others to a conversation; `team` allows reading and prompting. The underscore: `private` is a keyword.
enum class Access : std::uint8_t { private_, view, team };
std::string_view to_string(Access access);
std::optional<Access> access_named(std::string_view name);

// A runner's token is valid only for runner connections; a person's token for everything else.
enum class TokenKind : std::uint8_t { person, runner };
std::string_view to_string(TokenKind kind);
std::optional<TokenKind> token_kind_named(std::string_view name);

// A person of the team.
struct User {
  std::string id{};
  std::string name{};                // unique; visible to others
  TeamRole role = TeamRole::member;  // at all gateways of the team
  bool disabled = false;             // the user's tokens are invalid
  friend bool operator==(const User&, const User&) = default;
};

// A stored token: only hashes, so the record grants no access.
struct Token {
  std::string id{};         // for revocation
  std::string hash{};       // SHA-256 of the token, as bytes
  std::string page_hash{};  // SHA-256 of the page cookie that belongs to the token (gateway/page_cookie.h)
  std::string user{};
  TokenKind kind = TokenKind::person;
  std::string label{};  // for people
  std::string created_at{};
  std::optional<std::string> expires_at{};  // RFC 3339
  friend bool operator==(const Token&, const Token&) = default;
};

// The caller of a connection. The person of this machine, with the token of the state folder, has the id '' and the role admin.
// Without a team this is the only caller.
struct Caller {
  std::string user{};  // User::id
  std::string name{};  // User::name
  TeamRole role = TeamRole::admin;
  TokenKind kind = TokenKind::person;
  std::string token{};  // Token::id; empty: this machine's own
  friend bool operator==(const Caller&, const Caller&) = default;
};

// Shared by all calls of a connection. Never null.
using CallerPtr = std::shared_ptr<const Caller>;
// The caller without a user: an admin on this machine.
const CallerPtr& person_of_this_machine();

// Why the name is invalid; empty: valid.
std::string name_fault(std::string_view name);

}  // namespace parlance::hub

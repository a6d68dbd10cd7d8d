// SPDX-License-Identifier: Apache-2.0
// Who works with a hub: the users of a team, their roles, the tokens that they show, and whoever is at the other end of a connection.
// Values; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::hub {

// In this order each may what the one before it may, and more (rights.h).
enum class TeamRole : std::uint8_t { viewer, member, admin };
std::string_view to_string(TeamRole role);
std::optional<TeamRole> role_named(std::string_view name);

// What others may do with a conversation; of `team` they may read and join in. The underscore: `private` is a keyword.
enum class Access : std::uint8_t { private_, view, team };
std::string_view to_string(Access access);
std::optional<Access> access_named(std::string_view name);

// A runner's token opens the place where runners come in, and nothing else; a person's everything but that.
enum class TokenKind : std::uint8_t { person, runner };
std::string_view to_string(TokenKind kind);
std::optional<TokenKind> token_kind_named(std::string_view name);

// A person of the team.
struct User {
  std::string id{};
  std::string name{};  // unique; what others see of them
  TeamRole role = TeamRole::member;
  bool disabled = false;  // nothing of theirs opens anything
  friend bool operator==(const User&, const User&) = default;
};

// A token as it is kept: nothing here opens anything.
struct Token {
  std::string id{};         // to revoke it
  std::string hash{};       // SHA-256 of it, as bytes
  std::string page_hash{};  // SHA-256 of the value of the cookie that a page is given for it (gateway/page_cookie.h)
  std::string user{};
  TokenKind kind = TokenKind::person;
  std::string label{};  // for people
  std::string created_at{};
  std::optional<std::string> expires_at{};  // RFC 3339
  friend bool operator==(const Token&, const Token&) = default;
};

// Who is at the other end. The person of this machine, who has the token of its state folder, is the user '' and an admin: without a team
// there is nobody else.
struct Caller {
  std::string user{};  // User::id
  std::string name{};  // User::name
  TeamRole role = TeamRole::admin;
  TokenKind kind = TokenKind::person;
  std::string token{};  // Token::id; empty: this machine's own
  friend bool operator==(const Caller&, const Caller&) = default;
};

// Shared by all that one connection does. Never null.
using CallerPtr = std::shared_ptr<const Caller>;
const CallerPtr& person_of_this_machine();

// Why nobody can be called so; empty: somebody can.
std::string name_fault(std::string_view name);

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/team/team.h"

#include <algorithm>

#include "parlance/base/secret.h"

namespace parlance::hub {

const User* Team::user(std::string_view id) const {
  const auto found = std::ranges::find(users, id, &User::id);
  return found == users.end() ? nullptr : &*found;
}

CallerPtr Team::caller_of(const Token& token, std::string_view now) const {
  const User* const owner = user(token.user);
  if (owner == nullptr || owner->disabled || (token.expires_at && *token.expires_at <= now)) return nullptr;
  return std::make_shared<const Caller>(
      Caller{.user = owner->id, .name = owner->name, .role = owner->role, .kind = token.kind, .token = token.id});
}

const User* Team::user_named(std::string_view name) const {
  const auto found = std::ranges::find(users, name, &User::name);
  return found == users.end() ? nullptr : &*found;
}

// Compares every token, so the duration reveals no position.
CallerPtr Team::by_token(std::string_view hash, std::string_view now) const {
  const Token* found = nullptr;
  for (const Token& token : tokens)
    if (equal_in_constant_time(token.hash, hash)) found = &token;
  return found == nullptr ? nullptr : caller_of(*found, now);
}

CallerPtr Team::by_cookie(std::string_view hash, std::string_view now) const {
  const Token* found = nullptr;
  for (const Token& token : tokens)
    if (token.kind == TokenKind::person && equal_in_constant_time(token.page_hash, hash)) found = &token;
  return found == nullptr ? nullptr : caller_of(*found, now);
}

bool Team::is_current(const Caller& caller, std::string_view now) const {
  if (caller.token.empty()) return true;
  const auto token = std::ranges::find(tokens, caller.token, &Token::id);
  if (token == tokens.end()) return false;
  const CallerPtr is = caller_of(*token, now);
  return is != nullptr && *is == caller;
}

}  // namespace parlance::hub

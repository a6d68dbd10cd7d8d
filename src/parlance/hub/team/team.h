// SPDX-License-Identifier: Apache-2.0
// All users and tokens of a team, with lookup by token. Immutable once shared; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "parlance/hub/team/user.h"

namespace parlance::hub {

struct Team {
  std::vector<User> users{};    // by name
  std::vector<Token> tokens{};  // by hash
  friend bool operator==(const Team&, const Team&) = default;

  // Null: unknown. Valid as long as this team.
  const User* user(std::string_view id) const;
  // By User::name, as in logs and queues. Names are unique and final: no user is renamed or deleted.
  const User* user_named(std::string_view name) const;
  // The owner of a token, or of a page's cookie, with this SHA-256; null: unknown, disabled, revoked or expired at `now` (RFC
  // 3339).
  CallerPtr by_token(std::string_view hash, std::string_view now) const;
  CallerPtr by_cookie(std::string_view hash, std::string_view now) const;
  // Whether the caller's token and role are still valid.
  bool is_current(const Caller& caller, std::string_view now) const;

 private:
  // Null: the owner is unknown or disabled, or the token has expired.
  CallerPtr caller_of(const Token& token, std::string_view now) const;
};

// Null: no team, only the person of this machine.
using TeamPtr = std::shared_ptr<const Team>;

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// All users and tokens of a team, as a hub knows them: whoever shows a token is found here. A value that is never changed once it is shared;
// any thread.
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

  const User* user(std::string_view id) const;
  // By User::name, as logs and queues have it. Names are unique and final: no user is renamed or deleted.
  const User* user_named(std::string_view name) const;
  // Whose token or whose page's cookie has this SHA-256; null: nobody's who may come in at `now` (RFC 3339).
  CallerPtr by_token(std::string_view hash, std::string_view now) const;
  CallerPtr by_cookie(std::string_view hash, std::string_view now) const;
  // Whether that caller, who came in earlier, may stay as they are.
  bool still_has(const Caller& caller, std::string_view now) const;

 private:
  CallerPtr caller_of(const Token& token, std::string_view now) const;
};

// Null: there is no team, and the person of this machine is all there is.
using TeamPtr = std::shared_ptr<const Team>;

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// What a person did that stands in no conversation's log, or in one that is gone with it: kept by a store that a team works with, which only
// adds to it. No secrets, and nothing of what is said in conversations: ids and names. Values; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::hub {

namespace audit {
inline constexpr std::string_view conversation_deleted = "conversation_deleted";  // about: its id
inline constexpr std::string_view rule_added = "rule_added";  // about: its id; the conversation's log says how
inline constexpr std::string_view rule_removed = "rule_removed";
inline constexpr std::string_view limits_set = "limits_set";  // of what may be spent
inline constexpr std::string_view user_added = "user_added";  // about: the user's id; detail: their name and role
inline constexpr std::string_view role_changed = "role_changed";
inline constexpr std::string_view user_disabled = "user_disabled";
inline constexpr std::string_view user_enabled = "user_enabled";
inline constexpr std::string_view token_made = "token_made";  // about: Token::id; detail: whose, and its kind
inline constexpr std::string_view token_revoked = "token_revoked";
}  // namespace audit

struct AuditEntry {
  std::string what{};
  std::string user{};  // User::id of who did it; empty: the person of a machine …
  std::string by{};    // … and their name; of a command the account and the machine that it ran on
  std::string about{};
  std::string conversation{};  // where it was done, or what was done to it; empty: in none
  std::string detail{};
};

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// Actions of people outside the logs of conversations, or in deleted conversations. A team's store keeps these entries
// append-only. Entries contain ids and names, without secrets and without texts of conversations. Values; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::hub {

namespace audit {
inline constexpr std::string_view conversation_deleted = "conversation_deleted";  // about: its id
inline constexpr std::string_view rule_added = "rule_added";  // about: its id; the conversation's log has the circumstances
inline constexpr std::string_view rule_removed = "rule_removed";
inline constexpr std::string_view limits_set = "limits_set";  // spending limits
inline constexpr std::string_view user_added = "user_added";  // about: the user's id; detail: their name and role
inline constexpr std::string_view role_changed = "role_changed";
inline constexpr std::string_view user_disabled = "user_disabled";
inline constexpr std::string_view user_enabled = "user_enabled";
inline constexpr std::string_view token_made = "token_made";  // about: Token::id; detail: owner and kind
inline constexpr std::string_view token_revoked = "token_revoked";
}  // namespace audit

struct AuditEntry {
  // One of the names above.
  std::string what{};
  std::string user{};  // User::id of the actor; empty: the person of a machine
  std::string by{};    // the actor's name; for a shell command its account and machine
  std::string about{};
  std::string conversation{};  // conversation of the action; empty: none
  std::string detail{};
};

}  // namespace parlance::hub

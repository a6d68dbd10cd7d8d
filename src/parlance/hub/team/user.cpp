// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/team/user.h"

#include <algorithm>
#include <array>

#include "parlance/base/visible_text.h"

namespace parlance::hub {
namespace {

constexpr std::size_t longest_name = 64;  // bytes: one line of a list

// Values of `Ask::by` without a user: reserved, so no user can have such a name.
constexpr std::array<std::string_view, 9> others_who_answer{"person",  "terminal", "host",  "expiry", "stop",
                                                            "restart", "takeover", "agent", "mode"};

template <class Value, std::size_t Count>
std::optional<Value> named(const std::array<std::string_view, Count>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Value>(found - names.begin());
}

constexpr std::array<std::string_view, 3> roles{"viewer", "member", "admin"};
constexpr std::array<std::string_view, 3> accesses{"private", "view", "team"};
constexpr std::array<std::string_view, 2> kinds{"person", "runner"};

}  // namespace

std::string_view to_string(TeamRole role) { return roles.at(static_cast<std::size_t>(role)); }
std::optional<TeamRole> role_named(std::string_view name) { return named<TeamRole>(roles, name); }
std::string_view to_string(Access access) { return accesses.at(static_cast<std::size_t>(access)); }
std::optional<Access> access_named(std::string_view name) { return named<Access>(accesses, name); }
std::string_view to_string(TokenKind kind) { return kinds.at(static_cast<std::size_t>(kind)); }
std::optional<TokenKind> token_kind_named(std::string_view name) { return named<TokenKind>(kinds, name); }

const CallerPtr& person_of_this_machine() {
  static const CallerPtr caller = std::make_shared<const Caller>();
  return caller;
}

std::string name_fault(std::string_view name) {
  if (name.empty()) return "a user needs a name";
  if (name.size() > longest_name) return "a name has at most " + std::to_string(longest_name) + " bytes";
  const auto breaks = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  if (std::ranges::any_of(name, breaks)) return "a name is one word, without spaces";
  if (has_hidden_characters(name)) return "a name is printable text, without hidden characters";
  if (std::ranges::find(others_who_answer, name) != others_who_answer.end())
    return "\"" + std::string(name) + "\" says in the log that no user answered: choose another name";
  return {};
}

}  // namespace parlance::hub

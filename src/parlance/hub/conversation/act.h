// SPDX-License-Identifier: Apache-2.0
// A person's action on a conversation without an event kind of its own. Part of an event::Notice, so that a page or gateway of an
// earlier version still shows the sentence. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parlance::hub {

// Strings instead of an enumeration: an older program reads a log with acts of a newer program.
namespace act {
inline constexpr std::string_view title = "title";        // `value`: the new title
inline constexpr std::string_view model = "model";        // `value`: the name of the model
inline constexpr std::string_view think = "think";        // `value`: true or false
inline constexpr std::string_view archived = "archived";  // `value`: true or false
inline constexpr std::string_view access = "access";      // `value`: private, view or team
inline constexpr std::string_view stop = "stop";          // stops the turn
inline constexpr std::string_view resume = "go_on";       // resumes the held queue
inline constexpr std::string_view restart = "restart";    // restarts an agent that had died
inline constexpr std::string_view withdraw = "withdraw";  // `value`: User::name of the prompt's author, if another user
}  // namespace act

struct Act {
  std::string what{};
  std::optional<std::string> value{};
  std::optional<std::string> by{};  // User::name; absent: the person of this machine
  friend bool operator==(const Act&, const Act&) = default;
};

// A sentence for people. Empty: an unknown act.
std::string sentence_of(const Act& act);

}  // namespace parlance::hub

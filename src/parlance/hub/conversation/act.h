// SPDX-License-Identifier: Apache-2.0
// What a person did with a conversation where no event of its own says it: part of an event::Notice, so that whoever knows nothing of it (a
// page or a gateway of before) has the sentence. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parlance::hub {

// Texts, and no enumeration: a log with one that only a newer program knows is read all the same.
namespace act {
inline constexpr std::string_view title = "title";        // `value`: the new one
inline constexpr std::string_view model = "model";        // … its name
inline constexpr std::string_view think = "think";        // … true or false
inline constexpr std::string_view archived = "archived";  // … the same
inline constexpr std::string_view access = "access";      // … private, view, team
inline constexpr std::string_view stop = "stop";          // the turn
inline constexpr std::string_view go_on = "go_on";        // the queue, which was held back
inline constexpr std::string_view restart = "restart";    // the agent, which had died
inline constexpr std::string_view withdraw =
    "withdraw";  // `value`: User::name of who had written the prompt, where that is somebody else
}  // namespace act

struct Act {
  std::string what{};
  std::optional<std::string> value{};
  std::optional<std::string> by{};  // User::name; absent: the person of this machine
  friend bool operator==(const Act&, const Act&) = default;
};

// A sentence for people. Empty: no such act is known here.
std::string sentence_of(const Act& act);

}  // namespace parlance::hub

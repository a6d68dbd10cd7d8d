// SPDX-License-Identifier: Apache-2.0
// The commands with an event of their own in the log, compared with the log: the log has a taken command once, and a refused command never.
// A command comes behind each command that was taken before its start.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::simulator {

// The error of a command that has no effect, now or later. Other errors leave the outcome open.
bool is_refusal(const Error& error);

class CommandBook {
 public:
  enum class Kind : std::uint8_t { title, option, cleared, withdrawn, turn_without_prompt, restarted, resumed, stopped };
  struct Effect {
    Kind kind{};
    std::string value{};  // unique in the conversation; empty: the kind has no value
    auto operator<=>(const Effect&) const = default;
  };
  static std::optional<Effect> effect_of(const hub::Command& command);

  std::size_t sent(std::string conversation, std::string person, Effect effect);
  void settled(std::size_t command, const Error* error);  // null: the command is taken
  // `wrong` receives each disagreement.
  void compare(const std::string& conversation, const std::vector<hub::Event>& log,
               const std::function<void(std::string what)>& wrong) const;

 private:
  using Key = std::tuple<std::string, Effect>;  // person
  struct Sent {
    Key key{};
    std::uint64_t number = 0;
    std::uint64_t taken = 0;  // number of the outcome; 0: none, or an error
    bool refused = false;
  };
  std::map<std::string, std::vector<std::size_t>> by_conversation_;
  std::vector<Sent> sent_;
  std::uint64_t numbers_ = 0;
};

}  // namespace parlance::simulator

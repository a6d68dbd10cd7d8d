// SPDX-License-Identifier: Apache-2.0
// Agents and services, as every frontend shows them, and the options of an agent beside mode, model and thinking. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/conversation/prompt.h"

namespace parlance::hub {

enum class OptionType : std::uint8_t { choice, boolean };

// One value of a choice: the stored text, and its name and effect for people.
struct OptionValue {
  std::string value{};
  std::string name{};
  std::string description{};
  friend bool operator==(const OptionValue&, const OptionValue&) = default;
};

// An option of an agent beside mode, model and thinking, with its present value.
struct AgentOption {
  std::string id{};
  std::string name{};  // for people
  std::string description{};
  std::string category{};  // ACP's: mode, model, model_config, thought_level; empty: no category
  OptionType kind = OptionType::choice;
  std::vector<OptionValue> values{};  // of a choice
  std::string value{};                // current value; of a boolean "true" or "false"
  friend bool operator==(const AgentOption&, const AgentOption&) = default;
};

// The options `offered`, replaced by options of `chosen` with the same id; options known only to the conversation's agent follow.
std::vector<AgentOption> options_in_force(const std::vector<AgentOption>& offered, const std::vector<AgentOption>& chosen);
// Checks whether the option accepts `value`. Errors: invalid_params, with the possible values.
Result<void> check_option(const AgentOption& option, std::string_view value);
// The chosen value of an option; empty: the agent's own choice.
std::string option_value(const std::vector<AgentOption>& options, std::string_view id);

enum class Health : std::uint8_t { ready, starting, down };

// An agent that frontends can choose, and its abilities.
struct AgentInfo {
  std::string id{};
  std::string name{};
  Health state = Health::ready;
  std::string detail{};               // reason of a failure or wait, for people; empty: none
  std::vector<Mode> modes{};          // supported modes, in the order of a menu
  std::vector<std::string> models{};  // names for SessionSetup::model; empty: the agent offers no choice
  bool scripted = false;              // answers come from a script, and frontends must say so
  // Accepted media types beside text: "image/png", "text/*"; absent: unknown.
  std::optional<std::vector<std::string>> media_types{};
  std::optional<bool> keeps_sessions{};                 // AgentProvider::sessions may list sessions
  std::optional<std::vector<AgentOption>> options{};    // the possible options, with the agent's default
  std::optional<std::vector<SlashCommand>> commands{};  // valid until a conversation's agent reports its own (event::Commands)
  // The agent works on the machine of this runner, in these folders and below; absent: on this machine.
  std::optional<std::string> runner{};
  std::optional<std::vector<std::string>> folders{};
  // User::id of the account's owner: only this user may begin conversations. Absent: all users may. Not shown to frontends.
  std::optional<std::string> user{};
  friend bool operator==(const AgentInfo&, const AgentInfo&) = default;
};

// A service of the gateway or the hub, such as "store".
struct ServiceInfo {
  std::string name{};
  Health state = Health::ready;
  std::string detail{};  // reason of a failure, for people; empty: none
  friend bool operator==(const ServiceInfo&, const ServiceInfo&) = default;
};

namespace event {

struct OptionChanged {  // kind "option"
  std::string id{};
  std::string name{};
  std::string value{};
  std::string by{};  // "person", "agent", User::name
  friend bool operator==(const OptionChanged&, const OptionChanged&) = default;
};

}  // namespace event

}  // namespace parlance::hub

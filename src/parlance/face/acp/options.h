// SPDX-License-Identifier: Apache-2.0
// A client's choices in a session: the mode (the hub's policy), the model, thinking, and the agent's own options. Clients get the
// choices as modes, as models (older drafts of the protocol), and as config options. Pure; values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/command.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/protocol/acp/session.h"

namespace parlance::face {

// `id`: the hub's name of a mode; iFlow has the same names. Absent: no such mode.
std::optional<hub::Mode> acp_mode(std::string_view id);

acp::SessionModes acp_modes(const hub::AgentInfo& agent, const hub::SessionSetup& setup);
// Absent: the agent names no models.
std::optional<acp::SessionModels> acp_models(const hub::AgentInfo& agent, const hub::SessionSetup& setup);
// `booleans`: the client can show booleans. Otherwise each boolean is a choice between on and off.
std::vector<acp::ConfigOption> acp_options(const hub::AgentInfo& agent, const hub::SessionSetup& setup, bool booleans);

// The effect of a client's choice.
struct AgentOptionChosen {
  std::string id{};
  std::string value{};
};
using AcpChoice = std::variant<hub::ConversationChanges, AgentOptionChosen>;
// `value_json`: as received. Errors: invalid_params, with the possible choices.
Result<AcpChoice> acp_choice(const hub::AgentInfo& agent, const hub::SessionSetup& setup, const std::string& option,
                             std::string_view value_json);
// Errors: invalid_params.
Result<hub::Mode> acp_mode_choice(const hub::AgentInfo& agent, std::string_view id);
Result<std::string> acp_model_choice(const hub::AgentInfo& agent, const std::string& id);

// Whether the agent can see pictures. True for an agent that reports no media types.
bool takes_pictures(const hub::AgentInfo& agent);
// The first mode of a session with iFlow's settings. Absent: the settings name no known mode. With a list of allowed tools, the
// mode is default or plan. The list names iFlow's own tools, so the hub cannot enforce the list and asks about calls.
std::optional<hub::Mode> mode_of(const acp::IflowSettings& settings);
// The options of each prompt in a session with the settings.
hub::PromptOptions options_of(const acp::IflowSettings& settings);

}  // namespace parlance::face

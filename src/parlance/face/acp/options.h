// SPDX-License-Identifier: Apache-2.0
// What a client may choose in a session: the mode (our policy), the model, thinking, and what the agent itself offers; told as modes, as
// models for clients of older drafts, and as config options. Pure; values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/hub/hub.h"
#include "parlance/protocol/acp/session.h"

namespace parlance::face {

// By the hub's own names, which are those of iFlow too; nothing when there is no such mode.
std::optional<hub::Mode> acp_mode(std::string_view id);

acp::SessionModes acp_modes(const hub::AgentInfo& agent, const hub::Conversation& conversation);
// Nothing when the agent names no models.
std::optional<acp::SessionModels> acp_models(const hub::AgentInfo& agent, const hub::Conversation& conversation);
// `booleans`: the client can show them; otherwise they are choices between on and off.
std::vector<acp::ConfigOption> acp_options(const hub::AgentInfo& agent, const hub::Conversation& conversation, bool booleans);

// What a client's choice changes.
struct AgentOptionChosen {
  std::string id{};
  std::string value{};
};
using AcpChoice = std::variant<hub::ConversationChanges, AgentOptionChosen>;
// `value_json`: as it came. Errors: invalid_params, with what can be chosen.
Result<AcpChoice> acp_choice(const hub::AgentInfo& agent, const hub::Conversation& conversation, const std::string& option,
                             std::string_view value_json);
// Errors: invalid_params.
Result<hub::Mode> acp_mode_choice(const hub::AgentInfo& agent, std::string_view id);
Result<std::string> acp_model_choice(const hub::AgentInfo& agent, const std::string& id);

// Whether the agent can be shown pictures. An agent that does not say is shown them.
bool takes_pictures(const hub::AgentInfo& agent);
// The mode in which a session of iFlow's settings begins. Absent: the settings name no known mode. With a list of allowed tools
// it is default or plan: the names are those of iFlow's own tools, so the list cannot be enforced here, and calls are asked.
std::optional<hub::Mode> mode_of(const acp::IflowSettings& settings);
// The options of each prompt in a session of these settings.
hub::PromptOptions options_of(const acp::IflowSettings& settings);

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// Converts ACP values into values of the hub. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/stop_reason.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::hub {
struct AgentOption;  // conversation/conversation.h
namespace event {
struct Plan;  // conversation/event.h
}
}  // namespace parlance::hub

namespace parlance::driver {

hub::CallKind call_kind(const acp::Open<acp::ToolKind>& kind);  // an unknown kind: other
std::vector<hub::Location> locations_of(const std::vector<acp::ToolLocation>& locations);
hub::Diff diff_of(const acp::ToolDiff& diff);  // a change of an empty file is shown as a new file
std::vector<hub::ToolContent> content_of(const std::vector<acp::ToolContent>& contents);
// A block as text for people: other content by name.
std::string words_of(const acp::Content& block);

hub::event::Plan plan_of(const acp::Plan& plan);
std::vector<hub::SlashCommand> commands_of(const std::vector<acp::AvailableCommand>& commands);
hub::StopReason stop_reason_of(const acp::Open<acp::StopReason>& reason);
std::optional<hub::event::Usage> usage_of(const acp::PromptResult& result);
// Qwen reports usage in the `_meta` of an empty piece of text.
std::optional<hub::event::Usage> usage_in_meta(std::string_view meta_json);
// "name" of `_meta`: some agents report the tool's name here.
std::string tool_name_in_meta(std::string_view meta_json);
// The next piece of a command's output in `_meta`: codex-acp reports all output here. Empty: no output.
std::string command_output_in_meta(std::string_view meta_json);

// ---- options

// "true" or "false" for a boolean.
std::string current_value(const acp::ConfigOption& option);
hub::AgentOption option_of(const acp::ConfigOption& option);
std::vector<hub::AgentOption> options_of(const std::vector<acp::ConfigOption>& options);
// For agents that report models outside their options; the id is `models_option`.
inline constexpr std::string_view models_option = "model";
hub::AgentOption option_of(const acp::SessionModels& models);

}  // namespace parlance::driver

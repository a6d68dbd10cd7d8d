// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/options.h"

#include <algorithm>
#include <array>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/mode.h"

namespace parlance::face {
namespace {

constexpr std::string_view mode_option = "mode";
constexpr std::string_view model_option = "model";
constexpr std::string_view thinking_option = "thinking";
// Replaces an unset model: config options must have a value.
constexpr std::string_view default_model = "default";

struct ModeWords {
  hub::Mode mode;
  std::string_view name;
  std::string_view description;
};
constexpr std::array<ModeWords, 5> mode_words{{
    {hub::Mode::default_, "Ask", "Reads freely inside the folder; asks before every change and every command."},
    {hub::Mode::auto_edit, "Edit freely", "Changes files inside the folder without asking; asks before every command."},
    {hub::Mode::smart, "Smart", "Does harmless things without asking; asks before all others."},
    {hub::Mode::plan, "Plan", "Looks and plans; changes and runs nothing."},
    {hub::Mode::yolo, "Never ask", "Does everything without asking."},
}};

const ModeWords& words_of(hub::Mode mode) { return *std::ranges::find(mode_words, mode, &ModeWords::mode); }

std::string json_text(std::string_view text) { return json::to_text(json::Value(text)); }

std::vector<hub::AgentOption> of_agent(const hub::AgentInfo& agent, const hub::SessionSetup& setup) {
  return hub::options_in_force(agent.options.value_or(std::vector<hub::AgentOption>{}),
                               setup.options.value_or(std::vector<hub::AgentOption>{}));
}

// An option of the agent replaces the built-in option.
bool has(const std::vector<hub::AgentOption>& options, std::string_view id, std::string_view category) {
  return std::ranges::any_of(options,
                             [&](const hub::AgentOption& option) { return option.id == id || option.category == category; });
}

std::string model_in_force(const hub::SessionSetup& setup) {
  return setup.model.empty() ? std::string(default_model) : setup.model;
}

// Model ids: the agent's models, its default, and the current model from any source.
std::vector<std::string> model_ids(const hub::AgentInfo& agent, const std::string& in_force) {
  std::vector<std::string> ids = agent.models;
  for (const std::string& model : {in_force, std::string(default_model)})
    if (std::ranges::find(ids, model) == ids.end()) ids.insert(ids.begin(), model);
  return ids;
}

std::string model_name(const std::string& id) { return id == default_model ? "The agent's choice" : id; }

acp::ConfigOption boolean_option(std::string id, std::string name, bool value, bool booleans) {
  acp::ConfigOption option{.id = std::move(id), .name = std::move(name)};
  if (booleans) {
    option.type = "boolean";
    option.current_value.json = value ? "true" : "false";
    return option;
  }
  option.current_value.json = json_text(value ? "true" : "false");
  option.options = std::vector<acp::ConfigChoice>{{.value = "true", .name = "On"}, {.value = "false", .name = "Off"}};
  return option;
}

acp::ConfigOption config_option(const hub::AgentOption& from, bool booleans) {
  acp::ConfigOption option{.id = from.id, .name = from.name.empty() ? from.id : from.name};
  if (from.kind == hub::OptionType::boolean) {
    option = boolean_option(from.id, option.name, from.value == "true", booleans);
  } else {
    option.current_value.json = json_text(from.value);
    option.options.emplace();
    for (const hub::OptionValue& value : from.values) {
      acp::ConfigChoice choice{.value = value.value, .name = value.name.empty() ? value.value : value.name};
      if (!value.description.empty()) choice.description = value.description;
      option.options->push_back(std::move(choice));
    }
  }
  if (!from.description.empty()) option.description = from.description;
  if (!from.category.empty()) option.category = from.category;
  return option;
}

acp::ConfigOption mode_choices(const hub::AgentInfo& agent, const hub::SessionSetup& setup) {
  acp::ConfigOption option{.id = std::string(mode_option), .name = "Mode", .category = "mode"};
  const acp::SessionModes modes = acp_modes(agent, setup);
  option.current_value.json = json_text(modes.current_mode_id);
  option.options.emplace();
  for (const acp::SessionMode& mode : modes.available_modes)
    option.options->push_back({.value = mode.id, .name = mode.name, .description = mode.description});
  return option;
}

acp::ConfigOption model_choices(const acp::SessionModels& models) {
  acp::ConfigOption option{.id = std::string(model_option), .name = "Model", .category = "model"};
  option.current_value.json = json_text(models.current_model_id);
  option.options.emplace();
  for (const acp::SessionModel& model : models.available_models)
    option.options->push_back({.value = model.model_id, .name = model.name});
  return option;
}

// Text, or true and false as text: clients send both forms for both types.
Result<std::string> value_of(const std::string& option, std::string_view json) {
  const json::Value value = json::parse_or_null(json);
  if (const std::string* text = value.text()) return *text;
  if (const bool* boolean = value.boolean()) return std::string(*boolean ? "true" : "false");
  return fail(Errc::invalid_params, "$.value: expected text or a boolean for the option " + option);
}

}  // namespace

std::optional<hub::Mode> acp_mode(std::string_view id) {
  for (const ModeWords& words : mode_words)
    if (hub::to_string(words.mode) == id) return words.mode;
  return std::nullopt;
}

acp::SessionModes acp_modes(const hub::AgentInfo& agent, const hub::SessionSetup& setup) {
  acp::SessionModes modes{.current_mode_id = std::string(hub::to_string(setup.mode))};
  std::vector<hub::Mode> all = agent.modes;
  if (std::ranges::find(all, setup.mode) == all.end()) all.insert(all.begin(), setup.mode);
  for (const hub::Mode mode : all) {
    const ModeWords& words = words_of(mode);
    modes.available_modes.push_back({.id = std::string(hub::to_string(mode)),
                                     .name = std::string(words.name),
                                     .description = std::string(words.description)});
  }
  return modes;
}

std::optional<acp::SessionModels> acp_models(const hub::AgentInfo& agent, const hub::SessionSetup& setup) {
  if (agent.models.empty()) return std::nullopt;
  acp::SessionModels models{.current_model_id = model_in_force(setup)};
  for (std::string& id : model_ids(agent, models.current_model_id)) {
    acp::SessionModel model{.name = model_name(id)};
    model.model_id = std::move(id);
    models.available_models.push_back(std::move(model));
  }
  return models;
}

std::vector<acp::ConfigOption> acp_options(const hub::AgentInfo& agent, const hub::SessionSetup& setup, bool booleans) {
  const std::vector<hub::AgentOption> theirs = of_agent(agent, setup);
  std::vector<acp::ConfigOption> options;
  if (!has(theirs, mode_option, "mode")) options.push_back(mode_choices(agent, setup));
  if (const auto models = acp_models(agent, setup); models && !has(theirs, model_option, "model"))
    options.push_back(model_choices(*models));
  if (!has(theirs, thinking_option, "thought_level")) {
    options.push_back(boolean_option(std::string(thinking_option), "Thinking", setup.think, booleans));
    options.back().category = "thought_level";
  }
  for (const hub::AgentOption& option : theirs) options.push_back(config_option(option, booleans));
  return options;
}

Result<hub::Mode> acp_mode_choice(const hub::AgentInfo& agent, std::string_view id) {
  const auto mode = acp_mode(id);
  if (mode && std::ranges::find(agent.modes, *mode) != agent.modes.end()) return *mode;
  std::string all;
  for (const hub::Mode offered : agent.modes) all += (all.empty() ? "" : ", ") + std::string(hub::to_string(offered));
  return fail(Errc::invalid_params, "unknown mode " + std::string(id) + "; the modes are " + all);
}

Result<std::string> acp_model_choice(const hub::AgentInfo& agent, const std::string& id) {
  if (std::ranges::find(agent.models, id) != agent.models.end()) return id;
  if (id == default_model || id.empty()) return std::string();
  std::string all;
  for (const std::string& model : agent.models) all += (all.empty() ? "" : ", ") + model;
  return fail(Errc::invalid_params, "unknown model " + id + (all.empty() ? "" : "; the models are " + all));
}

Result<AcpChoice> acp_choice(const hub::AgentInfo& agent, const hub::SessionSetup& setup, const std::string& option,
                             std::string_view value_json) {
  PARLANCE_TRY(value, value_of(option, value_json));
  const std::vector<hub::AgentOption> theirs = of_agent(agent, setup);
  if (std::ranges::any_of(theirs, [&](const hub::AgentOption& known) { return known.id == option; }))
    return AgentOptionChosen{.id = option, .value = std::move(value)};
  if (option == mode_option) {
    PARLANCE_TRY(mode, acp_mode_choice(agent, value));
    return hub::ConversationChanges{.mode = mode};
  }
  if (option == model_option) {
    PARLANCE_TRY(model, acp_model_choice(agent, value));
    return hub::ConversationChanges{.model = std::move(model)};
  }
  if (option == thinking_option && (value == "true" || value == "false"))
    return hub::ConversationChanges{.think = value == "true"};
  if (option == thinking_option) return fail(Errc::invalid_params, "the option thinking must be true or false");
  return fail(Errc::invalid_params, "unknown option " + option);
}

bool takes_pictures(const hub::AgentInfo& agent) {
  return !agent.media_types ||
         std::ranges::any_of(*agent.media_types, [](const std::string& media_type) { return media_type.starts_with("image/"); });
}

std::optional<hub::Mode> mode_of(const acp::IflowSettings& settings) {
  std::optional<hub::Mode> mode = settings.permission_mode ? acp_mode(*settings.permission_mode) : std::nullopt;
  if (settings.allowed_tools && mode && hub::is_raised(hub::Mode::default_, *mode)) mode = hub::Mode::default_;
  return mode;
}

hub::PromptOptions options_of(const acp::IflowSettings& settings) {
  hub::PromptOptions options{.system = settings.system_prompt, .append_system = settings.append_system_prompt};
  if (settings.max_turns && *settings.max_turns > 0) options.most_rounds = static_cast<std::uint32_t>(*settings.max_turns);
  return options;
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/choices.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/limits.h"
#include "parlance/hub/conversation/session_setup.h"

namespace parlance::driver {
namespace {

constexpr std::string_view thinking = "thinking";

struct Budget {
  std::string_view value;
  std::string_view name;
  std::string_view description;
  std::int64_t tokens;
};
// The budgets of its words "think", "think hard" and "ultrathink".
constexpr Budget budgets[] = {{"off", "Off", "It answers at once.", 0},
                              {"short", "Short", "At most 4,000 tokens.", 4'000},
                              {"long", "Long", "At most 10,000 tokens.", 10'000},
                              {"longest", "Longest", "At most 31,999 tokens.", 31'999}};

}  // namespace

std::vector<hub::AgentOption> claude_options() {
  hub::AgentOption option{
      .id = std::string(thinking),
      .name = "Thinking",
      .description = "How long the model may think before it answers.",
      .category = "thought_level",
      .values = {{.value = "default", .name = "As usual", .description = "The switch \u201cthink\u201d decides."}},
      .value = "default"};
  for (const Budget& budget : budgets)
    option.values.push_back(
        {.value = std::string(budget.value), .name = std::string(budget.name), .description = std::string(budget.description)});
  return {std::move(option)};
}

std::optional<std::int64_t> thinking_tokens(const hub::SessionSetup& setup) {
  const std::string chosen = hub::option_value(setup.options.value_or(std::vector<hub::AgentOption>{}), thinking);
  const auto* const budget = std::ranges::find(budgets, chosen, &Budget::value);
  if (budget != std::end(budgets)) return budget->tokens;
  return setup.think ? std::optional<std::int64_t>(limits::claude_thinking_tokens) : std::nullopt;
}

std::vector<hub::SlashCommand> claude_commands(const wire::Raw& commands) {
  std::vector<hub::SlashCommand> all;
  const json::Value list = json::parse_or_null(commands.json);
  if (list.array() == nullptr) return all;
  for (const json::Value& choice : *list.array()) {
    hub::SlashCommand command{.name = std::string(choice.text_or("name", "")),
                              .description = std::string(choice.text_or("description", ""))};
    if (command.name.empty()) continue;
    if (const std::string_view hint = choice.text_or("argumentHint", ""); !hint.empty()) command.hint = std::string(hint);
    all.push_back(std::move(command));
  }
  return all;
}

}  // namespace parlance::driver

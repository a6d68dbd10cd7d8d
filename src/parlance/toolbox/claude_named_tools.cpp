// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/claude_named_tools.h"

#include <fnmatch.h>

#include "parlance/base/text.h"
#include "parlance/toolbox/claude_tool_names.h"
#include "parlance/toolbox/tool_values.h"

namespace parlance::toolbox {
namespace {

// The lines of `list` whose path matches the pattern. In "**/*.ts", `**/` also matches an empty text.
std::string matching_lines(std::string_view list, const std::string& pattern) {
  if (pattern == "*" || pattern == "**" || pattern == "**/*") return std::string(list);
  const std::string without = pattern.starts_with("**/") ? pattern.substr(3) : pattern;
  std::string fitting;
  for (const std::string_view line : split(list, '\n')) {
    const std::string path(line.substr(0, line.find("  ")));
    if (::fnmatch(pattern.c_str(), path.c_str(), 0) == 0 || ::fnmatch(without.c_str(), path.c_str(), 0) == 0)
      fitting += std::string(line) + "\n";
    else if (line.starts_with("…")) fitting += std::string(line) + "\n";  // the list is cut
  }
  return fitting.empty() ? "No files found\n" : fitting;
}

}  // namespace

std::vector<hub::ToolSpec> ClaudeNamedTools::list() const {
  std::vector<hub::ToolSpec> all = others_.list();
  for (hub::ToolSpec& spec : all)
    if (const ClaudeTool* const tool = claude_tool_of_ours(spec.name)) {
      spec.name = tool->claude;
      spec.description = tool->description;
      spec.parameters_json = tool->parameters_json();
    }
  return all;
}

Task<Result<hub::ToolIntent>> ClaudeNamedTools::intent(const hub::SessionSetup& setup, const hub::ToolCall& call) {
  PARLANCE_CO_TRY(ours, own_call(call));
  co_return co_await others_.intent(setup, ours);
}

std::optional<hub::ToolCall> ClaudeNamedTools::edited(const hub::ToolCall& call, const hub::ToolIntent& intent,
                                                      std::string_view text) {
  const auto ours = own_call(call);
  return ours ? others_.edited(*ours, intent, text) : std::nullopt;
}

Task<hub::ToolOutcome> ClaudeNamedTools::call(const hub::SessionSetup& setup, const hub::ToolCall& call, hub::ToolHost host) {
  auto ours = own_call(call);
  if (!ours) co_return hub::ToolOutcome{.state = hub::ToolEndState::failed, .text = ours.error().message};
  const bool is_glob = call.tool == "Glob";
  const std::string pattern(is_glob && value_of(call) ? value_of(call)->text_or("pattern", "*") : "");
  hub::ToolOutcome outcome = co_await others_.call(setup, *ours, std::move(host));
  if (is_glob && outcome.state == hub::ToolEndState::done) outcome.text = matching_lines(outcome.text, pattern);
  co_return outcome;
}

}  // namespace parlance::toolbox

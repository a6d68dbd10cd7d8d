// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/claude_only.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "parlance/base/log.h"

namespace parlance::face {

Error no_structured_output(std::string_view where) {
  return {.code = Errc::invalid_params,
          .message = std::string(where) + ": this agent gives no structured output; Claude Code does (--serve-agent claude)"};
}

Error no_bypass() {
  return {.code = Errc::denied,
          .message =
              "Cannot set permission mode to bypassPermissions because the session was not launched with "
              "--dangerously-skip-permissions"};
}

Error no_auto_mode() {
  return {.code = Errc::invalid_params,
          .message =
              "The permission mode auto is not kept here; there are default, acceptEdits, plan, bypassPermissions and dontAsk"};
}

Result<void> without_claude(const claude::Initialize& request, toolbox::StructuredOutput* output) {
  const auto wanted = [](const wire::Raw& raw) { return !raw.json.empty() && raw.json != "null" && raw.json != "false"; };
  if (wanted(request.json_schema)) {
    if (output == nullptr) return fail(no_structured_output("jsonSchema"));
    PARLANCE_TRY_DO(output->set_schema(request.json_schema.json, "jsonSchema"));
  }
  std::string names;
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const wire::Raw&>>{
           {"agents", request.agents},
           {"skills", request.skills},
           {"plugins", request.plugins},
           {"toolAliases", request.tool_aliases},
           {"planModeInstructions", request.plan_mode_instructions},
           {"appendSubagentSystemPrompt", request.append_subagent_system_prompt},
           {"promptSuggestions", request.prompt_suggestions},
           {"settings", request.settings},
           {"managedSettings", request.managed_settings}})
    if (wanted(value)) names += (names.empty() ? "" : ", ") + std::string(name);
  if (!names.empty())
    log(LogLevel::warn, "the host wants what only Claude Code has (--serve-agent claude)", {{"in initialize", names}});
  return {};
}

}  // namespace parlance::face

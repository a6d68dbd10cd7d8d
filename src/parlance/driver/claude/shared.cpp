// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/shared.h"

#include "parlance/process/program_words.h"

namespace parlance::driver {

Error no_claude(const std::string& program) {
  return {.code = Errc::not_found,
          .message = "no program \"" + program + "\": install Claude Code, or say where it is with --claude-command"};
}

void ClaudeShared::recheck() {
  const std::string& program = settings.launch.command.front();
  const bool was_gone = gone.has_value();
  gone = find_program(program).empty() ? std::optional(no_claude(program)) : std::nullopt;
  if (gone.has_value() != was_gone && settings.changed) settings.changed(info());
}

}  // namespace parlance::driver

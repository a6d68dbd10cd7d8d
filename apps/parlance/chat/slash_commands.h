// What a person may type behind a slash: a row each. A new one is a row in slash_commands.cpp, a member of Chat, and its body in
// chat_commands.cpp.
#pragma once

#include <span>
#include <string_view>

#include "apps/parlance/chat/chat.h"

namespace parlance::app {

struct SlashCommand {
  std::string_view name;
  std::string_view words;  // that may follow
  std::string_view doc;
  Task<void> (Chat::*run)(std::string words);
};

std::span<const SlashCommand> slash_commands();
const SlashCommand* find_command(std::string_view name);  // by its name, or another one that is known; null: there is none

}  // namespace parlance::app

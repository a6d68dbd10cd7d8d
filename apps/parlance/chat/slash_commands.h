// SPDX-License-Identifier: Apache-2.0
// What a person may type behind a slash: a row each. A new one is a member of Chat, and in chat_commands.cpp a row and its
// body.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"

namespace parlance::app {

class Chat;

struct SlashCommand {
  std::string_view name;
  std::string_view words;  // that may follow
  std::string_view doc;
  Task<void> (Chat::*run)(std::string words);
};

std::span<const SlashCommand> slash_commands();
const SlashCommand* find_command(std::string_view name);  // by its name or an alias; null: unknown

std::vector<std::string> chat_command_words();  // "/help", "/mode", …, for completion

}  // namespace parlance::app

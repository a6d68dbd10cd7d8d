// SPDX-License-Identifier: Apache-2.0
// The commands that a person types behind a slash: a row each. A new command is a member of ChatCommands, a row in
// chat_commands.cpp, and a body.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance::app {

class Chat;

// Each changes or reads the chat's conversation, and returns lines for the person; empty: nothing to show.
struct ChatCommands {
  using Lines = Task<Result<std::string>>;

  // Of the chat and its conversation (chat_commands.cpp).
  static Lines help(Chat& chat, std::string words);
  static Lines mode(Chat& chat, std::string words);
  static Lines model(Chat& chat, std::string words);
  static Lines think(Chat& chat, std::string words);
  static Lines option(Chat& chat, std::string words);
  static Lines agent(Chat& chat, std::string words);
  static Lines title(Chat& chat, std::string words);
  static Lines archive(Chat& chat, std::string words);
  static Lines access(Chat& chat, std::string words);
  static Lines attach(Chat& chat, std::string words);
  static Lines queue(Chat& chat, std::string words);
  static Lines reask(Chat& chat, std::string words);
  static Lines test_editor(Chat& chat, std::string words);
  static Lines clear(Chat& chat, std::string words);
  static Lines remove(Chat& chat, std::string words);
  static Lines exit(Chat& chat, std::string words);

  // Of lists beside the conversation (chat_lists.cpp).
  static Lines resume(Chat& chat, std::string words);
  static Lines history(Chat& chat, std::string words);
  static Lines sessions(Chat& chat, std::string words);
  static Lines files(Chat& chat, std::string words);
  static Lines search(Chat& chat, std::string words);
  static Lines memory(Chat& chat, std::string words);
  static Lines rules(Chat& chat, std::string words);
  static Lines usage(Chat& chat, std::string words);
  static Lines limit(Chat& chat, std::string words);
};

struct SlashCommand {
  std::string_view name;
  std::string_view words;  // that may follow
  std::string_view doc;
  ChatCommands::Lines (*run)(Chat& chat, std::string words);
};

std::span<const SlashCommand> slash_commands();
const SlashCommand* find_command(std::string_view name);  // by its name or an alias; null: unknown

std::vector<std::string> chat_command_words();  // "/help", "/mode", …, for completion

std::string padded(std::string text, std::size_t width);
std::string in_one_line(std::string_view text, std::size_t most);  // at most `most` bytes, and … for the rest

}  // namespace parlance::app

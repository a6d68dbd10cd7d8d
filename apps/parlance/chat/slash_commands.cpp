#include "apps/parlance/chat/slash_commands.h"

#include <algorithm>
#include <array>
#include <string>

namespace parlance::app {
namespace {

constexpr std::array table{
    SlashCommand{"help", "", "This list.", &Chat::help},
    SlashCommand{"mode", "[MODE]", "What may be done without asking: default, autoEdit, yolo, plan, smart.", &Chat::mode},
    SlashCommand{"model", "[NAME]", "The agent's model.", &Chat::model},
    SlashCommand{"agent", "[NAME]", "A new conversation with another agent, in the same folder.", &Chat::agent},
    SlashCommand{"resume", "[NUMBER]", "Goes on with a conversation of before.", &Chat::resume},
    SlashCommand{"memory", "[WORDS]", "What agents remember: the newest, or what is found for the words.", &Chat::memory},
    SlashCommand{"testvs", "", "Tries what works of the editor: six checks.", &Chat::test_editor},
    SlashCommand{"clear", "", "Forgets what was said; the agent begins anew.", &Chat::clear},
    SlashCommand{"exit", "", "Ends the chat, as Ctrl-D does.", &Chat::exit},
};

struct OtherName {
  std::string_view name;
  std::string_view means;
};
constexpr std::array other_names{OtherName{"quit", "exit"}, OtherName{"?", "help"},
                                 OtherName{"vscode", "testvs"}};  // "/vscode test"

}  // namespace

std::span<const SlashCommand> slash_commands() { return table; }

const SlashCommand* find_command(std::string_view name) {
  const auto other = std::ranges::find(other_names, name, &OtherName::name);
  if (other != other_names.end()) name = other->means;
  const auto found = std::ranges::find(table, name, &SlashCommand::name);
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> chat_command_words() {
  std::vector<std::string> words;
  for (const SlashCommand& command : table) words.push_back("/" + std::string(command.name));
  return words;
}

}  // namespace parlance::app

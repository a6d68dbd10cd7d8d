// SPDX-License-Identifier: Apache-2.0
// The table of commands of a chat, and the commands for the chat and its conversation.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "apps/parlance/chat/chat.h"
#include "apps/parlance/chat/slash_commands.h"
#include "apps/parlance/chat/talk.h"
#include "apps/parlance/chat/test_editor.h"
#include "apps/parlance/terminal/mode_words.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/model/attachment.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {
namespace {

constexpr std::array table{
    SlashCommand{"help", "", "This list.", &ChatCommands::help},
    SlashCommand{"mode", "[MODE]", "Mode of the conversation: default, autoEdit, yolo, plan or smart.", &ChatCommands::mode},
    SlashCommand{"model", "[NAME]", "The agent's model.", &ChatCommands::model},
    SlashCommand{"think", "[on|off]", "Whether the model thinks before it answers.", &ChatCommands::think},
    SlashCommand{"option", "[ID VALUE]", "Further options of the agent.", &ChatCommands::option},
    SlashCommand{"agent", "[NAME]", "A new conversation with another agent, in the same folder.", &ChatCommands::agent},
    SlashCommand{"resume", "[NUMBER]", "Continue an earlier conversation, by its number or id; archived: list the archived.",
                 &ChatCommands::resume},
    SlashCommand{"history", "[TURNS]", "Earlier turns of the conversation.", &ChatCommands::history},
    SlashCommand{"sessions", "[NUMBER]", "Sessions of the agent in this folder: list, or continue.", &ChatCommands::sessions},
    SlashCommand{"title", "[TEXT]", "Title of the conversation.", &ChatCommands::title},
    SlashCommand{"archive", "[off]", "Archive the conversation, or restore it.", &ChatCommands::archive},
    SlashCommand{"access", "[ACCESS]", "Access of the team: private, view (read) or team (read and prompt).",
                 &ChatCommands::access},
    SlashCommand{"attach", "[FILE]", "Send a picture, PDF or text file with the next message.", &ChatCommands::attach},
    SlashCommand{"files", "[LETTERS]", "Files of the folder, on the machine of the agent.", &ChatCommands::files},
    SlashCommand{"queue", "[go|drop N]", "Waiting messages: start a held queue, or remove a message.", &ChatCommands::queue},
    SlashCommand{"reask", "", "Repeat a request after a restart of the agent.", &ChatCommands::reask},
    SlashCommand{"search", "WORDS", "Find conversations by their titles and texts.", &ChatCommands::search},
    SlashCommand{"memory", "[WORDS]", "Memories of agents: the newest, or matches for the words; forget ID: deletion.",
                 &ChatCommands::memory},
    SlashCommand{"rules", "[revoke N]", "List of standing permissions, or the end of a permission.", &ChatCommands::rules},
    SlashCommand{"usage", "", "Tokens and cost of models by day and by conversation, and the limits.", &ChatCommands::usage},
    SlashCommand{"limit", "WHICH AMOUNT", "Limit of use: day or conversation; 500000 (tokens), 2.50 USD or off.",
                 &ChatCommands::limit},
    SlashCommand{"testvs", "", "Test the features of the editor: six checks.", &ChatCommands::test_editor},
    SlashCommand{"clear", "", "Clear the conversation; the agent starts a new session.", &ChatCommands::clear},
    SlashCommand{"delete", "yes", "Delete the conversation permanently, and begin a new one.", &ChatCommands::remove},
    SlashCommand{"exit", "", "Ends the chat, as Ctrl-D does.", &ChatCommands::exit},
};

struct OtherName {
  std::string_view name;
  std::string_view means;
};
constexpr std::array other_names{OtherName{"quit", "exit"}, OtherName{"?", "help"},
                                 OtherName{"vscode", "testvs"}};  // "/vscode test"

constexpr std::size_t help_width = 20;

// The content decides about the media type, not the name of the file.
Result<hub::Attachment> read_attachment(const std::string& path) {
  PARLANCE_TRY(data, read_whole_file(path));
  std::string_view type = model::picture_type(data);
  if (type.empty()) type = data.starts_with("%PDF") ? "application/pdf" : is_valid_utf8(data) ? "text/plain" : "";
  if (type.empty()) return fail(Errc::invalid_params, path + " is no picture (PNG, JPEG, GIF, WebP), PDF or text");
  PARLANCE_TRY_DO(hub::check_attachment(path, type, data.size()));
  return hub::Attachment{
      .about = {.media_type = std::string(type), .name = std::filesystem::path(path).filename().string(), .bytes = data.size()},
      .data = std::move(data)};
}

std::string on_or_off(bool on) { return on ? "on" : "off"; }

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

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

std::string in_one_line(std::string_view text, std::size_t most) {
  std::string line(utf8_prefix(text, most));
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return line + (line.size() < text.size() ? " …" : "");
}

auto ChatCommands::help(Chat& chat, std::string) -> Lines {
  std::string all;
  for (const SlashCommand& command : slash_commands())
    all += "  " + padded("/" + std::string(command.name) + " " + std::string(command.words), help_width) +
           std::string(command.doc) + "\n";
  for (const hub::SlashCommand& command : chat.talk_->output.commands())
    all += "  " + padded("/" + command.name + " " + command.hint.value_or(""), help_width) + command.description + "\n";
  co_return all + "A line with \\ at its end continues in the next line. Ctrl-C stops the turn, and twice quits.";
}

auto ChatCommands::mode(Chat& chat, std::string words) -> Lines {
  std::string all;
  for (const hub::Mode mode : all_modes) all += (all.empty() ? "" : ", ") + std::string(to_string(mode));
  const auto wanted = mode_of(words);
  if (!wanted)
    co_return words.empty() ? "mode " + std::string(to_string(chat.conversation().mode)) + "; there are " + all
                            : "no such mode: " + words + "; there are " + all;
  PARLANCE_CO_TRY(set, co_await chat.submit(hub::ChangeSettings{{.mode = wanted}}));
  co_return "mode " + std::string(to_string(set.mode));
}

auto ChatCommands::model(Chat& chat, std::string words) -> Lines {
  if (!words.empty()) {
    PARLANCE_CO_TRY(set, co_await chat.submit(hub::ChangeSettings{{.model = std::move(words)}}));
    co_return "model " + set.model;
  }
  std::string all = "model " + (chat.conversation().model.empty() ? "of the agent's own choice" : chat.conversation().model);
  for (const hub::AgentInfo& agent : chat.talk_->room->hub.agents())
    for (const std::string& name : agent.models) all += "\n  " + name;
  co_return all;
}

auto ChatCommands::think(Chat& chat, std::string words) -> Lines {
  if (words != "on" && words != "off") co_return "think " + on_or_off(chat.conversation().think) + "; there are on, off";
  PARLANCE_CO_TRY(set, co_await chat.submit(hub::ChangeSettings{{.think = words == "on"}}));
  co_return "think " + on_or_off(set.think);
}

auto ChatCommands::option(Chat& chat, std::string words) -> Lines {
  if (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string id = words.substr(0, end);
    PARLANCE_CO_TRY(set, co_await chat.submit(hub::SetOption{.option = id, .value = std::string(trim(words.substr(end)))}));
    co_return id + " " + hub::option_value(set.options.value_or(std::vector<hub::AgentOption>{}), id);
  }
  std::vector<hub::AgentOption> options = chat.conversation().options.value_or(std::vector<hub::AgentOption>{});
  for (const hub::AgentInfo& agent : chat.talk_->room->hub.agents())
    if (agent.id == chat.conversation().agent && agent.options) options = hub::options_in_force(*agent.options, options);
  std::string all;
  for (const hub::AgentOption& option : options) {
    std::string values = option.kind == hub::OptionType::boolean ? "true, false" : "";
    for (const hub::OptionValue& value : option.values) values += (values.empty() ? "" : ", ") + value.value;
    all += "  " + option.id + " " + option.value + "; there are " + values + "\n";
  }
  co_return all.empty() ? "The agent has no further options." : all + "/option ID VALUE changes an option.";
}

auto ChatCommands::agent(Chat& chat, std::string words) -> Lines {
  if (words.empty()) {
    PARLANCE_CO_TRY(agents, co_await chat.rooms_->agents());
    co_return "agent " + chat.conversation().agent + "; there are " + agents;
  }
  PARLANCE_CO_TRY(made, co_await chat.rooms_->create({.agent = std::move(words),
                                                      .folder = chat.conversation().folder,
                                                      .more_folders = chat.conversation().folders,
                                                      .mode = chat.conversation().mode}));
  co_await chat.enter(std::move(made));
  co_return "agent " + chat.conversation().agent;
}

auto ChatCommands::title(Chat& chat, std::string words) -> Lines {
  std::string title = chat.conversation().title;
  if (!words.empty()) {
    PARLANCE_CO_TRY(set, co_await chat.submit(hub::ChangeSettings{{.title = std::move(words)}}));
    title = set.title;
  }
  co_return title.empty() ? "no title yet; /title TEXT sets one" : "title " + in_one_line(title, 200);
}

auto ChatCommands::archive(Chat& chat, std::string words) -> Lines {
  if (!words.empty() && words != "off")
    co_return "/archive has no choice \"" + words + "\"; /archive archives the conversation, /archive off restores it";
  PARLANCE_CO_TRY(set, co_await chat.submit(hub::ChangeSettings{{.archived = words.empty()}}));
  co_return set.archived.value_or(false) ? "archived; /resume archived lists it, /archive off restores it" : "not archived";
}

auto ChatCommands::access(Chat& chat, std::string words) -> Lines {
  const std::string all = "; there are private, view, team";
  const Gateway* const gateway = chat.options_.gateway.get();
  if (gateway == nullptr || !gateway->has_team())
    co_return "/access: only a gateway with a team can share conversations" +
        (gateway == nullptr ? std::string("; parlance chat --to=wss://HOST uses its conversations")
                            : ", and " + gateway->shown() + " has a single user");
  const auto shown = [](const hub::Conversation& row) {
    return "access " + std::string(to_string(row.access.value_or(hub::Access::private_)));
  };
  const auto wanted = hub::access_named(words);
  if (!wanted) co_return (words.empty() ? shown(chat.conversation()) : "no such access: " + words) + all;
  PARLANCE_CO_TRY(set, co_await chat.submit(hub::ChangeSettings{{.access = wanted}}));
  co_return shown(set);
}

auto ChatCommands::attach(Chat& chat, std::string words) -> Lines {
  if (!words.empty()) {
    PARLANCE_CO_TRY(file, read_attachment(words));
    chat.attached_.push_back(std::move(file));
  }
  std::string names;
  for (const hub::Attachment& file : chat.attached_) names += (names.empty() ? "" : ", ") + file.about.name;
  co_return names.empty() ? "Nothing is attached to the next message; /attach FILE attaches a file."
                          : "attached to the next message: " + names;
}

auto ChatCommands::queue(Chat& chat, std::string words) -> Lines {
  const std::vector<hub::QueuedPrompt> queued = chat.conversation().queued;
  if (words == "go") {
    PARLANCE_CO_TRY_DO(co_await chat.submit(hub::ResumeQueue{}));
    co_return "";
  }
  if (words.starts_with("drop")) {
    const auto number = parse_number<std::size_t>(trim(words.substr(4)));
    if (!number || *number == 0 || *number > queued.size()) co_return "no such message; /queue lists the waiting messages";
    PARLANCE_CO_TRY_DO(co_await chat.submit(hub::WithdrawPrompt{.prompt = queued[*number - 1].id}));
    co_return "removed: " + in_one_line(queued[*number - 1].text, 60);
  }
  std::string all;
  for (std::size_t i = 0; i < queued.size(); ++i)
    all += "  " + padded(std::to_string(i + 1), 4) + in_one_line(queued[i].text, 120) + "\n";
  co_return all.empty() ? "No message waits." : all + "/queue go starts a held queue, /queue drop NUMBER removes a message.";
}

// The repeated request appears in the log, like the requests of other programs.
auto ChatCommands::reask(Chat& chat, std::string) -> Lines {
  for (const hub::Ask& ask : open_asks(chat.talk_->room->hub)) {
    if (ask.conversation != chat.talk_->room->conversation || ask.state != hub::AskState::orphaned) continue;
    PARLANCE_CO_TRY_DO(co_await chat.submit(hub::RepeatRequest{.request = ask.id}));
    co_return "";
  }
  co_return "No request waits for a repetition.";
}

// Without an editor, the mock answers with fixed words.
auto ChatCommands::test_editor(Chat& chat, std::string) -> Lines {
  const bool real = chat.place_.editor != nullptr;
  const std::unique_ptr<hub::Editor> mock = real ? nullptr : hub::mock_editor();
  co_return check_table(co_await check_editor(real ? *chat.place_.editor : *mock), real);
}

auto ChatCommands::clear(Chat& chat, std::string) -> Lines {
  PARLANCE_CO_TRY_DO(co_await chat.submit(hub::ClearConversation{}));
  co_return "The conversation is cleared.";
}

// Creates the next conversation first, because a chat always has a conversation.
auto ChatCommands::remove(Chat& chat, std::string words) -> Lines {
  const hub::Conversation old = chat.conversation();
  if (words != "yes") co_return "/delete yes deletes \"" + in_one_line(old.title, 60) + "\" permanently, with all messages";
  PARLANCE_CO_TRY(next, co_await chat.rooms_->create({.agent = old.agent,
                                                      .command = chat.options_.room.command,
                                                      .folder = old.folder,
                                                      .more_folders = old.folders,
                                                      .mode = old.mode}));
  if (const auto removed = co_await chat.submit(hub::RemoveConversation{}); !removed) {
    co_await chat.rooms_->close(std::move(next));
    co_return std::unexpected(removed.error());
  }
  co_await chat.enter(std::move(next));
  co_return "The conversation is deleted.";
}

auto ChatCommands::exit(Chat& chat, std::string) -> Lines {
  chat.done_ = true;
  co_return "";
}

}  // namespace parlance::app

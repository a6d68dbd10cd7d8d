// SPDX-License-Identifier: Apache-2.0
// The commands of a chat, and what each does.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "apps/parlance/chat/chat.h"
#include "apps/parlance/chat/slash_commands.h"
#include "apps/parlance/chat/talk.h"
#include "apps/parlance/chat/test_editor.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/embedding.h"
#include "apps/parlance/open_memory.h"
#include "apps/parlance/terminal/mode_words.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"

namespace parlance::app {
namespace {

constexpr std::array table{
    SlashCommand{"help", "", "This list.", &Chat::help},
    SlashCommand{"mode", "[MODE]", "Mode of the conversation: default, autoEdit, yolo, plan or smart.", &Chat::mode},
    SlashCommand{"model", "[NAME]", "The agent's model.", &Chat::model},
    SlashCommand{"agent", "[NAME]", "A new conversation with another agent, in the same folder.", &Chat::agent},
    SlashCommand{"resume", "[NUMBER]", "Continue an earlier conversation, by its number or id; archived: list the archived.",
                 &Chat::resume},
    SlashCommand{"title", "[TEXT]", "Title of the conversation.", &Chat::title},
    SlashCommand{"archive", "[off]", "Archive the conversation, or restore it.", &Chat::archive},
    SlashCommand{"access", "[ACCESS]", "Access of the team: private, view (read) or team (read and prompt).", &Chat::access},
    SlashCommand{"search", "WORDS", "Find conversations by their titles and texts.", &Chat::search},
    SlashCommand{"memory", "[WORDS]", "Memories of agents: the newest, or matches for the words.", &Chat::memory},
    SlashCommand{"testvs", "", "Test the features of the editor: six checks.", &Chat::test_editor},
    SlashCommand{"clear", "", "Clear the conversation; the agent starts a new session.", &Chat::clear},
    SlashCommand{"exit", "", "Ends the chat, as Ctrl-D does.", &Chat::exit},
};

struct OtherName {
  std::string_view name;
  std::string_view means;
};
constexpr std::array other_names{OtherName{"quit", "exit"}, OtherName{"?", "help"},
                                 OtherName{"vscode", "testvs"}};  // "/vscode test"

constexpr std::string_view archived_only = "archived";  // of /resume
constexpr std::size_t most_listed = 20;
constexpr std::size_t shown_of_a_memory = 200;   // bytes
constexpr std::size_t shown_of_a_snippet = 120;  // bytes
constexpr double worth_showing = 0.5;            // of a memory that was looked for: a person can judge themselves

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

Task<void> Chat::help(std::string) {
  for (const SlashCommand& command : slash_commands())
    say("  " + padded("/" + std::string(command.name) + " " + std::string(command.words), 20) + std::string(command.doc));
  for (const hub::SlashCommand& command : talk_->output.commands())
    say("  " + padded("/" + command.name + " " + command.hint.value_or(""), 20) + command.description);
  say("A line with \\ at its end continues in the next line. Ctrl-C stops the turn, and twice quits.");
  co_return;
}

Task<std::optional<hub::Conversation>> Chat::change(hub::ConversationChanges changes) {
  auto set = co_await talk_->room->hub.submit(talk_->room->conversation, hub::ChangeSettings{std::move(changes)});
  if (set) co_return *std::move(set);
  say(set.error());
  co_return std::nullopt;
}

Task<void> Chat::mode(std::string words) {
  std::string all;
  for (const hub::Mode mode : all_modes) all += (all.empty() ? "" : ", ") + std::string(to_string(mode));
  const auto wanted = mode_of(words);
  if (!wanted) {
    say(words.empty() ? "mode " + std::string(to_string(conversation().mode)) + "; there are " + all
                      : "no such mode: " + words + "; there are " + all);
    co_return;
  }
  if (const auto set = co_await change({.mode = wanted})) say("mode " + std::string(to_string(set->mode)));
}

Task<void> Chat::model(std::string words) {
  if (words.empty()) {
    say("model " + (conversation().model.empty() ? "of the agent's own choice" : conversation().model));
    for (const hub::AgentInfo& agent : talk_->room->hub.agents())
      for (const std::string& name : agent.models) say("  " + name);
    co_return;
  }
  if (const auto set = co_await change({.model = words})) say("model " + set->model);
}

Task<void> Chat::agent(std::string words) {
  if (words.empty()) {
    say("agent " + conversation().agent + "; there are " + rooms_->agent_names());
    co_return;
  }
  auto made = co_await rooms_->create({.agent = std::move(words), .folder = conversation().folder, .mode = conversation().mode});
  if (!made) {
    say(made.error());
    co_return;
  }
  co_await enter(*std::move(made));
  say("agent " + conversation().agent);
}

Task<void> Chat::resume(std::string words) {
  const auto listed = co_await rooms_->list();
  if (!listed) {
    say(listed.error());
    co_return;
  }
  const std::vector<RoomInfo>& known = *listed;
  if (words.empty() || words == archived_only) {
    const bool wanted = !words.empty();
    std::size_t shown = 0;
    for (std::size_t i = 0; i < known.size() && shown < most_listed; ++i) {
      const hub::Conversation& conversation = known[i].conversation;
      if (conversation.archived.value_or(false) != wanted) continue;
      ++shown;
      say("  " + padded(std::to_string(i + 1), 4) + conversation.updated_at.substr(0, 16) + "  " +
          padded(conversation.agent, 10) + in_one_line(conversation.title, 60) + "  " + conversation.folder);
    }
    say(shown != 0 ? "/resume NUMBER continues a conversation." : wanted ? "No archived conversation." : "No conversation yet.");
    co_return;
  }
  const auto number = parse_number<std::size_t>(words);
  const std::string id = number && *number != 0 && *number <= known.size() ? known[*number - 1].id : words;
  auto room = co_await rooms_->open(id, {});
  if (!room) {
    say(room.error());
    co_return;
  }
  co_await enter(*std::move(room));
  co_await show_last_turn();
}

Task<void> Chat::title(std::string words) {
  if (words.empty()) {
    say(conversation().title.empty() ? "no title yet; /title TEXT sets one" : "title " + in_one_line(conversation().title, 200));
    co_return;
  }
  if (const auto set = co_await change({.title = std::move(words)})) say("title " + in_one_line(set->title, 200));
}

Task<void> Chat::archive(std::string words) {
  if (!words.empty() && words != "off") {
    say("/archive has no choice \"" + words + "\"; /archive archives the conversation, /archive off restores it");
    co_return;
  }
  if (const auto set = co_await change({.archived = words.empty()}))
    say(set->archived.value_or(false) ? "archived; /resume archived lists it, /archive off restores it" : "not archived");
}

Task<void> Chat::access(std::string words) {
  constexpr std::string_view all = "; there are private, view, team";
  if (!options_.gateway || !options_.gateway->has_team()) {
    say("/access: only a gateway with a team can share conversations; parlance chat --to=wss://HOST uses its conversations");
    co_return;
  }
  const auto shown = [](const hub::Conversation& row) {
    return "access " + std::string(to_string(row.access.value_or(hub::Access::private_)));
  };
  const auto wanted = hub::access_named(words);
  if (!wanted) say(words.empty() ? shown(conversation()) + std::string(all) : "no such access: " + words + std::string(all));
  else if (const auto set = co_await change({.access = wanted})) say(shown(*set));
}

Task<void> Chat::search(std::string words) {
  if (words.empty()) {
    say("/search needs words: /search WORDS finds conversations by their titles and texts");
    co_return;
  }
  const auto hits = co_await rooms_->search(words);
  if (!hits) {
    say(hits.error());
    co_return;
  }
  const auto known = co_await rooms_->list();
  if (!known) {
    say(known.error());
    co_return;
  }
  std::size_t found = 0;
  for (const RoomInfo& room : *known) {
    const auto hit = std::ranges::find(*hits, room.id, &hub::SearchHit::conversation);
    if (hit == hits->end() && !to_lower(room.conversation.title).contains(to_lower(words))) continue;
    if (++found <= most_listed)
      say("  " + room.id + "  " + in_one_line(room.conversation.title, 60) +
          (hit == hits->end() ? "" : "  " + in_one_line(hit->snippet, shown_of_a_snippet)));
  }
  if (found > most_listed) say("… and " + std::to_string(found - most_listed) + " more; add words to find fewer");
  say(found == 0 ? "Nothing." : "/resume ID continues a conversation.");
}

Task<void> Chat::memory(std::string words) {
  if (options_.gateway && !options_.gateway->is_own()) {
    say("The memories of agents are stored at " + rooms_->elsewhere() + ": ask the agent, or look at its page.");
    co_return;
  }
  if (const auto kept = keep_state_folder(settings_); !kept) {
    say(kept.error());
    co_return;
  }
  const auto chosen = choose_embedder(loop_, settings_, "embed-url");
  if (!chosen) {
    say(chosen.error());
    co_return;
  }
  const auto store = open_memory(loop_, settings_, *chosen->embedder);
  std::vector<memory::Entry> entries;
  if (words.empty()) {
    auto page = co_await store->list("", {.limit = most_listed});
    if (!page) say(page.error());
    else entries = std::move(page->entries);
  } else {
    auto hits = co_await store->search("", {.text = std::move(words), .limit = most_listed, .min_score = worth_showing});
    if (!hits) say(hits.error());
    else
      for (memory::Hit& hit : *hits) entries.push_back(std::move(hit.entry));
  }
  for (const memory::Entry& entry : entries)
    say("  " + entry.created_at.substr(0, 10) + "  " + in_one_line(entry.text, shown_of_a_memory));
  if (entries.empty()) say("Nothing.");
}

// Without an editor the mock answers: fixed words, so that a program can be tried without one.
Task<void> Chat::test_editor(std::string) {
  const bool real = place_.editor != nullptr;
  const std::unique_ptr<hub::Editor> mock = real ? nullptr : hub::mock_editor();
  say(check_table(co_await check_editor(real ? *place_.editor : *mock), real));
}

Task<void> Chat::clear(std::string) {
  const auto done = co_await talk_->room->hub.submit(talk_->room->conversation, hub::ClearConversation{});
  if (!done) say(done.error());
  else say("The conversation is cleared.");
}

Task<void> Chat::exit(std::string) {
  done_ = true;
  co_return;
}

}  // namespace parlance::app

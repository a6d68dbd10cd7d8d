// SPDX-License-Identifier: Apache-2.0
// The commands of a chat for lists beside its conversation.
#include <algorithm>
#include <span>
#include <utility>

#include "apps/parlance/chat/chat.h"
#include "apps/parlance/chat/slash_commands.h"
#include "apps/parlance/chat/talk.h"
#include "apps/parlance/usage_report.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::app {
namespace {

constexpr std::string_view archived_only = "archived";  // of /resume
constexpr std::size_t most_listed = 20;
constexpr std::size_t shown_of_a_memory = 200;   // bytes
constexpr std::size_t shown_of_a_snippet = 120;  // bytes

// The row that `number` names, from 1 on; null: none.
template <class Row>
const Row* numbered(const std::vector<Row>& rows, std::string_view number) {
  const auto at = parse_number<std::size_t>(number);
  return at && *at != 0 && *at <= rows.size() ? &rows[*at - 1] : nullptr;
}

std::string number_of(std::size_t index) { return "  " + padded(std::to_string(index + 1), 4); }

// The words behind `first`; no value: the words begin otherwise.
std::optional<std::string> words_after(std::string_view first, std::string_view words) {
  if (words != first && !words.starts_with(std::string(first) + " ")) return std::nullopt;
  return std::string(trim(words.substr(first.size())));
}

}  // namespace

auto ChatCommands::resume(Chat& chat, std::string words) -> Lines {
  PARLANCE_CO_TRY(known, co_await chat.rooms_->list());
  if (words.empty() || words == archived_only) {
    std::string all;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < known.size() && shown < most_listed; ++i) {
      const hub::Conversation& conversation = known[i].conversation;
      if (conversation.archived.value_or(false) == words.empty()) continue;
      ++shown;
      all += number_of(i) + conversation.updated_at.substr(0, 16) + "  " + padded(conversation.agent, 10) +
             in_one_line(conversation.title, 60) + "  " + conversation.folder + "\n";
    }
    if (shown != 0) co_return all + "/resume NUMBER continues a conversation.";
    co_return words.empty() ? "No conversation yet." : "No archived conversation.";
  }
  const RoomInfo* const row = numbered(known, words);
  PARLANCE_CO_TRY(room, co_await chat.rooms_->open(row != nullptr ? row->id : words, {}));
  co_await chat.enter(std::move(room));
  co_await chat.show_turns(1);
  co_return "";
}

auto ChatCommands::history(Chat& chat, std::string words) -> Lines {
  const auto turns = words.empty() ? std::optional(most_listed) : parse_number<std::size_t>(words);
  if (!turns || *turns == 0) co_return "/history needs a number of turns";
  co_await chat.show_turns(*turns);
  co_return "";
}

auto ChatCommands::sessions(Chat& chat, std::string words) -> Lines {
  const hub::Conversation now = chat.conversation();
  PARLANCE_CO_TRY(kept, co_await chat.talk_->room->hub.kept_sessions(now.agent, now.folder));
  if (const hub::KeptSession* const row = numbered(kept, words)) {
    PARLANCE_CO_TRY(room,
                    co_await chat.rooms_->create(
                        {.agent = now.agent, .command = chat.options_.room.command, .folder = now.folder, .session = row->id}));
    co_await chat.enter(std::move(room));
    co_await chat.show_turns(1);
    co_return "";
  }
  std::string all;
  for (std::size_t i = 0; i < std::min(kept.size(), most_listed); ++i)
    all += number_of(i) + kept[i].updated_at.substr(0, 16) + "  " + in_one_line(kept[i].title, 60) + "\n";
  co_return all.empty() ? "The agent " + now.agent + " stored no session in " + now.folder + "."
                        : all + "/sessions NUMBER continues a session.";
}

auto ChatCommands::files(Chat& chat, std::string words) -> Lines {
  const hub::Conversation now = chat.conversation();
  hub::FilesWanted wanted{.folders = now.folders, .typed = std::move(words)};
  wanted.folders.insert(wanted.folders.begin(), now.folder);
  PARLANCE_CO_TRY(found, co_await chat.talk_->room->hub.find_files(now.agent, std::move(wanted)));
  std::string all;
  for (const std::string& path : std::span(found.paths).first(std::min(found.paths.size(), most_listed)))
    all += "  " + path + "\n";
  co_return all +
      (found.paths.empty() ? "No file matches." : "/files LETTERS finds files whose path has these letters in order.");
}

auto ChatCommands::search(Chat& chat, std::string words) -> Lines {
  if (words.empty()) co_return "/search needs words: /search WORDS finds conversations by their titles and texts";
  PARLANCE_CO_TRY(hits, co_await chat.rooms_->search(words));
  PARLANCE_CO_TRY(known, co_await chat.rooms_->list());
  std::string all;
  std::size_t found = 0;
  for (const RoomInfo& room : known) {
    const auto hit = std::ranges::find(hits, room.id, &hub::SearchHit::conversation);
    if (hit == hits.end() && !to_lower(room.conversation.title).contains(to_lower(words))) continue;
    if (++found <= most_listed)
      all += "  " + room.id + "  " + in_one_line(room.conversation.title, 60) +
             (hit == hits.end() ? "" : "  " + in_one_line(hit->snippet, shown_of_a_snippet)) + "\n";
  }
  if (found > most_listed) all += "… and " + std::to_string(found - most_listed) + " more; add words to find fewer\n";
  co_return all + (found == 0 ? "Nothing." : "/resume ID continues a conversation.");
}

auto ChatCommands::memory(Chat& chat, std::string words) -> Lines {
  if (const auto id = words_after("forget", words)) {
    PARLANCE_CO_TRY_DO(co_await chat.rooms_->forget(*id));
    co_return "The memory " + *id + " is deleted.";
  }
  PARLANCE_CO_TRY(entries, co_await chat.rooms_->memories(std::move(words), most_listed));
  std::string all;
  for (const memory::Entry& entry : entries)
    all += "  " + entry.id + "  " + entry.created_at.substr(0, 10) + "  " + in_one_line(entry.text, shown_of_a_memory) + "\n";
  co_return all.empty() ? "Nothing." : all + "/memory forget ID deletes a memory.";
}

auto ChatCommands::rules(Chat& chat, std::string words) -> Lines {
  hub::Hub& hub = chat.talk_->room->hub;
  const std::vector<hub::Rule> rules = hub.rules();
  if (const auto number = words_after("revoke", words)) {
    const hub::Rule* const rule = numbered(rules, *number);
    if (rule == nullptr) co_return "no such rule; /rules lists the rules";
    PARLANCE_CO_TRY_DO(co_await hub.revoke(rule->id));
    co_return "revoked: " + in_one_line(rule->label, 120);
  }
  std::string all;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const hub::Rule& rule = rules[i];
    all += number_of(i) + in_one_line(rule.label, 120);
    if (rule.uses.value_or(0) != 0)
      all += "; used " + std::to_string(*rule.uses) + " times, last for " + rule.used_for.value_or("");
    all += "\n";
  }
  co_return all.empty() ? "No rules: an answer with \"always\" makes one." : all + "/rules revoke NUMBER revokes a rule.";
}

auto ChatCommands::usage(Chat& chat, std::string) -> Lines {
  PARLANCE_CO_TRY(report, co_await chat.rooms_->spent(chat.talk_->room->hub));
  PARLANCE_CO_TRY(known, co_await chat.rooms_->list());
  Titles titles;
  for (RoomInfo& room : known) titles.emplace(room.conversation.id, std::move(room.conversation.title));
  co_return usage_text(report, titles);
}

auto ChatCommands::limit(Chat& chat, std::string words) -> Lines {
  if (!chat.options_.gateway) co_return "/limit: only a gateway counts the use of all conversations; parlance up starts one";
  hub::Hub& hub = chat.talk_->room->hub;
  PARLANCE_CO_TRY(report, co_await chat.rooms_->spent(hub));
  hub::SpendingLimits& limits = report.limits;
  auto amount = words_after("day", words);
  auto* tokens = &limits.day_tokens;
  auto* cost = &limits.day_cost;
  if (!amount) {
    amount = words_after("conversation", words);
    tokens = &limits.conversation_tokens;
    cost = &limits.conversation_cost;
  }
  if (amount == "off") {
    tokens->reset();
    cost->reset();
  } else if (const auto number = amount ? parse_number<std::uint64_t>(*amount) : std::nullopt) {
    *tokens = *number;
  } else {
    const std::size_t blank = amount ? amount->find(' ') : std::string::npos;
    const auto money = blank == std::string::npos ? std::nullopt : parse_number<double>(amount->substr(0, blank));
    if (!money) co_return "/limit day or /limit conversation needs an amount: 500000 (tokens), 2.50 USD, or off";
    *cost = hub::Cost{.amount = *money, .currency = std::string(trim(amount->substr(blank)))};
  }
  PARLANCE_CO_TRY_DO(co_await hub.set_spending_limits(limits));
  co_return limits_text(limits);
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/command_book.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

namespace {

using Kind = CommandBook::Kind;
using Effect = CommandBook::Effect;
using Named = std::optional<std::pair<std::string, Effect>>;  // person and effect

constexpr std::array<std::string_view, 8> kind_names{"title",   "option",  "clear",  "withdrawal", "turn without a prompt",
                                                     "restart", "resumed", "stopped"};

std::string words(const std::string& person, const Effect& effect) {
  return sentence(kind_names.at(static_cast<std::size_t>(effect.kind)), " ", effect.value, " of ", person);
}

// A new owner may repeat these commands, and they may have no effect.
bool may_repeat(Kind kind) { return kind == Kind::restarted || kind == Kind::resumed || kind == Kind::stopped; }
bool is_always_logged(Kind kind) { return kind != Kind::resumed && kind != Kind::stopped; }

struct EffectOf {
  std::optional<Effect> operator()(const hub::ChangeSettings& command) const {
    if (!command.changes.title) return std::nullopt;
    return Effect{.kind = Kind::title, .value = *command.changes.title};
  }
  std::optional<Effect> operator()(const hub::SetOption& command) const {
    return Effect{.kind = Kind::option, .value = command.value};
  }
  std::optional<Effect> operator()(const hub::ClearConversation&) const { return Effect{.kind = Kind::cleared}; }
  std::optional<Effect> operator()(const hub::WithdrawPrompt&) const { return Effect{.kind = Kind::withdrawn}; }
  std::optional<Effect> operator()(const hub::ContinueTurn&) const { return Effect{.kind = Kind::turn_without_prompt}; }
  std::optional<Effect> operator()(const hub::RepeatRequest&) const { return Effect{.kind = Kind::turn_without_prompt}; }
  std::optional<Effect> operator()(const hub::RestartAgent&) const { return Effect{.kind = Kind::restarted}; }
  std::optional<Effect> operator()(const hub::ResumeQueue&) const { return Effect{.kind = Kind::resumed}; }
  std::optional<Effect> operator()(const hub::StopTurn&) const { return Effect{.kind = Kind::stopped}; }
  template <class Other>
  std::optional<Effect> operator()(const Other&) const {
    return std::nullopt;
  }
};

struct NamedIn {
  Named operator()(const hub::event::OptionChanged& event) const {
    if (event.by == "agent") return std::nullopt;
    return std::pair(event.by, Effect{.kind = Kind::option, .value = event.value});
  }
  Named operator()(const hub::event::Cleared& event) const {
    return std::pair(event.by.value_or(""), Effect{.kind = Kind::cleared});
  }
  Named operator()(const hub::event::TurnStart& event) const {
    if (!event.by) return std::nullopt;
    return std::pair(*event.by, Effect{.kind = Kind::turn_without_prompt});
  }
  Named operator()(const hub::event::Notice& event) const {
    if (!event.act) return std::nullopt;
    const std::string by = event.act->by.value_or("");
    const std::string& what = event.act->what;
    if (what == hub::act::title) return std::pair(by, Effect{.kind = Kind::title, .value = event.act->value.value_or("")});
    if (what == hub::act::withdraw) return std::pair(by, Effect{.kind = Kind::withdrawn});
    if (what == hub::act::restart) return std::pair(by, Effect{.kind = Kind::restarted});
    if (what == hub::act::resume) return std::pair(by, Effect{.kind = Kind::resumed});
    if (what == hub::act::stop) return std::pair(by, Effect{.kind = Kind::stopped});
    return std::nullopt;
  }
  template <class Other>
  Named operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

bool is_refusal(const Error& error) {
  constexpr std::array certain{Errc::denied, Errc::invalid_params, Errc::invalid_request};
  constexpr std::array<std::string_view, 3> promises{"nothing was done", "nothing was saved", "the simulated store"};
  if (error.message.contains("may still")) return false;
  return std::ranges::find(certain, error.code) != certain.end() ||
         std::ranges::any_of(promises, [&](std::string_view words) { return error.message.contains(words); });
}

std::optional<Effect> CommandBook::effect_of(const hub::Command& command) { return std::visit(EffectOf{}, command); }

std::size_t CommandBook::sent(std::string conversation, std::string person, Effect effect) {
  by_conversation_[std::move(conversation)].push_back(sent_.size());
  sent_.push_back({.key = {std::move(person), std::move(effect)}, .number = ++numbers_});
  return sent_.size() - 1;
}

void CommandBook::settled(std::size_t command, const Error* error) {
  if (error == nullptr) sent_[command].taken = ++numbers_;
  else sent_[command].refused = is_refusal(*error);
}

void CommandBook::compare(const std::string& conversation, const std::vector<hub::Event>& log,
                          const std::function<void(std::string what)>& wrong) const {
  struct Counts {
    int sent = 0, taken = 0, refused = 0, found = 0;
    const Sent* command = nullptr;
  };
  std::map<Key, Counts> counts;
  if (const auto commands = by_conversation_.find(conversation); commands != by_conversation_.end()) {
    for (const std::size_t index : commands->second) {
      Counts& count = counts[sent_[index].key];
      ++count.sent;
      count.taken += sent_[index].taken != 0 ? 1 : 0;
      count.refused += sent_[index].refused ? 1 : 0;
      count.command = &sent_[index];
    }
  }
  std::uint64_t newest = 0;
  for (const hub::Event& event : log) {
    const Named named = std::visit(NamedIn{}, static_cast<const hub::AnyEvent&>(event.body));
    if (!named) continue;
    const auto& [person, effect] = *named;
    Counts& count = counts[{person, effect}];
    const int most = !may_repeat(effect.kind) ? count.sent - count.refused : count.sent > 0 ? count.found + 1 : 0;
    if (++count.found > most)
      wrong(sentence(conversation, ": event ", event.seq, ", ", words(person, effect), ", stands in the log ", count.found,
                     " times, sent ", count.sent, " times, refused ", count.refused, " times"));
    if (effect.value.empty() || count.command == nullptr) continue;
    if (count.command->taken != 0 && count.command->taken < newest)
      wrong(sentence(conversation, ": event ", event.seq, ", ", words(person, effect), ", comes behind a later command"));
    newest = std::max(newest, count.command->number);
  }
  for (const auto& [key, count] : counts)
    if (is_always_logged(std::get<Effect>(key).kind) && count.found < count.taken)
      wrong(sentence(conversation, ": the taken ", words(std::get<0>(key), std::get<Effect>(key)), " stands in the log ",
                     count.found, " times, taken ", count.taken, " times"));
}

}  // namespace parlance::simulator

// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/world.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/follower.h"
#include "parlance/wire_form/event_tables.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t conversation_tokens = 800;  // About two turns.

}  // namespace

World::World(WorldSettings settings) : settings_(settings), random_(settings.seed) {
  if (!settings_.stops) ledger_.expect_order();
  for (std::size_t i = 0; i < settings_.gateways; ++i)
    gateways_.push_back(std::make_unique<Gateway>(setting_, std::string(1, static_cast<char>('a' + i))));
  for (std::size_t i = 0; i < settings_.persons; ++i) add_person(sentence("person ", i + 1), hub::TeamRole::member);
  add_person("viewer", hub::TeamRole::viewer);
  ledger_.viewer("viewer");
  hub::Team team;
  for (const auto& person : persons_)
    team.users.push_back({.id = person->caller->user, .name = person->name(), .role = person->caller->role});
  memory_.team = std::make_shared<const hub::Team>(std::move(team));
  ++memory_.version;
  if (settings_.stops && settings_.seed % 4 == 3) ledger_.limit_conversations(conversation_tokens);
  memory_.memory.limits.conversation_tokens = ledger_.most_tokens();
  memory_.memory.text_of = wire_form::event_json;
  // Of one person and with one name: the newer connection ends the other.
  for (std::size_t i = 0; i < settings_.runners; ++i)
    runners_.push_back(std::make_unique<Runner>(setting_, sentence("runner", i + 1, "_"), "runner", persons_.front()->caller,
                                                [this] { return any_gateway_up(); }));
}

// Each second member has a page, and the seed decides about the others.
void World::add_person(std::string name, hub::TeamRole role) {
  auto person = std::make_unique<Person>();
  person->caller = std::make_shared<const hub::Caller>(hub::Caller{.user = "user_" + name, .name = name, .role = role});
  person->has_page = persons_.size() % 2 == 0 || random_.chance(0.25);
  persons_.push_back(std::move(person));
}

hub::CallerPtr World::owner_of(const std::string& conversation) const {
  for (const auto& person : persons_)
    if (person->name() == ledger_.owner(conversation)) return person->caller;
  return hub::person_of_this_machine();
}

Outcome World::run() {
  for (const auto& gateway : gateways_) scope_.start(end_and_start(*gateway));
  for (const auto& person : persons_) scope_.start(live(*person));
  scope_.start(tend_store());
  scope_.start(watch_progress());
  for (Duration passed{}; passed < settings_.length && ledger_.disagreements().empty(); passed += 1s) loop_.advance(1s);
  calm_down();
  finish_work();
  leave_one_runner();
  prompt_everywhere();
  finish_work();
  compare_pages();
  ledger_.compare(memory_.memory, kept_);
  Outcome result = outcome();
  for (const auto& person : persons_) person->page.reset();
  runners_.clear();
  for (const auto& gateway : gateways_) gateway->crash();
  return result;
}

// Starts a gateway after each end, and sometimes ends the gateway.
Task<void> World::end_and_start(Gateway& gateway) {
  const Faults& faults = settings_.faults;
  for (;;) {
    if (!gateway.runs()) {
      co_await sleep_for(loop_, random_.between(0s, faults.longest_outage));
      ++starts_;
      gateway.start();
    }
    co_await sleep_for(loop_, 1s);
    const auto occurs = [&](Duration interval) { return random_.chance(std::chrono::duration<double>(1s) / interval); };
    if (!faults_are_over_ && gateway.runs() && occurs(faults.clock_jump_interval)) gateway.set_clock();
    if (faults_are_over_ || !gateway.runs() || !occurs(faults.crash_interval)) continue;
    if (gateway.up() && random_.chance(faults.graceful_end)) {
      gateway.end_gracefully();
      co_await sleep_for(loop_, random_.between(0s, 10s));  // An impatient supervisor kills the process.
    } else if (random_.chance(faults.late_notice)) {
      gateway.lose_lease();
      co_await sleep_for(loop_, random_.between(0s, 3s));
    } else if (random_.chance(faults.split_brain)) {
      gateway.lose_lease();
      for (Duration left = random_.between(10s, faults.longest_split_brain); left > 0s && !faults_are_over_; left -= 1s)
        co_await sleep_for(loop_, 1s);
    }
    gateway.crash();
  }
}

// Each minute. Settled commands leave the store after some time, as in PostgreSQL: without that, each look costs more than the look before.
Task<void> World::tend_store() {
  constexpr std::size_t kept = 200;
  for (;;) {
    auto& commands = memory_.commands;
    if (commands.size() > kept) {
      const auto end = commands.end() - kept;
      commands.erase(std::remove_if(commands.begin(), end, [](const auto& command) { return command.outcome.has_value(); }), end);
    }
    const Faults& faults = settings_.faults;
    memory_.silent = !faults_are_over_ && random_.chance(faults.lost_wake_ups);
    if (random_.chance(faults.stall)) setting_.stalled_until = loop_.now() + random_.between(0s, faults.longest_stall);
    if (random_.chance(faults.full_store)) setting_.full_until = loop_.now() + random_.between(0s, faults.longest_full_store);
    co_await sleep_for(loop_, 1min);
  }
}

// A turn moves while its owner lives. Without a living owner, another gateway takes the conversation over.
bool World::should_move(const hub::Conversation& row) const {
  if (loop_.now() < setting_.stalled_until || loop_.now() < setting_.full_until) return false;
  if (row.turn.empty() || row.open_asks > 0 || row.runner || ledger_.hangs(row.id)) return false;
  return memory_.has_owner(row.id) || std::ranges::any_of(gateways_, [](const auto& gateway) { return gateway->has_lease(); });
}

Task<void> World::watch_progress() {
  while (!faults_are_over_) {
    co_await sleep_for(loop_, 20s);
    for (const hub::Conversation& row : memory_.memory.rows()) {
      const auto owner = memory_.owners.find(row.id);
      std::string position =
          sentence(row.turn, " ", memory_.memory.logs[row.id].size(), " ", owner == memory_.owners.end() ? "-" : owner->second);
      if (!progress_.look(row.id, position, should_move(row), loop_.now()))
        ledger_.wrong(sentence(row.id, ": no progress during faults: turn, events, owner: ", position));
    }
  }
}

Gateway* World::any_gateway_up() {
  std::vector<Gateway*> up;
  for (const auto& gateway : gateways_)
    if (gateway->up()) up.push_back(gateway.get());
  return up.empty() ? nullptr : random_.pick(up);
}

Outcome World::outcome() {
  Outcome result{.disagreements = ledger_.disagreements(),
                 .conversations = memory_.memory.conversations.size(),
                 .promises = ledger_.promises(),
                 .starts = starts_};
  for (const auto& [id, log] : memory_.memory.logs) {
    result.events += log.size();
    for (const hub::Event& event : log)
      result.fingerprint = result.fingerprint * 31 + std::hash<std::string_view>{}(hub::test::trace_name(event.body));
  }
  for (const hub::Conversation& row : memory_.memory.rows()) {
    result.on_runners += row.runner ? 1 : 0;
    result.adopted += row.agent_session.id.starts_with("session") ? 1 : 0;
  }
  if (!result.disagreements.empty())
    result.log = log_of(result.disagreements.front().substr(0, result.disagreements.front().find(':')));
  return result;
}

std::string World::log_of(const std::string& conversation) const {
  const auto found = memory_.memory.logs.find(conversation);
  std::string lines;
  if (found == memory_.memory.logs.end()) return lines;
  for (const hub::Event& event : found->second) {
    lines += sentence(event.seq, " ", event.time, " ", hub::test::trace_name(event.body));
    if (const auto* const message = std::get_if<hub::event::UserMessage>(&event.body))
      lines += " " + message->text + " " + message->turn;
    if (const auto* const start = std::get_if<hub::event::TurnStart>(&event.body)) lines += " " + start->turn;
    if (const auto* const end = std::get_if<hub::event::TurnEnd>(&event.body)) lines += " " + end->turn;
    if (const auto* const settled = std::get_if<hub::event::AskSettled>(&event.body))
      lines += " " + settled->ask + " " + settled->chosen.value_or("-") + " by " + settled->by;
    if (const auto* const asked = std::get_if<hub::event::ToolConfirmation>(&event.body)) lines += " " + asked->ask.id;
    if (const auto* const failure = std::get_if<hub::event::Failure>(&event.body)) lines += " " + failure->message;
    lines += '\n';
  }
  return lines;
}

}  // namespace parlance::simulator

// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/world.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/snapshot.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t most_conversations = 12;  // Few, for several persons in each conversation.

}  // namespace

World::World(WorldSettings settings) : settings_(settings), random_(settings.seed) {
  if (!settings_.stops) ledger_.expect_order();
  for (std::size_t i = 0; i < settings_.gateways; ++i)
    gateways_.push_back(std::make_unique<Gateway>(setting_, std::string(1, static_cast<char>('a' + i))));
  for (std::size_t i = 0; i < settings_.persons; ++i) persons_.push_back({.name = sentence("person ", i + 1)});
}

Outcome World::run() {
  for (const auto& gateway : gateways_) scope_.start(end_and_start(*gateway));
  for (Person& person : persons_) scope_.start(live(person));
  scope_.start(tend_store());
  for (Duration passed{}; passed < settings_.length && ledger_.disagreements().empty(); passed += 1s) loop_.advance(1s);
  calm_down();
  finish_work();
  ledger_.compare(memory_.memory);
  Outcome result = outcome();
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

Gateway* World::any_gateway_up() {
  std::vector<Gateway*> up;
  for (const auto& gateway : gateways_)
    if (gateway->up()) up.push_back(gateway.get());
  return up.empty() ? nullptr : random_.pick(up);
}

Task<void> World::live(Person& person) {
  while (!faults_are_over_) {
    co_await sleep_for(loop_, random_.between(100ms, 6s));
    if (Gateway* const gateway = any_gateway_up(); gateway != nullptr && !faults_are_over_) co_await act(person, *gateway);
  }
}

Task<void> World::act(Person& person, Gateway& gateway) {
  hub::Hub& hub = gateway.hub();
  if (conversations_.empty() || (conversations_.size() < most_conversations && random_.chance(0.05))) {
    gateway.serve(create(gateway));
    co_return;
  }
  const std::string conversation = random_.pick(conversations_);
  const auto asks = hub.snapshot().asks;
  // For requests without a promise.
  const auto ignore = [](auto task) -> Task<void> { static_cast<void>(co_await std::move(task)); };
  if (!asks.empty() && random_.chance(0.6)) {
    const hub::Ask ask = asks[random_.below(asks.size())];
    if (ask.state == hub::AskState::orphaned) {
      gateway.serve(ignore(hub.submit(ask.conversation, hub::RepeatRequest{.request = ask.id})));
      co_return;
    }
    gateway.serve(answer(gateway, ask, random_.chance(0.6) ? "yes" : "no"));
    Gateway* const other = any_gateway_up();
    if (random_.chance(settings_.faults.double_answer) && other != nullptr)
      other->serve(answer(*other, ask, random_.chance(0.5) ? "yes" : "no"));
    co_return;
  }
  switch (random_.below(10)) {
    case 0:
      if (settings_.stops) static_cast<void>(hub.submit_at_once(conversation, hub::StopTurn{}));
      break;
    case 1: static_cast<void>(hub.submit_at_once(conversation, hub::ResumeQueue{})); break;
    case 2: {
      const hub::Conversation* const row = hub.find(conversation);
      if (row == nullptr || row->queued.empty()) break;
      const hub::QueuedPrompt queued = row->queued.front();
      ledger_.prompt_withdrawn(queued.text);
      gateway.serve(ignore(hub.submit(conversation, hub::WithdrawPrompt{.prompt = queued.id})));
      break;
    }
    case 3:
      gateway.serve(ignore(hub.submit(conversation, hub::ChangeSettings{{.title = sentence("title ", random_.below(100))}})));
      break;
    case 4:
      if (!random_.chance(0.05)) break;
      ledger_.removed(conversation);
      std::erase(conversations_, conversation);
      gateway.serve(ignore(hub.submit(conversation, hub::RemoveConversation{})));
      break;
    case 5: gateway.serve(follow(person, gateway, conversation)); break;
    default: gateway.serve(prompt(person, gateway, conversation)); break;
  }
}

Task<void> World::create(Gateway& gateway) {
  const auto made = co_await gateway.hub().create({.agent = "simulated", .folder = "/project"});
  if (made) conversations_.push_back(made->id);
}

Task<void> World::prompt(Person& person, Gateway& gateway, std::string conversation) {
  if (ledger_.prompt_is_open(person.name, conversation)) co_return;
  const std::string text = sentence("prompt ", ++prompts_);
  // The death of the gateway destroys this coroutine, and the outcome stays unknown.
  struct Sight {
    ~Sight() {
      if (!settled) ledger.prompt_lost_sight_of(text);
    }
    Ledger& ledger;
    std::string text;
    bool settled = false;
  };
  ledger_.prompt_sent(text, conversation, person.name);
  Sight sight{.ledger = ledger_, .text = text};
  if (co_await gateway.hub().submit(conversation, hub::SendPrompt{.text = text})) {
    ledger_.prompt_taken(text);
    sight.settled = true;
  }
}

Task<void> World::answer(Gateway& gateway, hub::Ask ask, std::string option) {
  ledger_.answer_sent(ask.id, option);
  if (co_await gateway.hub().submit(ask.conversation,
                                    hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = option}}))
    ledger_.answer_counts(ask.id, option);
}

Task<void> World::follow(Person& person, Gateway& gateway, std::string conversation) {
  std::uint64_t& last = person.followed[conversation];
  hub::Follower follower(gateway.hub(), conversation, last);
  for (Duration patience = random_.between(1s, 2min); patience > 0s; patience -= 1s) {
    if (!follower.ready()) {
      co_await sleep_for(loop_, 1s);
      continue;
    }
    const auto news = co_await follower.next();
    if (!news) co_return;
    for (const hub::EventPtr& event : news->events) {
      // Two windows of a person may follow one conversation.
      if (event->seq <= last) continue;
      ledger_.followed(memory_.memory, conversation, last, *event);
      last = event->seq;
    }
  }
}

void World::calm_down() {
  faults_are_over_ = true;
  memory_.silent = false;
  settings_.faults = Faults::none();
  loop_.advance(2min);  // Longer than leases, outages and deadlines of clients.
}

bool World::work_is_left() {
  return std::ranges::any_of(memory_.memory.conversations, [](const auto& entry) {
    const hub::Conversation& row = entry.second;
    return row.state == hub::ConversationState::running || !row.turn.empty() || !row.queued.empty() || row.open_asks > 0;
  });
}

// A patient person answers every request and resumes every held queue.
void World::finish_work() {
  for (int round = 0; round < 1000 && work_is_left(); ++round) {
    Gateway* const gateway = any_gateway_up();
    if (gateway == nullptr) return ledger_.wrong("no gateway starts, though no fault occurs");
    const auto ignore = [](auto task) -> Task<void> { static_cast<void>(co_await std::move(task)); };
    for (const hub::Ask& ask : gateway->hub().snapshot().asks) {
      if (ask.state == hub::AskState::orphaned)
        gateway->serve(ignore(gateway->hub().submit(ask.conversation, hub::RepeatRequest{.request = ask.id})));
      else gateway->serve(answer(*gateway, ask, "no"));
    }
    for (const auto& [id, row] : memory_.memory.conversations) {
      // An agent that hangs.
      if (round % 24 == 23 && row.state == hub::ConversationState::running)
        static_cast<void>(gateway->hub().submit_at_once(id, hub::StopTurn{}));
      if (!row.queued.empty()) static_cast<void>(gateway->hub().submit_at_once(id, hub::ResumeQueue{}));
    }
    loop_.advance(5s);
  }
  for (const auto& [id, row] : memory_.memory.conversations)
    if (row.state == hub::ConversationState::running || !row.queued.empty() || row.open_asks > 0)
      ledger_.wrong(sentence(id, ": no progress: state ", static_cast<int>(row.state), ", turn \"", row.turn, "\", ",
                             row.queued.size(), " queued, ", row.open_asks, " open requests, owner ",
                             memory_.owners.contains(id) ? memory_.owners.at(id) : "none"));
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

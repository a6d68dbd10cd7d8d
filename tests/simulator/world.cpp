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

constexpr std::size_t most_conversations = 12;  // Few, for several persons in each conversation.

}  // namespace

// A question of the hub without kinds, such as for a new session, offers the continuation first.
std::string World::option_of(const hub::Ask& ask, bool allows) {
  if (ask.options.empty()) return "";
  const auto found =
      std::ranges::find(ask.options, allows ? hub::OptionKind::allow_once : hub::OptionKind::reject_once, &hub::AskOption::kind);
  if (found != ask.options.end()) return found->id;
  return allows ? ask.options.front().id : ask.options.back().id;
}

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
  for (Duration passed{}; passed < settings_.length && ledger_.disagreements().empty(); passed += 1s) loop_.advance(1s);
  calm_down();
  finish_work();
  leave_one_runner();
  prompt_everywhere();
  finish_work();
  compare_pages();
  ledger_.compare(memory_.memory);
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

// A person with a page opens another page after a failed start.
std::optional<World::View> World::view_of(Person& person) {
  if (!person.has_page) {
    Gateway* const gateway = any_gateway_up();
    if (gateway == nullptr) return std::nullopt;
    return View{.hub = {gateway->hub(), person.caller}, .tasks = gateway->tasks()};
  }
  if (!person.page || person.page->state() == Page::State::failed)
    person.page = std::make_unique<Page>(setting_, person.caller, [this] { return any_gateway_up(); });
  if (person.page->state() != Page::State::open) return std::nullopt;
  return View{.hub = person.page->hub(), .tasks = person.page->tasks()};
}

Task<void> World::live(Person& person) {
  const Duration longest_pause = person.is_viewer() ? 60s : 15s;
  while (!faults_are_over_) {
    co_await sleep_for(loop_, random_.between(100ms, longest_pause));
    if (faults_are_over_) co_return;
    if (person.page && random_.chance(settings_.faults.reloaded_page)) person.page.reset();
    if (const auto view = view_of(person)) act(person, *view);
  }
}

void World::act(Person& person, View view) {
  if (conversations_.empty() || (conversations_.size() < most_conversations && random_.chance(0.05)))
    return create(random_.chance(0.3) ? *persons_.front() : person);  // With agents on runners.
  const auto asks = open_asks(view.hub);
  if (!asks.empty() && random_.chance(0.6)) return answer_any(person, view, asks);
  const auto permits = [&](const std::string& conversation, hub::Permission permission) {
    return ledger_.permits(person.name(), conversation, permission);
  };
  std::string conversation = random_.pick(conversations_);
  // A person rarely tries a conversation without permission.
  for (int i = 0; i < 3 && !permits(conversation, hub::Permission::prompt); ++i) conversation = random_.pick(conversations_);
  const auto run = [&](auto wanted) { view.tasks.start(command(person.name(), view.hub, conversation, std::move(wanted))); };
  switch (random_.below(10)) {
    case 0:
      if (settings_.stops) run(hub::StopTurn{});
      break;
    case 1: run(hub::ResumeQueue{}); break;
    case 2: {
      const hub::Conversation* const row = view.hub.find(conversation);
      if (row == nullptr || row->queued.empty()) break;
      if (permits(conversation, hub::Permission::prompt)) ledger_.prompt_withdrawn(row->queued.front().text);
      run(hub::WithdrawPrompt{.prompt = row->queued.front().id});
      break;
    }
    case 3: run(hub::ChangeSettings{{.title = sentence("title ", random_.below(100))}}); break;
    case 4:
      if (!random_.chance(0.1)) break;
      if (permits(conversation, hub::Permission::remove)) {
        ledger_.removed(conversation);
        std::erase(conversations_, conversation);
      }
      run(hub::RemoveConversation{});
      break;
    case 5: view.tasks.start(follow(person, view.hub, conversation, random_.between(1s, 2min))); break;
    default: view.tasks.start(prompt(person, view.hub, conversation)); break;
  }
}

// Sometimes another person answers at the same moment, on another page or at another gateway.
void World::answer_any(Person& person, View view, const std::vector<hub::Ask>& asks) {
  const hub::Ask& ask = asks[random_.below(asks.size())];
  if (ask.state == hub::AskState::orphaned) {
    view.tasks.start(command(person.name(), view.hub, ask.conversation, hub::RepeatRequest{.request = ask.id}));
    return;
  }
  view.tasks.start(answer(view.hub, ask, option_of(ask, random_.chance(0.6)), person.name()));
  if (!random_.chance(settings_.faults.double_answer)) return;
  Person& other = *persons_[random_.below(persons_.size())];
  if (const auto theirs = view_of(other))
    theirs->tasks.start(answer(theirs->hub, ask, option_of(ask, random_.chance(0.5)), other.name()));
}

// Only the owner of the runners may use their agents. A page begins conversations with these alone: for others, a thread of the gateway
// checks the folder on the disk.
void World::create(Person& person) {
  Gateway* const gateway = any_gateway_up();
  if (gateway == nullptr || person.is_viewer()) return;
  hub::Access access = hub::Access::team;
  if (random_.chance(0.2)) access = random_.chance(0.5) ? hub::Access::view : hub::Access::private_;
  const bool on_runner = &person == persons_.front().get() && !random_.chance(0.3);
  const auto view =
      on_runner ? view_of(person) : std::optional(View{.hub = {gateway->hub(), person.caller}, .tasks = gateway->tasks()});
  if (view) view->tasks.start(create(person.name(), view->hub, on_runner ? "runner/simulated" : "simulated", access));
}

Task<void> World::create(std::string person, hub::UserHub hub, std::string agent, hub::Access access) {
  const auto made = co_await hub.create({.agent = std::move(agent), .folder = "/project", .access = access});
  if (!made) co_return;
  // A page cannot create a shared conversation. Nobody acts in a conversation whose access is in doubt.
  while (made->access != access && !co_await hub.submit(made->id, hub::ChangeSettings{{.access = access}}))
    co_await sleep_for(loop_, 5s);
  ledger_.begun(made->id, person, access);
  conversations_.push_back(made->id);
}

Task<void> World::prompt(Person& person, hub::UserHub hub, std::string conversation) {
  if (ledger_.prompt_is_open(person.name(), conversation)) co_return;
  const std::string text = sentence("prompt ", ++prompts_);
  // The end of the process or page destroys this coroutine, and the outcome stays unknown.
  struct Sight {
    ~Sight() {
      if (!settled) ledger.prompt_lost_sight_of(text);
    }
    Ledger& ledger;
    std::string text;
    bool settled = false;
  };
  ledger_.prompt_sent(text, conversation, person.name());
  Sight sight{.ledger = ledger_, .text = text};
  if (co_await hub.submit(conversation, hub::SendPrompt{.text = text})) {
    ledger_.prompt_taken(text);
    sight.settled = true;
  }
}

Task<void> World::answer(hub::UserHub hub, hub::Ask ask, std::string option, std::string person) {
  ledger_.answer_sent(ask.id, option, person);
  if (co_await hub.submit(ask.conversation,
                          hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = option}}))
    ledger_.answer_counts(ask, option, person);
}

Task<void> World::follow(Person& person, hub::UserHub hub, std::string conversation, Duration patience) {
  std::uint64_t& last = person.followed[conversation];
  hub::Follower follower(hub, conversation, last);
  for (; patience > 0s; patience -= 1s) {
    if (!follower.ready()) {
      co_await sleep_for(loop_, 1s);
      continue;
    }
    const auto batch = co_await follower.next();
    if (!batch) co_return;
    for (const hub::EventPtr& event : batch->events) {
      // Two windows of a person may follow one conversation.
      if (event->seq <= last) continue;
      ledger_.followed(memory_.memory, person.name(), conversation, last, *event);
      last = event->seq;
    }
  }
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

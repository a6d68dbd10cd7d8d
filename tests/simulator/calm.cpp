// SPDX-License-Identifier: Apache-2.0
// The end of a world: without faults, all work ends, and pages show the state of the store.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/runtime/snapshot.h"
#include "tests/simulator/sentence.h"
#include "tests/simulator/world.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

void World::calm_down() {
  faults_are_over_ = true;
  memory_.silent = false;
  settings_.faults = Faults::none();
  setting_.calm.notify_all();
  loop_.advance(2min);                             // Longer than leases, outages and deadlines of clients.
  if (connected_runners() > 1) loop_.advance(5s);  // The older connection may be ending.
  if (connected_runners() > 1) ledger_.wrong("two runners with the same name are connected");
}

// Runners with one name would end each other's turns, and hide a turn that never ends. Sometimes their machine is switched off.
void World::leave_one_runner() {
  while (runners_.size() > 1) runners_.erase(runners_.begin() + static_cast<std::ptrdiff_t>(random_.below(runners_.size())));
  if (random_.chance(0.2)) runners_.clear();
  loop_.advance(5s);
}

std::size_t World::connected_runners() const {
  std::size_t connected = 0;
  for (const auto& gateway : gateways_) connected += gateway->runs() ? gateway->runners() : 0;
  return connected;
}

// A request of an agent on a runner waits for the return of the runner.
bool World::has_work(const hub::Conversation& row) const {
  return row.state == hub::ConversationState::running || !row.turn.empty() || !row.queued.empty() ||
         (row.open_asks > 0 && has_agent(row));
}

// Patient owners answer every request and resume every held queue. A turn ends without a stop, unless its agent hangs.
void World::finish_work() {
  const auto work_is_left = [this] {
    return std::ranges::any_of(memory_.memory.rows(), [this](const hub::Conversation& row) { return has_work(row); });
  };
  for (int round = 0; round < 1000 && work_is_left(); ++round) {
    Gateway* const gateway = any_gateway_up();
    if (gateway == nullptr) return ledger_.wrong("no gateway starts, though no fault occurs");
    for (const hub::Ask& ask : open_asks(gateway->hub())) {
      const hub::CallerPtr owner = owner_of(ask.conversation);
      if (ask.state == hub::AskState::orphaned) run_as_owner(ask.conversation, hub::RepeatRequest{.request = ask.id});
      else gateway->tasks().start(answer({gateway->hub(), owner}, ask, option_of(ask, false), owner->name));
    }
    for (const hub::Conversation& row : memory_.memory.rows()) {
      if (round % 24 == 23 && ledger_.hangs(row.id)) run_as_owner(row.id, hub::StopTurn{});
      if (!row.queued.empty()) run_as_owner(row.id, hub::ResumeQueue{});
    }
    loop_.advance(5s);
  }
  for (const hub::Conversation& row : memory_.memory.rows())
    if (has_work(row))
      ledger_.wrong(sentence(row.id, ": no progress: state ", static_cast<int>(row.state), ", turn \"", row.turn, "\", ",
                             row.queued.size(), " queued, ", row.open_asks, " open requests, owner ",
                             memory_.owners.contains(row.id) ? memory_.owners.at(row.id) : "none"));
}

// Without faults, each conversation takes a prompt, unless its runner is not connected.
void World::prompt_everywhere() {
  Scope prompts(loop_);
  for (const std::string& id : conversations_) {
    if (memory_.memory.has(id)) prompts.start(prompt_surely(id));
    else ledger_.wrong(id + ": the conversation is gone, and no person removed it");
  }
  loop_.advance(6min);  // Longer than the wait of a refused runner.
  if (prompts.running() > 0) ledger_.wrong("a prompt has no outcome, though no fault occurs");
}

Task<void> World::prompt_surely(std::string conversation) {
  const hub::CallerPtr owner = owner_of(conversation);
  const bool is_possible = has_agent(memory_.memory.row(conversation));
  for (const TimePoint until = loop_.now() + 5min;;) {
    Gateway* const gateway = any_gateway_up();
    if (gateway == nullptr) co_return ledger_.wrong("no gateway starts, though no fault occurs");
    const std::string text = sentence("prompt ", ++prompts_);
    ledger_.prompt_sent(text, conversation, owner->name);
    const auto taken = co_await hub::UserHub(gateway->hub(), owner).submit(conversation, hub::SendPrompt{.text = text});
    if (taken) ledger_.prompt_taken(text);
    else is_refusal(taken.error()) ? ledger_.prompt_refused(text, taken.error()) : ledger_.prompt_lost_sight_of(text);
    if (taken && !is_possible) ledger_.wrong(conversation + ": a prompt is taken, though no runner is connected");
    if (taken || (!is_possible && taken.error().code == Errc::disconnected)) co_return;
    if (loop_.now() >= until) co_return ledger_.wrong(conversation + ": no prompt is taken: " + taken.error().message);
    co_await sleep_for(loop_, 5s);
  }
}

// Without faults, a page shows all events and conversations of the store, and no settled request.
void World::compare_pages() {
  // A page that lost a change learns of it from the next change.
  for (const std::string& id : conversations_) run_as_owner(id, hub::ChangeSettings{{.title = "last title"}});
  const auto readable = [&](const Person& person) {
    std::vector<std::string> found;
    for (const std::string& id : conversations_)
      if (ledger_.permits(person.name(), id, hub::Permission::read)) found.push_back(id);
    return found;
  };
  for (const auto& person : persons_) {
    if (!person->has_page) continue;
    if (!view_of(*person)) loop_.advance(1min);
    const auto view = view_of(*person);
    if (!view) return ledger_.wrong(sentence("the page of ", person->name(), " does not open, though no fault occurs"));
    for (const std::string& id : readable(*person)) view->tasks.start(follow(*person, view->hub, id, 2min));
  }
  loop_.advance(2min);
  for (const auto& person : persons_) {
    if (!person->has_page) continue;
    for (const std::string& id : readable(*person))
      if (person->followed[id] != memory_.memory.logs[id].size())
        ledger_.wrong(sentence(id, ": the page of ", person->name(), " shows event ", person->followed[id], " as the last of ",
                               memory_.memory.logs[id].size()));
    compare_page(*person);
  }
}

void World::compare_page(Person& person) {
  const hub::Snapshot shown = person.page->hub().snapshot();
  for (const hub::Ask& ask : shown.asks)
    if (!memory_.asks[ask.conversation].contains(ask.id))
      ledger_.wrong(sentence(ask.conversation, ": the page of ", person.name(), " shows the settled request ", ask.id));
  std::set<std::string> ids;
  for (const hub::Conversation& row : shown.conversations) {
    ids.insert(row.id);
    if (!memory_.memory.has(row.id)) {
      ledger_.wrong(sentence(row.id, ": the page of ", person.name(), " shows the removed conversation"));
      continue;
    }
    const hub::Conversation stored = memory_.memory.row(row.id);
    if (std::tie(row.title, row.state, row.turn, row.queued) != std::tie(stored.title, stored.state, stored.turn, stored.queued))
      ledger_.wrong(sentence(row.id, ": the page of ", person.name(), " shows an old state with the title \"", row.title, '"'));
    if (!ledger_.permits(person.name(), row.id, hub::Permission::read))
      ledger_.wrong(sentence(row.id, ": the page of ", person.name(), " shows the conversation without permission"));
  }
  for (const std::string& id : conversations_)
    if (ledger_.permits(person.name(), id, hub::Permission::read) && !ids.contains(id))
      ledger_.wrong(sentence(id, ": the page of ", person.name(), " does not show the conversation"));
}

}  // namespace parlance::simulator

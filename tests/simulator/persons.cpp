// SPDX-License-Identifier: Apache-2.0
// The life of persons: each step is an answer, a prompt, another command, or the creation of a conversation.
#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/follower.h"
#include "tests/simulator/sentence.h"
#include "tests/simulator/simulated_agent.h"
#include "tests/simulator/world.h"

namespace parlance::simulator {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t most_conversations = 12;  // Few, for several persons in each conversation.
constexpr std::size_t sessions_of_agent = 4;    // of an agent on a runner

}  // namespace

// A question of the hub without kinds, such as for a new session, offers the continuation first.
std::string World::option_of(const hub::Ask& ask, bool allows) {
  if (ask.options.empty()) return "";
  const auto found =
      std::ranges::find(ask.options, allows ? hub::OptionKind::allow_once : hub::OptionKind::reject_once, &hub::AskOption::kind);
  if (found != ask.options.end()) return found->id;
  return allows ? ask.options.front().id : ask.options.back().id;
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
  if (&person == persons_.front().get() && random_.chance(0.1)) return adopt(person, view);
  const auto asks = open_asks(view.hub);
  if (!asks.empty() && random_.chance(0.6)) return answer_any(person, view, asks);
  std::string conversation = random_.pick(conversations_);
  // A person rarely tries a conversation without permission.
  for (int i = 0; i < 3 && !ledger_.permits(person.name(), conversation, hub::Permission::prompt); ++i)
    conversation = random_.pick(conversations_);
  const std::size_t chosen = random_.below(20);
  if (chosen < 9) view.tasks.start(prompt(person, view.hub, conversation));
  else if (chosen < 11) view.tasks.start(follow(person, view.hub, conversation, random_.between(1s, 2min)));
  else if (chosen < 17) tend_turns(person, view, conversation);
  else change(person, view, conversation);
}

// Stops, queues and turns without a prompt.
void World::tend_turns(Person& person, View view, const std::string& conversation) {
  const auto run = [&](auto wanted) { view.tasks.start(command(person.name(), view.hub, conversation, std::move(wanted))); };
  switch (random_.below(14)) {
    case 0:
    case 1:
    case 2:
    case 3:
      if (settings_.stops) run(hub::StopTurn{});
      break;
    case 4:
    case 5:
    case 6: {
      const hub::Conversation* const row = view.hub.find(conversation);
      if (row == nullptr || row->queued.empty()) break;
      if (ledger_.permits(person.name(), conversation, hub::Permission::prompt))
        ledger_.prompt_withdrawn(row->queued.front().text);
      run(hub::WithdrawPrompt{.prompt = row->queued.front().id});
      break;
    }
    case 7: run(hub::ContinueTurn{}); break;
    case 8:
      if (!person.has_page) run(hub::PrepareAgent{});  // a page sends nothing
      break;
    case 9: run(hub::RestartAgent{}); break;
    default: run(hub::ResumeQueue{}); break;
  }
}

void World::change(Person& person, View view, const std::string& conversation) {
  const auto run = [&](auto wanted) { view.tasks.start(command(person.name(), view.hub, conversation, std::move(wanted))); };
  switch (random_.below(10)) {
    case 0:
    case 1:
      if (std::uint64_t& last = options_[conversation]; last < SimulatedProvider::option_values)
        run(hub::SetOption{.option = "effort", .value = std::to_string(++last)});
      break;
    case 2:
      if (settings_.stops) run(hub::ClearConversation{});
      break;
    case 3: revoke_any(person, view); break;
    case 4:
    case 5:
    case 6:
      if (!random_.chance(0.1)) break;
      if (ledger_.permits(person.name(), conversation, hub::Permission::remove)) {
        ledger_.removed(conversation);
        std::erase(conversations_, conversation);
      }
      run(hub::RemoveConversation{});
      break;
    default: run(hub::ChangeSettings{{.title = sentence("title ", ++titles_)}}); break;
  }
}

void World::revoke_any(Person& person, View view) {
  std::vector<std::string> own;
  for (const hub::Rule& rule : memory_.memory.rules)
    if (rule.user == person.caller->user) own.push_back(rule.id);
  if (!own.empty()) view.tasks.start(revoke(view.hub, random_.pick(own)));
}

Task<void> World::revoke(hub::UserHub hub, std::string rule) {
  if (co_await hub.revoke(rule)) ledger_.rule_revoked(rule);
}

// Sometimes another person answers at the same moment, on another page or at another gateway.
void World::answer_any(Person& person, View view, const std::vector<hub::Ask>& asks) {
  const hub::Ask& ask = asks[random_.below(asks.size())];
  if (ask.state == hub::AskState::orphaned) {
    view.tasks.start(command(person.name(), view.hub, ask.conversation, hub::RepeatRequest{.request = ask.id}));
    return;
  }
  const bool allows_always =
      random_.chance(0.1) && std::ranges::find(ask.options, "always", &hub::AskOption::id) != ask.options.end();
  view.tasks.start(answer(view.hub, ask, allows_always ? "always" : option_of(ask, random_.chance(0.6)), person.name()));
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
  if (!view) return;
  hub::NewConversation request{.agent = on_runner ? "runner/simulated" : "simulated", .folder = "/project"};
  if (!on_runner || !person.has_page) request.access = access;
  view->tasks.start(create(person.name(), view->hub, std::move(request), access, {}));
}

// A session that the agent on a runner keeps. Only its person may adopt the session.
void World::adopt(Person& person, View view) {
  view.tasks.start(create(person.name(), view.hub, {.agent = "runner/simulated", .folder = "/project"}, hub::Access::team,
                          sentence("session", random_.below(sessions_of_agent))));
}

// `session`: of the agent, to continue; empty: a new conversation.
Task<void> World::create(std::string person, hub::UserHub hub, hub::NewConversation request, hub::Access access,
                         std::string session) {
  const auto note_connections = [&] {
    for (const auto& runner : runners_)
      if (!session.empty()) kept_.adopts(session, runner->has_lied());
  };
  note_connections();
  const auto made = session.empty() ? co_await hub.create(std::move(request)) : co_await hub.adopt(std::move(request), session);
  note_connections();
  if (!made) co_return;
  // A page cannot create a shared conversation. Nobody acts in a conversation whose access is in doubt.
  while (made->access != access && !co_await hub.submit(made->id, hub::ChangeSettings{{.access = access}}))
    co_await sleep_for(loop_, 5s);
  // Adopted before, and perhaps removed before this answer came.
  if (std::ranges::find(conversations_, made->id) != conversations_.end() || ledger_.is_removed(made->id)) co_return;
  ledger_.begun(made->id, person, access);
  conversations_.push_back(made->id);
}

Task<void> World::prompt(Person& person, hub::UserHub hub, std::string conversation) {
  if (ledger_.prompt_is_open(person.name(), conversation)) co_return;
  const std::string text = sentence("prompt ", ++prompts_);
  hub::SendPrompt command{.text = text};
  if (random_.chance(0.1)) command.attachments.push_back({.about = {.media_type = "text/plain"}, .data = "data of " + text});
  // The end of the process or page destroys this coroutine, and the outcome stays unknown.
  struct Sight {
    ~Sight() {
      if (!settled) ledger.prompt_lost_sight_of(text);
    }
    Ledger& ledger;
    std::string text;
    bool settled = false;
  };
  ledger_.prompt_sent(text, conversation, person.name(), command.attachments.empty() ? "" : command.attachments.front().data);
  Sight sight{.ledger = ledger_, .text = text};
  const auto taken = co_await hub.submit(conversation, std::move(command));
  sight.settled = taken || is_refusal(taken.error());
  if (taken) ledger_.prompt_taken(text);
  else if (sight.settled) ledger_.prompt_refused(text, taken.error());
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

}  // namespace parlance::simulator

// SPDX-License-Identifier: Apache-2.0
// A whole installation in one process and one thread, on a virtual clock: gateways, their shared store, agents, runners, pages
// and persons. One seed determines every delay and fault, and a failing seed therefore fails again, step by step.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "tests/simulator/faults.h"
#include "tests/simulator/gateway.h"
#include "tests/simulator/ledger.h"
#include "tests/simulator/page.h"
#include "tests/simulator/progress.h"
#include "tests/simulator/random.h"
#include "tests/simulator/runner.h"

namespace parlance::simulator {

struct WorldSettings {
  std::uint64_t seed = 1;
  Faults faults{};
  std::size_t gateways = 3;
  std::size_t persons = 4;  // members of the team; a viewer comes in addition
  std::size_t runners = 2;
  Duration length = std::chrono::minutes(5);
  bool stops = true;  // persons stop turns
};

struct Outcome {
  std::vector<std::string> disagreements{};  // empty: every promise was kept
  std::uint64_t conversations = 0;
  std::uint64_t events = 0;
  std::uint64_t promises = 0;
  std::uint64_t starts = 0;       // of gateways
  std::size_t on_runners = 0;     // conversations
  std::size_t adopted = 0;        // conversations with a kept session
  std::uint64_t fingerprint = 0;  // of all logs; equal for equal seeds
  std::string log{};              // of the conversation of the first disagreement, an event each line
};

class World {
 public:
  explicit World(WorldSettings settings);
  // Runs `length` with faults, then without faults until no work remains, and compares the log with the ledger.
  Outcome run();

 private:
  struct Person {
    hub::CallerPtr caller{};
    bool has_page = false;                            // else the person calls the hub of any gateway
    std::unique_ptr<Page> page{};                     // null: none was opened yet
    std::map<std::string, std::uint64_t> followed{};  // last event by conversation
    const std::string& name() const { return caller->name; }
    bool is_viewer() const { return caller->role == hub::TeamRole::viewer; }
  };
  // A person's hub, and the scope of its tasks.
  struct View {
    hub::UserHub hub;
    Scope& tasks;
  };
  void add_person(std::string name, hub::TeamRole role);
  hub::CallerPtr owner_of(const std::string& conversation) const;
  std::optional<View> view_of(Person& person);
  Task<void> live(Person& person);
  void act(Person& person, View view);
  void tend_turns(Person& person, View view, const std::string& conversation);
  void change(Person& person, View view, const std::string& conversation);
  void revoke_any(Person& person, View view);
  Task<void> revoke(hub::UserHub hub, std::string rule);
  void answer_any(Person& person, View view, const std::vector<hub::Ask>& asks);
  void create(Person& person);
  void adopt(Person& person, View view);
  Task<void> create(std::string person, hub::UserHub hub, hub::NewConversation request, hub::Access access, std::string session);
  Task<void> prompt(Person& person, hub::UserHub hub, std::string conversation);
  Task<void> answer(hub::UserHub hub, hub::Ask ask, std::string option, std::string person);
  Task<void> follow(Person& person, hub::UserHub hub, std::string conversation, Duration patience);
  static std::string option_of(const hub::Ask& ask, bool allows);
  void run_as_owner(const std::string& conversation, auto command);
  template <class Command>
  Task<void> command(std::string person, hub::UserHub hub, std::string conversation, Command command);
  Task<void> end_and_start(Gateway& gateway);
  Task<void> tend_store();
  Task<void> watch_progress();
  bool should_move(const hub::Conversation& row) const;

  Gateway* any_gateway_up();
  void calm_down();
  std::size_t connected_runners() const;
  void leave_one_runner();
  bool has_agent(const hub::Conversation& row) const { return !row.runner || !runners_.empty(); }
  bool has_work(const hub::Conversation& row) const;
  void finish_work();
  void prompt_everywhere();
  Task<void> prompt_surely(std::string conversation);
  void compare_pages();
  void compare_page(Person& person);
  Outcome outcome();
  std::string log_of(const std::string& conversation) const;

  WorldSettings settings_;
  Random random_;
  Loop loop_{Loop::Time::virtual_};
  hub::test::SharedMemory memory_{loop_};
  Ledger ledger_;
  KeptSessions kept_;
  Setting setting_{loop_, random_, settings_.faults, memory_, ledger_};
  std::vector<std::unique_ptr<Gateway>> gateways_;
  std::vector<std::unique_ptr<Person>> persons_;
  std::vector<std::unique_ptr<Runner>> runners_;
  std::vector<std::string> conversations_;
  std::uint64_t prompts_ = 0;
  std::uint64_t titles_ = 0;
  std::map<std::string, std::uint64_t> options_{};  // last value by conversation
  std::uint64_t starts_ = 0;
  Progress progress_{std::chrono::minutes(3)};
  bool faults_are_over_ = false;
  Scope scope_{loop_};
};

template <class Command>
Task<void> World::command(std::string person, hub::UserHub hub, std::string conversation, Command command) {
  const auto effect = CommandBook::effect_of(command);
  const std::size_t sent = effect ? ledger_.commands().sent(conversation, person, *effect) : 0;
  const auto done = co_await hub.submit(conversation, std::move(command));
  if (done) ledger_.permitted(person, conversation, hub::rules_of<Command>.permission);
  if (effect) ledger_.commands().settled(sent, done ? nullptr : &done.error());
  if constexpr (std::is_same_v<Command, hub::RemoveConversation>)
    if (done) ledger_.removal_taken(conversation);
}

void World::run_as_owner(const std::string& conversation, auto command) {
  Gateway* const gateway = any_gateway_up();
  if (gateway == nullptr) return ledger_.wrong("no gateway starts, though no fault occurs");
  const hub::CallerPtr owner = owner_of(conversation);
  gateway->tasks().start(this->command(owner->name, {gateway->hub(), owner}, conversation, std::move(command)));
}

}  // namespace parlance::simulator

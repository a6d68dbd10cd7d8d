// SPDX-License-Identifier: Apache-2.0
// For tests of several hubs on a shared store: the shared memory, and each hub's view of the store. `die` ends the lease of a hub
// without a release. Calls of such a hub have the effects that PostgreSQL permits (store/hub_pg): its writes count until another hub
// claims the conversation, and its commands and outcomes always count.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/forwarded_reads.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub::test {

class SharedView;

struct SharedMemory {
  explicit SharedMemory(Loop& loop) : memory(loop), changed(loop), settled(loop) {}

  struct Waiting {
    Submission command;
    std::optional<CommandOutcome> outcome{};
  };
  MemoryStore memory;
  std::map<std::string, std::string> owners;      // of conversations
  std::set<std::string> removed{};                // a late write of an earlier owner has no effect
  std::map<std::string, std::uint64_t> epochs{};  // of the owners; each claim begins an epoch
  std::set<std::string> alive;                    // hubs with a lease
  std::set<std::string> dead{};                   // hubs that lost a conversation after their lease; they claim nothing
  std::map<std::string, std::uint64_t> revisions;
  std::map<std::string, std::set<std::string>> asks;  // open and orphaned, by conversation
  std::vector<Waiting> commands;
  std::uint64_t version = 0;  // of rules, limits and the team
  TeamPtr team;
  std::vector<AuditEntry> audit;
  std::map<std::string, RunnerConnection> runners;
  std::map<std::string, std::string> runner_owners;  // the hub of each runner's connection
  bool silent = false;                               // no notifications: all wake-ups are lost
  Signal changed;
  Signal settled;  // a command has an outcome, or the conversation is removed

  void notify() {
    if (!silent) changed.notify_all();
  }
  bool has_owner(const std::string& id) const { return owners.contains(id) && alive.contains(owners.at(id)); }
  Waiting* find(const std::string& id) {
    for (Waiting& waiting : commands)
      if (waiting.command.id == id) return &waiting;
    return nullptr;
  }
};

class SharedView final : public ForwardedReads<SharedView, SharedStore, MemoryStore> {
 public:
  SharedView(Loop& loop, SharedMemory& shared, std::string name) : loop_(loop), shared_(shared), name_(std::move(name)) {}
  void die() {
    shared_.alive.erase(name_);
    shared_.notify();
  }
  int claims = 0;
  int sent = 0;
  int answers_lost = 0;  // number of sends with a stored command and an error as the answer
  bool refuses_commands = false;
  int failing_looks = 0;
  Gate* slow_settings = nullptr;  // of the next answer with all settings
  Gate* slow_row = nullptr;       // of the next answer with rows
  Gate* holds =
      nullptr;  // until the gate opens, no claim reaches the store, and no answer to a release or about a runner reaches the hub

  Gate* holds_lists = nullptr;  // until the gate opens, no list of commands reaches the hub
  Gate* holds_reads = nullptr;  // until the gate opens, no event and no request reaches the hub

  Task<Result<Stored>> load() override {
    shared_.alive.insert(name_);
    known_ = shared_.revisions;
    known_version_ = shared_.version;
    return shared_.memory.load();
  }
  Task<Result<void>> write(CommitPtr change) override {
    const std::string id = conversation_of(*change);
    if (!id.empty() && !shared_.memory.has(id) && !shared_.removed.contains(id)) {
      shared_.owners[id] = name_;
      held_[id] = shared_.epochs[id] = 1;
    }
    if (!id.empty() && !holds_row(id)) {
      held_.erase(id);
      co_return std::unexpected(not_owner("fenced off"));
    }
    for (const CommandDone& done : change->done)
      if (const auto* const waiting = shared_.find(done.id); waiting == nullptr || waiting->outcome)
        co_return std::unexpected(command_ended());
    PARLANCE_CO_TRY_DO(co_await shared_.memory.write(change));
    for (const Ask& ask : change->asks) {
      if (ask.state == AskState::open || ask.state == AskState::orphaned) shared_.asks[ask.conversation].insert(ask.id);
      else shared_.asks[ask.conversation].erase(ask.id);
    }
    for (const CommandDone& done : change->done) settle(done);
    shared_.audit.insert(shared_.audit.end(), change->audit.begin(), change->audit.end());
    if (!change->rules.empty() || !change->removed_rules.empty() || change->limits) ++shared_.version;
    if (!id.empty()) ++shared_.revisions[id];
    shared_.notify();
    co_return Result<void>{};
  }
  Task<Result<void>> remove_conversation(std::string id) override {
    if (!held_.contains(id)) co_return Result<void>{};
    if (!holds_row(id)) {
      held_.erase(id);
      if (shared_.memory.has(id)) co_return std::unexpected(not_owner("fenced off"));
      co_return Result<void>{};
    }
    held_.erase(id);
    PARLANCE_CO_TRY_DO(co_await shared_.memory.remove_conversation(id));
    shared_.removed.insert(id);
    shared_.owners.erase(id);
    shared_.epochs.erase(id);
    shared_.revisions.erase(id);
    shared_.asks.erase(id);
    std::erase_if(shared_.commands, [&](const auto& command) { return command.command.conversation == id; });
    shared_.settled.notify_all();
    shared_.notify();
    co_return Result<void>{};
  }
  Task<Result<void>> remove_audited(std::string id, AuditEntry entry) override {
    PARLANCE_CO_TRY_DO(co_await remove_conversation(std::move(id)));
    shared_.audit.push_back(std::move(entry));
    co_return Result<void>{};
  }

  Task<Result<bool>> claim(std::string id) override {
    ++claims;
    if (holds != nullptr) co_await holds->wait();
    if (held_.contains(id)) co_return true;
    if (!shared_.memory.has(id)) co_return false;
    if (!shared_.has_owner(id)) {
      if (const auto owner = shared_.owners.find(id); owner != shared_.owners.end()) shared_.dead.insert(owner->second);
      if (!shared_.dead.contains(name_)) {
        shared_.owners[id] = name_;
        ++shared_.epochs[id];
        ++shared_.revisions[id];
        shared_.notify();
      }
    }
    if (!is_owner(id)) co_return false;
    held_[id] = shared_.epochs[id];
    co_return true;
  }
  Task<Result<void>> release(std::string id) override {
    if (held_.contains(id)) {
      const bool is_ours = holds_row(id);
      held_.erase(id);
      if (is_ours) {
        shared_.owners.erase(id);
        ++shared_.revisions[id];
        shared_.notify();
      }
    }
    if (holds != nullptr) co_await holds->wait();
    co_return Result<void>{};
  }
  Task<Result<std::vector<ReplicatedConversation>>> read_conversations(std::vector<std::string> ids) override {
    if (failing_looks > 0) {
      --failing_looks;
      co_return fail(Errc::disconnected, "the store is away");
    }
    std::vector<ReplicatedConversation> seen;
    for (const std::string& id : ids)
      if (shared_.memory.has(id)) seen.push_back(seen_of(id));
    if (Gate* const slow = std::exchange(slow_row, nullptr)) co_await slow->wait();
    co_return seen;
  }
  Task<Result<std::vector<std::string>>> continuing(std::string agent_session) override {
    std::vector<std::string> ids;
    for (const auto& [id, packed] : shared_.memory.conversations)
      if (packed.start().agent_session == agent_session && packed.start().how == AgentSession::How::resume) ids.push_back(id);
    co_return ids;
  }
  Task<Result<ReplicationUpdate>> next_update() override {
    // Like the real store: returns after a notification, and after a while in any case.
    const auto woken = [](Signal& changed) -> Task<Result<void>> {
      co_await changed.wait();
      co_return Result<void>{};
    };
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + std::chrono::seconds(3), woken(shared_.changed)));
    ReplicationUpdate update;
    std::set<std::string_view> waiting;  // conversations
    for (const auto& one : shared_.commands)
      if (!one.outcome) waiting.insert(one.command.conversation);
    for (const auto& [id, revision] : shared_.revisions) look_at(id, revision, waiting.contains(id), update);
    for (const auto& [id, revision] : known_)
      if (!shared_.revisions.contains(id)) update.removed.push_back(id);
    std::vector<RunnerConnection> runners;
    for (const auto& [name, at] : shared_.runners) runners.push_back(seen_runner(name));
    if (runners != known_runners_) update.runners = known_runners_ = runners;
    update.settings_changed = std::exchange(known_version_, shared_.version) != shared_.version;
    known_ = shared_.revisions;
    co_return update;
  }
  Task<Result<std::uint64_t>> settings_version() override { co_return shared_.version; }
  Task<Result<SettingsSnapshot>> settings_snapshot() override {
    SettingsSnapshot now{
        .version = shared_.version, .rules = shared_.memory.rules, .limits = shared_.memory.limits, .team = shared_.team};
    if (Gate* const slow = std::exchange(slow_settings, nullptr)) co_await slow->wait();
    co_return now;
  }
  Duration lease() const override { return std::chrono::seconds(15); }
  Task<Result<CommandOutcome>> send(Submission command) override {
    ++sent;
    if (refuses_commands) co_return fail(Errc::overloaded, "the store is full");
    const std::string id = command.id;
    const std::string conversation = command.conversation;
    if (shared_.find(id) == nullptr) shared_.commands.push_back({.command = std::move(command)});
    shared_.notify();
    if (answers_lost > 0) {
      --answers_lost;
      co_return fail(Errc::disconnected, "the store is away");
    }
    for (;;) {
      const SharedMemory::Waiting* const waiting = shared_.find(id);
      if (waiting == nullptr) co_return fail(Errc::not_found, "no such conversation any more: " + conversation);
      if (waiting->outcome) co_return *waiting->outcome;
      co_await shared_.settled.wait();
    }
  }
  Task<Result<std::optional<CommandOutcome>>> withdraw_command(std::string id) override {
    SharedMemory::Waiting* const waiting = shared_.find(id);
    if (waiting == nullptr || waiting->outcome) co_return waiting == nullptr ? std::nullopt : waiting->outcome;
    waiting->outcome = CommandOutcome{.error = Error{.message = "given up"}};
    shared_.settled.notify_all();
    co_return std::nullopt;
  }
  Task<Result<std::vector<Submission>>> commands(std::string conversation) override {
    std::vector<Submission> waiting;
    for (const auto& command : shared_.commands)
      if (!command.outcome && command.command.conversation == conversation) waiting.push_back(command.command);
    if (holds_lists != nullptr) co_await holds_lists->wait();
    co_return waiting;
  }
  Task<Result<void>> done(CommandDone command) override {
    settle(command);
    shared_.notify();
    co_return Result<void>{};
  }
  Task<Result<RunnerConnection>> runner_connected(std::string name, std::string body, std::string user) override {
    if (shared_.dead.contains(name_)) co_return fail(Errc::failed, "the runner is connected to another gateway by now");
    RunnerConnection& at = shared_.runners[name];
    at = {.runner = name, .user = std::move(user), .connection = at.connection + 1, .connected = true, .body = std::move(body)};
    shared_.runner_owners[name] = name_;
    shared_.notify();
    const RunnerConnection written = seen_runner(name);
    if (holds != nullptr) co_await holds->wait();
    if (!written.here) co_return fail(Errc::failed, "the runner is connected to another gateway by now");
    co_return written;
  }
  Task<Result<void>> runner_disconnected(std::string name, std::uint64_t connection) override {
    if (shared_.runners[name].connection == connection) shared_.runners[name].connected = false;
    shared_.notify();
    co_return Result<void>{};
  }
  Task<Result<std::optional<RunnerConnection>>> find_runner(std::string name) override {
    if (!shared_.runners.contains(name)) co_return std::nullopt;
    co_return seen_runner(name);
  }

  // The epoch in which this hub writes; 0: not the owner, by its own knowledge.
  std::uint64_t epoch_of(const std::string& id) const {
    const auto found = held_.find(id);
    return found == held_.end() ? 0 : found->second;
  }

 private:
  friend ForwardedReads;
  template <auto operation, class... Arguments>
  auto call(Arguments... arguments) {
    return held((shared_.memory.*operation)(std::move(arguments)...));
  }
  template <class T>
  Task<T> held(Task<T> read) {
    if (holds_reads != nullptr) co_await holds_reads->wait();
    co_return co_await std::move(read);
  }

  static const std::string& conversation_of(const Commit& change) {
    return change.conversation ? change.conversation->id : change.events_of;
  }
  bool is_owner(const std::string& id) const {
    const auto owner = shared_.owners.find(id);
    return owner != shared_.owners.end() && owner->second == name_;
  }
  // The fence of PostgreSQL: owner and epoch. The lease does not matter.
  bool holds_row(const std::string& id) const { return is_owner(id) && epoch_of(id) == shared_.epochs[id]; }
  RunnerConnection seen_runner(const std::string& name) const {
    RunnerConnection at = shared_.runners.at(name);
    const std::string& owner = shared_.runner_owners.at(name);
    at.connected = at.connected && shared_.alive.contains(owner);
    at.here = at.connected && owner == name_;
    return at;
  }
  void settle(const CommandDone& done) {
    SharedMemory::Waiting* const waiting = shared_.find(done.id);
    if (waiting != nullptr && !waiting->outcome) waiting->outcome = done.outcome;
    shared_.settled.notify_all();
  }
  ReplicatedConversation seen_of(const std::string& id) {
    ReplicatedConversation seen{.row = shared_.memory.row(id), .has_owner = shared_.has_owner(id)};
    seen.is_ours = is_owner(id);
    seen.row.last_seq = shared_.memory.logs[id].size();
    if (const auto waiting = shared_.asks.find(id); waiting != shared_.asks.end())
      for (const std::string& ask : waiting->second) seen.asks.push_back(shared_.memory.asks.at(ask));
    return seen;
  }
  void look_at(const std::string& id, std::uint64_t revision, bool waits, ReplicationUpdate& update) {
    const bool mine = is_owner(id);
    if (mine && waits) update.commands.push_back(id);
    const auto known = known_.find(id);
    if (!mine && (known == known_.end() || known->second != revision)) update.changed.push_back(seen_of(id));
    if (!mine && !shared_.has_owner(id)) update.ownerless.push_back({.id = id, .has_commands = waits});
  }

  Loop& loop_;
  SharedMemory& shared_;
  std::string name_;
  std::map<std::string, std::uint64_t> known_;
  std::map<std::string, std::uint64_t> held_;  // epochs of own conversations
  std::uint64_t known_version_ = 0;
  std::vector<RunnerConnection> known_runners_;
};

// The outcome of a task. Advances virtual time as needed, by a minute at most.
template <class T>
T outcome_of(Loop& loop, Task<T> task) {
  std::optional<T> value;
  Scope scope(loop);
  const auto run = [](Task<T> inner, std::optional<T>& into) -> Task<void> { into = co_await std::move(inner); };
  scope.start(run(std::move(task), value));
  for (int i = 0; i < 6000 && !value; ++i) loop.advance(std::chrono::milliseconds(10));
  PARLANCE_CHECK(value, "an outcome");
  return *std::move(value);
}

// A gateway among several: a hub with an agent of its own.
struct Station {
  Station(Loop& on, SharedMemory& shared, std::string named) : loop(on), name(std::move(named)), store(on, shared, name) {
    hub = std::make_unique<Hub>(
        loop, store,
        HubSettings{.wall_clock = [this] { return wall_now() + ahead; },
                    .new_id = [this](std::string_view prefix) { return std::string(prefix) + name + std::to_string(++ids); }});
    hub->add_agent(std::make_unique<ScriptedProvider>(script, log));
    const Result<void> started = loop.block_on(hub->start());
    PARLANCE_CHECK(started, "a hub that starts");
  }
  void die() {
    hub.reset();
    store.die();
  }

  Loop& loop;
  std::string name;
  int ids = 0;
  std::chrono::milliseconds ahead{};  // of the gateway's wall clock
  SharedView store;
  Script script = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return StopReason::end_turn; };
  AgentLog log;
  std::unique_ptr<Hub> hub;
};

}  // namespace parlance::hub::test

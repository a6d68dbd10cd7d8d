// SPDX-License-Identifier: Apache-2.0
// A gateway's connection to the shared store: calls are late, refused or cut off by the death of the process, as Faults says. The process
// may die before and after the effect of each call that changes the store.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/hub/test_shared_store.h"
#include "tests/simulator/setting.h"

namespace parlance::simulator {

class FlakyStore final : public hub::ForwardedReads<FlakyStore, hub::SharedStore, hub::test::SharedView> {
 public:
  // `die` ends the process of the gateway after the current turn of the loop.
  FlakyStore(Setting& setting, std::string name, std::move_only_function<void()> die)
      : setting_(setting), name_(std::move(name)), view_(setting.loop, setting.memory, name_), die_(std::move(die)) {}

  // The lease is over: other gateways may claim the conversations of this gateway.
  void end() { view_.die(); }

  Task<Result<hub::Stored>> load() override { return late(view_.load()); }
  Task<Result<void>> write(hub::CommitPtr change) override {
    co_await delay();
    if (random_.chance(faults_.crash_before_write)) co_await death();
    if (random_.chance(faults_.refused_call)) co_return refused();
    if (is_full()) co_return full();
    const std::string conversation = change->conversation ? change->conversation->id : change->events_of;
    const bool adopts = change->conversation && change->conversation->via == hub::via_adoption;
    Result<void> written = co_await view_.write(change);
    if (written) setting_.ledger.committed(conversation, name_, view_.epoch_of(conversation), adopts);
    if (random_.chance(faults_.crash_after_write)) co_await death();
    co_await delay();
    co_return written;
  }
  Task<Result<void>> remove_conversation(std::string id) override { return changing(view_.remove_conversation(std::move(id))); }
  Task<Result<void>> remove_audited(std::string id, hub::AuditEntry entry) override {
    return changing(view_.remove_audited(std::move(id), std::move(entry)));
  }
  Task<Result<bool>> claim(std::string id) override { return changing(view_.claim(std::move(id))); }
  Task<Result<void>> release(std::string id) override { return changing(view_.release(std::move(id))); }
  Task<Result<std::vector<hub::ReplicatedConversation>>> read_conversations(std::vector<std::string> ids) override {
    return late(view_.read_conversations(std::move(ids)));
  }
  Task<Result<std::vector<std::string>>> continuing(std::string agent_session) override {
    return late(view_.continuing(std::move(agent_session)));
  }
  // A failure of the view would lose the difference, which the view keeps.
  Task<Result<hub::ReplicationUpdate>> next_update() override { return view_.next_update(); }
  Task<Result<std::uint64_t>> settings_version() override { return late(view_.settings_version()); }
  Task<Result<hub::SettingsSnapshot>> settings_snapshot() override { return late(view_.settings_snapshot()); }
  Duration lease() const override { return view_.lease(); }
  Task<Result<hub::CommandOutcome>> send(hub::Submission command) override {
    co_await delay();
    if (random_.chance(faults_.crash_before_call)) co_await death();
    if (is_full()) co_return full();
    if (random_.chance(faults_.lost_outcome)) view_.answers_lost = 1;
    if (random_.chance(faults_.crash_after_call)) die_();  // the store has the command then
    Result<hub::CommandOutcome> outcome = co_await view_.send(std::move(command));
    co_await delay();
    co_return outcome;
  }
  Task<Result<std::optional<hub::CommandOutcome>>> withdraw_command(std::string id) override {
    return changing(view_.withdraw_command(std::move(id)), Outcome::may_be_lost);
  }
  Task<Result<std::vector<hub::Submission>>> commands(std::string conversation) override {
    return late(view_.commands(std::move(conversation)));
  }
  Task<Result<void>> done(hub::CommandDone command) override {
    return changing(view_.done(std::move(command)), Outcome::may_be_lost);
  }
  Task<Result<hub::RunnerConnection>> runner_connected(std::string name, std::string body, std::string user) override {
    return changing(view_.runner_connected(std::move(name), std::move(body), std::move(user)), Outcome::may_be_lost);
  }
  Task<Result<void>> runner_disconnected(std::string name, std::uint64_t connection) override {
    return changing(view_.runner_disconnected(std::move(name), connection), Outcome::may_be_lost);
  }
  Task<Result<std::optional<hub::RunnerConnection>>> find_runner(std::string name) override {
    return late(view_.find_runner(std::move(name)));
  }

 private:
  friend ForwardedReads;
  template <auto operation, class... Arguments>
  auto call(Arguments... arguments) {
    return late((view_.*operation)(std::move(arguments)...));
  }

  // PostgreSQL repeats claims, releases and removals until it knows their outcomes.
  enum class Outcome : std::uint8_t { is_known, may_be_lost };

  bool is_full() const { return loop_.now() < setting_.full_until; }
  static std::unexpected<Error> full() { return fail(Errc::overloaded, "the simulated store is full"); }
  static std::unexpected<Error> refused() { return fail(Errc::disconnected, "the simulated store is away"); }

  // Late, or refused before its effect.
  template <class T>
  Task<Result<T>> late(Task<Result<T>> call) {
    co_await delay();
    if (random_.chance(faults_.refused_call)) co_return refused();
    Result<T> result = co_await std::move(call);
    co_await delay();
    co_return result;
  }
  // The same with a death around the effect.
  template <class T>
  Task<Result<T>> changing(Task<Result<T>> call, Outcome outcome = Outcome::is_known) {
    co_await delay();
    if (random_.chance(faults_.crash_before_call)) co_await death();
    if (random_.chance(faults_.refused_call)) co_return refused();
    if (is_full()) co_return full();
    Result<T> result = co_await std::move(call);
    if (random_.chance(faults_.crash_after_call)) co_await death();
    co_await delay();
    if (outcome == Outcome::may_be_lost && random_.chance(faults_.lost_outcome)) co_return refused();
    co_return result;
  }
  Task<void> delay() {
    co_await sleep_for(loop_,
                       random_.chance(faults_.slow_call) ? random_.between(0s, faults_.slowest_call) : random_.between(0s, 5ms));
    if (loop_.now() < setting_.stalled_until) co_await sleep_until(loop_, setting_.stalled_until);
  }
  // Never returns: the process destroys the coroutine.
  Task<void> death() {
    die_();
    co_await sleep_for(loop_, never - loop_.now());
  }

  Setting& setting_;
  Loop& loop_ = setting_.loop;
  Random& random_ = setting_.random;
  const Faults& faults_ = setting_.faults;
  std::string name_;
  hub::test::SharedView view_;
  std::move_only_function<void()> die_;
};

}  // namespace parlance::simulator

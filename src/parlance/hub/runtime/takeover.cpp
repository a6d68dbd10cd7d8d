// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/takeover.h"

#include <algorithm>
#include <utility>

#include "parlance/async/run_in.h"
#include "parlance/base/log.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/replication_update.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_idle = std::chrono::seconds(30);

// Longer than the lease of a dead owner.
Duration command_wait(const SharedStore& store) {
  return std::max<Duration>(limits::command_wait, 2 * store.lease() + std::chrono::seconds(10));
}

// After a temporary store failure the command may or may not be stored, so the hub repeats the request until the result is known.
// The store accepts a command once. A store that refuses the command certainly does not have it, unless the outcome of an earlier
// attempt is unknown: the caller gets the error soon.
Task<Result<CommandOutcome>> send_surely(Loop& loop, SharedStore& store, Submission from, TimePoint until) {
  bool may_be_stored = false;
  for (const TimePoint patience = loop.now() + refusal_patience;;) {
    Result<CommandOutcome> done = co_await with_deadline(loop, until, store.send(from));
    if (done) co_return done;
    const bool is_refused = done.error().code == Errc::overloaded;
    if (is_refused && !may_be_stored && loop.now() >= patience)
      co_return std::unexpected(std::move(done).error().in("nothing was done"));
    if (!is_refused && done.error().code != Errc::disconnected) co_return done;
    if (loop.now() >= until) co_return fail(Errc::deadline_exceeded, "the owner did not answer");
    may_be_stored = may_be_stored || !is_refused;
    co_await sleep_for(loop, limits::replication_retry);
  }
}

// The caller gets an error only when the command will certainly not run. A hub without a store ends with its lease; after a
// refusal to close the command, the error says "may still run".
Task<Result<std::optional<CommandOutcome>>> withdraw_surely(Loop& loop, SharedStore& store, std::string command) {
  for (const TimePoint patience = loop.now() + refusal_patience;;) {
    Result<std::optional<CommandOutcome>> late = co_await store.withdraw_command(command);
    if (late) co_return late;
    const bool is_refused = late.error().code == Errc::overloaded;
    if (is_refused && loop.now() >= patience)
      co_return std::unexpected(
          std::move(late).error().in("the owner of this conversation did not answer, and may still carry out the command"));
    if (!is_refused && late.error().code != Errc::disconnected) co_return late;
    co_await sleep_for(loop, limits::replication_retry);
  }
}

}  // namespace

// ---- commands -------------------------------------------------------------------------------------------------------------

Task<Result<std::optional<Prompted>>> Takeover::run_at_owner(std::shared_ptr<ConversationRuntime> runtime, Submission from) {
  PARLANCE_CO_TRY_DO(co_await until_settled(runtime, parts_.core.loop.now() + command_wait(*parts_.core.shared)));
  if (runtime->ownership.state() == Ownership::State::orphaned && !runners_.is_at_another_hub(*runtime))
    PARLANCE_CO_TRY_DO(co_await claim(runtime));
  if (runtime->ownership.is_owner()) co_return std::nullopt;
  from.id = parts_.core.settings.new_id("command_");
  from.conversation = runtime->current.id;
  const bool removes = std::holds_alternative<RemoveConversation>(from.command);
  // The store refuses the effect of a withdrawn command if the commit contains its outcome.
  const bool has_effect_only_in_commit = !removes && !rules_of_command(from.command).is_repeatable;
  const std::string id = from.id;
  const Duration wait = command_wait(*parts_.core.shared);
  Result<CommandOutcome> done =
      co_await send_surely(parts_.core.loop, *parts_.core.shared, std::move(from), parts_.core.loop.now() + wait);
  if (!done && done.error().code == Errc::deadline_exceeded) {
    PARLANCE_CO_TRY(late, co_await withdraw_surely(parts_.core.loop, *parts_.core.shared, id));
    if (!late)
      co_return fail(
          Errc::deadline_exceeded,
          "the owner of this conversation did not answer in " +
              std::to_string(std::chrono::duration_cast<std::chrono::seconds>(wait).count()) +
              " seconds, and the command is withdrawn" +
              (has_effect_only_in_commit ? ": nothing was done" : "; check the conversation before you send this again"));
    done = *std::move(late);
  }
  if (removes && !done && done.error().code == Errc::not_found) {
    publisher_.removed(runtime);
    co_return Prompted{};
  }
  PARLANCE_CO_TRY(outcome, std::move(done));
  if (outcome.error) co_return std::unexpected(*std::move(outcome.error));
  // Shows the caller the result; on failure the next replication update does. Pages of others need the change too.
  static_cast<void>(co_await run_in(parts_.core.scope, replication_.reload(runtime)));
  co_return std::move(outcome.prompted);
}

// ---- takeover -------------------------------------------------------------------------------------------------------------

// The caller may stop waiting: the takeover continues.
Task<Result<bool>> Takeover::claim(std::shared_ptr<ConversationRuntime> runtime) {
  if (runtime->ownership.apply(Ownership::Event::claim)) parts_.core.scope.start(take_over(runtime));
  PARLANCE_CO_TRY_DO(co_await until_settled(runtime, parts_.core.loop.now() + command_wait(*parts_.core.shared)));
  if (!runtime->ownership.is_owner() && runtime->refused) co_return std::unexpected(*runtime->refused);
  co_return runtime->ownership.is_owner();
}

Task<void> Takeover::take_over(std::shared_ptr<ConversationRuntime> runtime) {
  runtime->refused.reset();
  const Result<bool> taken = co_await take(runtime);
  if (!taken) runtime->refused = taken.error();
  runtime->ownership.apply(!taken ? Ownership::Event::failed : *taken ? Ownership::Event::recovered : Ownership::Event::denied);
  settled(runtime);
  if (!taken) replication_.reload_later(runtime->current.id);  // the row may name this gateway as its owner already
  if (taken && *taken) owned_(runtime);
}

Task<Result<void>> Takeover::until_settled(std::shared_ptr<ConversationRuntime> runtime, TimePoint until) {
  const auto idle = [](ConversationRuntime& changing) -> Task<Result<void>> {
    co_await changing.idle.wait();
    co_return Result<void>{};
  };
  while (runtime->ownership.is_changing())
    if (const auto waited = co_await with_deadline(parts_.core.loop, until, idle(*runtime)); !waited)
      co_return fail(Errc::deadline_exceeded, "nothing was done in the conversation " + runtime->current.id +
                                                  ": this gateway is still taking over or releasing the conversation; send this "
                                                  "again in a minute, and restart the gateway if the error persists");
  co_return Result<void>{};
}

void Takeover::settled(const std::shared_ptr<ConversationRuntime>& runtime) {
  if (runtime->ownership.is_changing()) return;  // another hub has taken over meanwhile, and `drop` is at work
  runtime->idle.notify_all();
  if (!runtime->ownership.is_owner()) replication_.owner_changed(runtime->current.id);
}

Task<Result<bool>> Takeover::take(std::shared_ptr<ConversationRuntime> runtime) {
  co_await runtime->log.at_rest();  // writes of an earlier ownership
  PARLANCE_CO_TRY(claimed, co_await parts_.core.shared->claim(runtime->current.id));
  if (!claimed) co_return false;
  PARLANCE_CO_TRY(now, co_await parts_.core.shared->read_conversations({runtime->current.id}));
  if (now.empty()) {
    publisher_.removed(runtime);
    co_return fail(Errc::not_found, "no such conversation: " + runtime->current.id);
  }
  co_await replication_.publish_settled(runtime, replication_.apply_row(*runtime, std::move(now.front())));
  parts_.spending.forget(runtime->current.id);
  runtime->log.begin_at(runtime->current.last_seq);
  runtime->last_action = parts_.core.loop.now();
  runtime->ownership.apply(Ownership::Event::granted);
  if (const auto recovered = co_await recover_ownerless(runtime); !recovered) {
    runtime->log.forget(not_owner("the takeover failed: " + recovered.error().message));
    co_return std::unexpected(recovered.error());
  }
  co_return true;
}

Task<Result<void>> Takeover::recover_ownerless(std::shared_ptr<ConversationRuntime> runtime) {
  if (runtime->current.turn.empty() && !runtime->has_open_request()) co_return Result<void>{};
  PARLANCE_CO_TRY_DO(co_await recovery_.recover(runtime));
  co_return co_await runtime->log.written();
}

Task<bool> Takeover::claim_ownerless(std::shared_ptr<ConversationRuntime> runtime) {
  if (runners_.is_at_another_hub(*runtime)) {
    co_await return_lease(*runtime);
    co_return false;
  }
  const Result<bool> claimed = co_await claim(runtime);
  if (!claimed)
    log(LogLevel::warn, "a conversation cannot be taken over",
        {{"conversation", runtime->current.id}, {"error", claimed.error().message}});
  co_return claimed && *claimed;
}

// ---- release --------------------------------------------------------------------------------------------------------------

void Takeover::release_idle() {
  if (parts_.core.loop.now() < next_release_) return;
  next_release_ = parts_.core.loop.now() + look_for_idle;
  std::vector<std::shared_ptr<ConversationRuntime>> idle;
  for (const auto& [id, runtime] : runtimes_) {
    if (runtime->ownership.is_owner() && runtime->is_at_rest() &&
        parts_.core.loop.now() - runtime->last_action > limits::released_after)
      idle.push_back(runtime);
  }
  for (const auto& runtime : idle) parts_.core.scope.start(release(runtime));
}

Task<void> Takeover::release(std::shared_ptr<ConversationRuntime> runtime) {
  if (!runtime->ownership.apply(Ownership::Event::release)) co_return;
  if (runtime->agent) co_await turns_.close_agent(std::exchange(runtime->agent, nullptr));
  co_await runtime->log.at_rest();
  co_await return_lease(*runtime);
  parts_.histories.forget(runtime);
  runtime->ownership.apply(Ownership::Event::released);
  settled(runtime);
}

// After a failure the row still names this hub. The next replication update finds the row: `claim_ownerless` takes the conversation
// again, or returns the lease.
Task<void> Takeover::return_lease(const ConversationRuntime& runtime) {
  const std::string id = runtime.current.id;
  const auto released = co_await parts_.core.shared->release(id);
  if (released) co_return;
  log(LogLevel::warn, "a conversation cannot be released", {{"conversation", id}, {"error", released.error().message}});
  replication_.reload_later(id);
}

Task<void> Takeover::drop(std::shared_ptr<ConversationRuntime> runtime) {
  if (!runtime->ownership.apply(Ownership::Event::lost)) co_return;
  log(LogLevel::warn, "another gateway has taken over a conversation of this gateway", {{"conversation", runtime->current.id}});
  // First: from here on the log accepts no events, so the ending turn cannot wait for a write without success.
  runtime->log.forget(not_owner("another gateway owns the conversation " + runtime->current.id));
  if (runtime->turn) runtime->turn->lose();
  while (runtime->turn) co_await runtime->idle.wait();
  runtime->agent.reset();
  runtime->pending.clear();
  co_await runtime->log.at_rest();
  parts_.histories.forget(runtime);
  runtime->ownership.apply(Ownership::Event::left);
  replication_.reload_later(runtime->current.id);
  settled(runtime);
}

// ---- runners: the hub with a runner's connection owns the runner's conversations -------------------------------------------

Task<Result<void>> Takeover::reach_runner(std::shared_ptr<ConversationRuntime> runtime) {
  if (parts_.core.shared == nullptr || runners_.check(*runtime)) co_return runners_.check(*runtime);
  PARLANCE_CO_TRY_DO(co_await runners_.refresh(*runtime));
  if (runtime->ownership.may_write() && runners_.is_at_another_hub(*runtime))
    co_await run_in(parts_.core.scope, hand_over(runtime));
  co_return Result<void>{};
}

void Takeover::apply_runners(std::vector<RunnerConnection> now) {
  for (const RunnerConnection& runner : now) runners_.note(runner);
  for (const auto& [id, runtime] : runtimes_)
    if (runtime->ownership.is_owner() && runners_.is_at_another_hub(*runtime)) parts_.core.scope.start(hand_over(runtime));
  if (parts_.core.settings.runners_changed) parts_.core.settings.runners_changed(now);
}

// The agent's runner is now connected to another hub, so this hub cannot work on the conversation. The running turn ends with its
// connection.
Task<void> Takeover::hand_over(std::shared_ptr<ConversationRuntime> runtime) {
  for (;;) {
    while (runtime->turn || runtime->replaying || runtime->ownership.is_changing()) co_await runtime->idle.wait();
    if (!runtime->ownership.is_owner() || runtime->removing || !runners_.is_at_another_hub(*runtime)) co_return;
    if (runtime->log.idle()) break;
    if (const auto written = co_await runtime->log.written(); !written) co_return;  // retried later
  }
  log(LogLevel::info, "a conversation moves to the gateway of its runner", {{"conversation", runtime->current.id}});
  co_await release(runtime);
}

}  // namespace parlance::hub

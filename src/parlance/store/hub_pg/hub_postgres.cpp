// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/hub_postgres.h"

#include <algorithm>
#include <set>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/store/hub_pg/commit_group.h"
#include "parlance/store/hub_pg/committer.h"
#include "parlance/store/hub_pg/lease_keeper.h"
#include "parlance/store/hub_pg/limits.h"
#include "parlance/store/hub_pg/notifier.h"
#include "parlance/store/hub_pg/schema.h"
#include "parlance/store/hub_pg/server_warnings.h"

namespace parlance::store {
namespace {

pg::ConnectSettings connect_settings(const HubPostgresSettings& settings, std::string_view purpose) {
  return {.address = settings.address,
          .name = "parlance " + std::string(purpose),
          .silence = std::chrono::duration_cast<Duration>(settings.silence)};
}

// Adds the written position of a conversation. On the committing thread.
void note_held(const Committer& committer, Notice& notice, const std::string& conversation, bool rows) {
  const auto held = committer.held().find(conversation);
  if (held == committer.held().end()) return;
  const Held& row = held->second;
  notice.add(conversation, {.first = row.revision, .last = row.revision, .last_seq = row.last_seq, .rows = rows});
}

std::string interval(Lease::Time time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) + " milliseconds";
}

std::size_t bytes_of(const hub::Commit& change) {
  std::size_t bytes = 0;
  for (const hub::Event& event : change.events) bytes += weight_of(event.body);
  for (const hub::Attachment& attachment : change.attachments) bytes += attachment.data.size();
  return bytes;
}

}  // namespace

HubPostgres::HubPostgres(Loop& loop, HubPostgresSettings settings)
    : loop_(loop), settings_(std::move(settings)), interrupt_(std::make_unique<pg::Interrupt>()), outcomes_(loop) {
  if (settings_.hub.empty()) settings_.hub = make_id("hub_");
  lease_text_ = interval(settings_.lease.length);
  lease_ = std::make_unique<LeaseKeeper>(loop_,
                                         LeaseRows(connect_settings(settings_, "lease"), *interrupt_, settings_.hub,
                                                   with_schema_version(settings_.version), lease_text_),
                                         settings_.lease, [this](const std::string& reason) {
                                           if (settings_.on_lost) settings_.on_lost(reason);
                                         });
  committer_ =
      std::make_unique<Committer>(Committer::Settings{.connect = connect_settings(settings_, "commits"),
                                                      .hub = settings_.hub,
                                                      .lease = lease_text_,
                                                      .alive = [keeper = lease_.get()] { return keeper->alive(); },
                                                      .regressed = [this](const std::string& id) { report_lost_data(id); }},
                                  *interrupt_);
  reader_ = std::make_unique<Reader>(connect_settings(settings_, "reads"), *interrupt_, settings_.hub, lease_text_);
  commits_ = std::make_unique<Worker>(loop_, "hub-commits");
  reads_ = std::make_unique<Worker>(loop_, "hub-reads");
  feed_ = std::make_unique<Feed>(Feed::Settings{.connect = connect_settings(settings_, "news"),
                                                .hub = settings_.hub,
                                                .lease = lease_text_,
                                                .listens = settings_.listens,
                                                .compare = std::chrono::duration_cast<Duration>(settings_.lease.renewal)},
                                 *interrupt_);
  notifier_ = std::make_unique<Notifier>(loop_, connect_settings(settings_, "notices"), *interrupt_, settings_.hub);
  listener_ = std::make_unique<Worker>(loop_, "hub-news");
}

HubPostgres::~HubPostgres() {
  interrupt_->raise();
  listener_.reset();
  commits_.reset();
  reads_.reset();
  notifier_.reset();
  lease_.reset();
}

Task<Result<hub::Stored>> HubPostgres::load() {
  PARLANCE_CO_TRY_DO(co_await call<&Reader::migrate>());
  PARLANCE_CO_TRY_DO(co_await lease_->join());
  PARLANCE_CO_TRY(loaded, co_await call<&Reader::load>());
  feed_->begin(std::move(loaded.revisions), loaded.settings_version);
  co_return std::move(loaded.stored);
}

// ---- commits -----------------------------------------------------------------------------------------------------------------

Task<Result<void>> HubPostgres::write(hub::CommitPtr change) {
  const auto outcome = std::make_shared<OneShot<Result<void>>>(loop_);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({.change = std::move(change), .outcome = outcome});
  }
  commits_->submit([this] { write_waiting(); });
  co_return co_await outcome->get();
}

// The oldest commits, at most one for each conversation: the next commit of a conversation joins the next group.
std::vector<HubPostgres::Waiting> HubPostgres::take_group() {
  const std::lock_guard lock(mutex_);
  std::set<std::string, std::less<>> conversations;
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (; count < waiting_.size() && count < limits::group_commits && bytes < limits::group_bytes; ++count) {
    const hub::Commit& change = *waiting_[count].change;
    if (!conversations.insert(conversation_of(change)).second) break;
    bytes += bytes_of(change);
  }
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Waiting> group(std::move_iterator(waiting_.begin()), std::move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return group;
}

void HubPostgres::write_waiting() {
  std::vector<Waiting> group = take_group();
  if (group.empty()) return;  // an earlier group contained all commits
  std::vector<hub::CommitPtr> changes;
  for (const Waiting& waiting : group) changes.push_back(waiting.change);
  std::vector<Result<void>> outcomes = committer_->commit(changes);
  for (std::size_t i = 0; i < group.size(); ++i)
    if (outcomes[i]) notify_written(*changes[i]);
  loop_.post([group = std::move(group), outcomes = std::move(outcomes)]() mutable {
    for (std::size_t i = 0; i < group.size(); ++i) group[i].outcome->set(std::move(outcomes[i]));
  });
}

// After the transaction: NOTIFY inside would take a lock that blocks all other commits.
void HubPostgres::notify_written(const hub::Commit& change) {
  Notice notice{.settings_changed = changes_settings(change)};
  note_held(*committer_, notice, conversation_of(change), change.conversation != nullptr || !change.asks.empty());
  for (const hub::CommandDone& done : change.done) notice.outcomes.insert(done.id);
  notifier_->notify(std::move(notice));
}

Task<Result<void>> HubPostgres::remove(std::string id, std::optional<hub::AuditEntry> entry) {
  PARLANCE_CO_TRY_DO(co_await commits_->run(
      [committer = committer_.get(), id, entry = std::move(entry)] { return committer->remove(id, entry); }));
  notifier_->notify({.removed = {std::move(id)}, .settings_changed = true});
  co_return Result<void>{};
}

Task<Result<std::vector<std::string>>> HubPostgres::unused_sessions(std::string runner) {
  return run_on<&RunnerRows::unused_sessions>(*reads_, reader_->runners(), std::move(runner));
}

Task<Result<void>> HubPostgres::forget_unused_session(std::string runner, std::string session) {
  return run_on<&RunnerRows::forget_unused_session>(*reads_, reader_->runners(), std::move(runner), std::move(session));
}

Task<Result<bool>> HubPostgres::claim(std::string conversation) {
  PARLANCE_CO_TRY(claimed, co_await commits_->run([this, id = conversation]() -> Result<bool> {
    PARLANCE_TRY(is_owner, committer_->claim(id));
    Notice notice;
    note_held(*committer_, notice, id, true);
    notifier_->notify(std::move(notice));
    return is_owner;
  }));
  co_return claimed;
}

Task<Result<void>> HubPostgres::release(std::string conversation) {
  PARLANCE_CO_TRY_DO(
      co_await commits_->run([committer = committer_.get(), id = conversation] { return committer->release(id); }));
  notifier_->notify({.hub_ended = true});
  co_return Result<void>{};
}

Task<Result<void>> HubPostgres::leave() {
  PARLANCE_CO_TRY_DO(co_await lease_->leave());
  co_await notifier_->finish({.hub_ended = true});
  co_return Result<void>{};
}

// ---- other hubs --------------------------------------------------------------------------------------------------------------

Task<Result<std::vector<hub::ReplicatedConversation>>> HubPostgres::read_conversations(std::vector<std::string> conversations) {
  return call<&Reader::read_conversations>(std::move(conversations));
}

Task<Result<std::vector<std::string>>> HubPostgres::continuing(std::string agent_session) {
  return call<&Reader::continuing>(std::move(agent_session));
}

Task<Result<hub::ReplicationUpdate>> HubPostgres::next_update() {
  PARLANCE_CO_TRY(changes, co_await listener_->run([feed = feed_.get()] { return feed->next(); }));
  if (changes.outcomes) {
    ++outcomes_received_;
    outcomes_.notify_all();
  }
  if (!changes.regressed.empty()) report_lost_data(changes.regressed);
  co_return std::move(changes.update);
}

// Acknowledged data is lost, so this hub's knowledge of its conversations is invalid: the hub and its pages restart.
void HubPostgres::report_lost_data(const std::string& conversation) {
  loop_.post([lost = settings_.on_lost, conversation] {
    if (lost)
      lost("the database has lost what was acknowledged, first seen in " + conversation +
           ": a standby took over that was behind, or a backup was restored");
  });
}

Task<Result<std::uint64_t>> HubPostgres::settings_version() { return call<&Reader::settings_version>(); }

Task<Result<hub::SettingsSnapshot>> HubPostgres::settings_snapshot() { return call<&Reader::settings_snapshot>(); }

FollowingState HubPostgres::following() const { return {.state = feed_->state(), .since = feed_->since()}; }

std::chrono::seconds HubPostgres::lease_left() const { return std::chrono::duration_cast<std::chrono::seconds>(lease_->left()); }

WallTime HubPostgres::time() const { return lease_->database_time().value_or(wall_now()); }

// ---- commands ----------------------------------------------------------------------------------------------------------------

Task<Result<hub::CommandOutcome>> HubPostgres::send(hub::Submission command) {
  PARLANCE_CO_TRY(left, co_await call<&Reader::send>(command));
  if (!left) co_return fail(Errc::not_found, "no such conversation: " + command.conversation);
  notifier_->notify({.commands = {command.conversation}});
  for (;;) {
    const std::uint64_t received = outcomes_received_;
    PARLANCE_CO_TRY(outcome, co_await call<&Reader::outcome>(command.id));
    if (outcome) co_return *std::move(outcome);
    if (received != outcomes_received_) continue;  // outcomes arrived meanwhile
    const auto changed = [](Signal& outcomes) -> Task<Result<void>> {
      co_await outcomes.wait();
      co_return Result<void>{};
    };
    const Duration wait = feed_->state() == Following::notices ? Duration(limits::outcome_wait) : Duration(limits::outcome_look);
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + wait, changed(outcomes_)));
  }
}

Task<Result<std::optional<hub::CommandOutcome>>> HubPostgres::withdraw_command(std::string command) {
  return call<&Reader::withdraw_command>(std::move(command));
}

Task<Result<std::vector<hub::Submission>>> HubPostgres::commands(std::string conversation) {
  return call<&Reader::commands>(std::move(conversation));
}

Task<Result<void>> HubPostgres::done(hub::CommandDone command) {
  PARLANCE_CO_TRY_DO(co_await call<&Reader::done>(command));
  notifier_->notify({.outcomes = {std::move(command.id)}});
  co_return Result<void>{};
}

// ---- runners ------------------------------------------------------------------------------------------------------------------

Task<Result<hub::RunnerConnection>> HubPostgres::runner_connected(std::string runner, std::string body, std::string user) {
  PARLANCE_CO_TRY(at, co_await run_on<&RunnerRows::connected>(*reads_, reader_->runners(), runner, body, user));
  notifier_->notify({.runners = true});
  co_return at;
}

Task<Result<void>> HubPostgres::runner_disconnected(std::string runner, std::uint64_t connection) {
  PARLANCE_CO_TRY_DO(co_await run_on<&RunnerRows::disconnected>(*reads_, reader_->runners(), runner, connection));
  notifier_->notify({.runners = true});
  co_return Result<void>{};
}

Task<Result<std::optional<hub::RunnerConnection>>> HubPostgres::find_runner(std::string runner) {
  return run_on<&RunnerRows::find>(*reads_, reader_->runners(), std::move(runner));
}

Task<Result<std::vector<std::string>>> HubPostgres::warnings() {
  co_return co_await reads_->run([settings = connect_settings(settings_, "probe"), interrupt = interrupt_.get()] {
    return server_warnings(settings, *interrupt);
  });
}

}  // namespace parlance::store

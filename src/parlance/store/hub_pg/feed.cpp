// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/feed.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "parlance/hub/log/replication_update.h"
#include "parlance/pg/listen_probe.h"
#include "parlance/store/hub_pg/limits.h"
#include "parlance/store/hub_pg/runner_rows.h"

namespace parlance::store {

void Feed::begin(Revisions loaded, std::uint64_t settings_version) {
  loaded_ = std::move(loaded);
  settings_version_ = settings_version;
}

Result<Feed::Changes> Feed::next() {
  for (auto& [id, revision] : std::exchange(loaded_, {})) known_[std::move(id)] = {.revision = revision};
  PARLANCE_TRY_DO(connect());
  PARLANCE_TRY(notice, wait());
  Changes changes{.outcomes = !notice.outcomes.empty()};
  if (auto gathered = gather(notice, changes); !gathered) {
    forget(changes.update);
    return std::unexpected(std::move(gathered).error());
  }
  return changes;
}

Result<void> Feed::gather(const Notice& notice, Changes& changes) {
  std::vector<std::string> wanted;
  take(notice, changes.update, wanted);
  const bool compares = notice.hub_ended || Clock::now() >= next_compare_;
  if (compares || notice.runners) PARLANCE_TRY_DO(update_runners(changes.update));  // first: the runners determine the owners
  if (compares) {
    PARLANCE_TRY_DO(compare(changes, wanted));
    next_compare_ = Clock::now() + (state_ == Following::notices ? settings_.compare : Duration(limits::compare_without_notices));
  }
  return fetch(std::move(wanted), notice, changes.update);
}

void Feed::forget(const hub::ReplicationUpdate& update) {
  sums_.clear();
  for (const hub::ReplicationUpdate::NewEvents& appended : update.new_events) known_[appended.id].revision = -1;
  for (const std::string& id : update.removed) known_[id].revision = -1;
  for (const hub::ReplicationUpdate::Ownerless& ownerless : update.ownerless) known_[ownerless.id].free = false;
  for (const hub::ReplicatedConversation& seen : update.changed) known_[seen.row.id].revision = -1;
  if (update.settings_changed) settings_version_ = UINT64_MAX;
  if (update.runners) runners_.clear();
}

// After a reconnect: comparing finds changes whose notices were lost.
Result<void> Feed::connect() {
  if (connection_ && !connection_->lost()) return {};
  connection_.reset();
  sums_.clear();
  become(Following::off);
  const auto arrives = settings_.listens ? pg::notifications_arrive(settings_.connect, interrupt_) : pg::Outcome<bool>(false);
  if (!arrives) return std::unexpected(pg::error_of(arrives.error()));
  auto opened = pg::Connection::open(settings_.connect, interrupt_);
  if (!opened) return std::unexpected(pg::error_of(opened.error()));
  connection_ = *std::move(opened);
  if (*arrives) PARLANCE_TRY_DO(run({{.sql = std::string("LISTEN ") + notice_channel}}));
  become(*arrives ? Following::notices : Following::comparing);
  next_compare_ = Clock::now();
  return {};
}

void Feed::become(Following state) {
  if (state_.exchange(state) != state) since_ = wall_now().time_since_epoch().count();
}

Result<Notice> Feed::wait() {
  Notice all;
  if (state_ == Following::comparing) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_compare_ - Clock::now()).count();
    if (left > 0) static_cast<void>(interrupt_.wait_ms(static_cast<int>(left)));
    all.outcomes.insert("");  // every waiting caller checks its own outcome
    return all;
  }
  const auto notifications = connection_->notifications(next_compare_, -1);
  if (!notifications) return std::unexpected(pg::error_of(notifications.error()));
  for (const pg::Notification& notification : *notifications)
    if (auto notice = notice_from(notification.payload, settings_.hub)) all.add(*std::move(notice));
  return all;
}

Result<std::vector<pg::Rows>> Feed::run(const std::vector<pg::Statement>& statements) {
  auto rows = connection_->run(statements);
  if (!rows) return std::unexpected(pg::error_of(rows.error()));
  return *std::move(rows);
}

void Feed::take(const Notice& notice, hub::ReplicationUpdate& update, std::vector<std::string>& wanted) {
  update.settings_changed = notice.settings_changed;
  for (const auto& [id, commits] : notice.commits) {
    const auto known = known_.find(id);
    if (known != known_.end() && commits.last <= known->second.revision) continue;
    // A gap before the notice: other changes are unknown.
    if (commits.rows || known == known_.end() || commits.first > known->second.revision + 1) {
      wanted.push_back(id);
      continue;
    }
    known->second.revision = commits.last;
    update.new_events.push_back({.id = id, .last_seq = commits.last_seq});
  }
  for (const std::string& id : notice.removed)
    if (known_.erase(id) != 0) update.removed.push_back(id);
}

Result<void> Feed::update_runners(hub::ReplicationUpdate& update) {
  PARLANCE_TRY(rows, run({all_runners(settings_.hub, settings_.lease)}));
  std::vector<hub::RunnerConnection> now = read_runners(rows.front());
  if (now != runners_) update.runners = runners_ = std::move(now);
  return {};
}

// Reads one summary row instead of ten thousand rows while nothing changes. Numbers are never reused and revisions only grow. An
// insert changes the largest number, a removal the count, a write the sum. With conversations free for a takeover, compares all
// rows each time.
Result<void> Feed::compare(Changes& changes, std::vector<std::string>& wanted) {
  PARLANCE_TRY(
      all, run({{.sql = std::string("SELECT concat_ws(' ', count(*), sum(c.revision), max(c.number), count(*) FILTER (WHERE ") +
                        has_no_owner + "), count(*) FILTER (WHERE c.owner = $1), (" + settings_version_of_all +
                        ")), coalesce(bool_or(c.turn <> '' AND " + has_no_owner +
                        "), false) OR EXISTS (SELECT 1 FROM commands WHERE outcome IS NULL) "
                        "FROM conversations AS c LEFT JOIN hubs AS h ON h.id = c.owner",
                 .parameters = {settings_.hub, settings_.lease}}}));
  std::string sums(all[0].text(0, 0));
  const bool waits = all[0].truth(0, 1);
  if (!waits && sums == sums_) return {};
  sums_.clear();
  PARLANCE_TRY_DO(compare_all(changes, wanted));
  sums_ = std::move(sums);
  return {};
}

Result<void> Feed::compare_all(Changes& changes, std::vector<std::string>& wanted) {
  PARLANCE_TRY(
      all,
      run({{.sql = std::string("SELECT c.id, c.revision, c.owner IS NOT DISTINCT FROM $1, ") + has_no_owner +
                   ", c.turn <> '', EXISTS (SELECT 1 FROM commands AS k WHERE k.conversation = c.number AND k.outcome IS NULL) "
                   "FROM conversations AS c LEFT JOIN hubs AS h ON h.id = c.owner",
            .parameters = {settings_.hub, settings_.lease}},
           {.sql = settings_version_of_all}}));
  std::set<std::string_view> there;
  for (std::size_t row = 0; row < all[0].size(); ++row) {
    there.insert(all[0].text(row, 0));
    compare_row(all[0], row, changes, wanted);
  }
  for (auto entry = known_.begin(); entry != known_.end();) {
    if (there.contains(entry->first)) {
      ++entry;
      continue;
    }
    changes.update.removed.push_back(entry->first);
    entry = known_.erase(entry);
  }
  const auto settings_version = static_cast<std::uint64_t>(all[1].integer(0, 0));
  changes.update.settings_changed =
      changes.update.settings_changed || std::exchange(settings_version_, settings_version) != settings_version;
  return {};
}

void Feed::compare_row(const pg::Rows& rows, std::size_t row, Changes& changes, std::vector<std::string>& wanted) {
  hub::ReplicationUpdate& update = changes.update;
  const std::string id(rows.text(row, 0));
  const std::int64_t revision = rows.integer(row, 1);
  const bool free = rows.truth(row, 3);
  const bool waits = rows.truth(row, 5);
  const auto known = known_.find(id);
  if (known != known_.end() && revision < known->second.revision) changes.regressed = id;  // revisions only grow
  if (rows.truth(row, 2)) {  // an own conversation: own writes are no update
    if (waits) update.commands.push_back(id);
    known_[id] = {.revision = revision};
    return;
  }
  if (known == known_.end() || known->second.revision != revision) wanted.push_back(id);
  if (free && (rows.truth(row, 4) || waits || known == known_.end() || !known->second.free))
    update.ownerless.push_back({.id = id, .has_commands = waits});
  if (known != known_.end()) known->second.free = free;
}

// The owner reads a command at once; without an owner, any hub may take the conversation over.
Result<void> Feed::fetch(std::vector<std::string> wanted, const Notice& notice, hub::ReplicationUpdate& update) {
  for (const std::string& id : notice.commands) {
    update.commands.push_back(id);
    wanted.push_back(id);
  }
  if (wanted.empty()) return {};
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const auto with_own = [this](const std::vector<pg::Statement>& statements) { return run(statements); };
  PARLANCE_TRY(seen, read_replicated(with_own, wanted, settings_.hub, settings_.lease));
  for (ReplicatedRow& row : seen) {
    const std::string& id = row.conversation.row.id;
    known_[id] = {.revision = row.revision, .free = !row.conversation.has_owner};
    if (!row.conversation.has_owner && notice.commands.contains(id)) update.ownerless.push_back({.id = id, .has_commands = true});
    update.changed.push_back(std::move(row.conversation));
  }
  return {};
}

}  // namespace parlance::store

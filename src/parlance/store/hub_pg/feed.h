// SPDX-License-Identifier: Apache-2.0
// Changes by other hubs, read from the database. NOTIFY wakes the feed, and a periodic comparison of all revisions finds changes
// without a notice. Behind a pooler no notice arrives; then the comparison runs more often. Blocking; one thread at a time,
// unless a member says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/connection.h"
#include "parlance/store/hub_pg/following.h"
#include "parlance/store/hub_pg/notices.h"
#include "parlance/store/hub_pg/replicated_rows.h"

namespace parlance::store {

using Revisions = std::vector<std::pair<std::string, std::int64_t>>;  // of each conversation

class Feed {
 public:
  struct Settings {
    pg::ConnectSettings connect{};
    std::string hub{};    // the reading hub: the feed omits its commits
    std::string lease{};  // an interval
    bool listens = true;  // false behind a pooler
    Duration compare{};   // period of comparisons while notices arrive
  };
  // The result of `next`.
  struct Changes {
    hub::ReplicationUpdate update{};
    bool outcomes = false;    // commands have outcomes
    std::string regressed{};  // a conversation with an older row than seen before; empty: none
  };
  Feed(Settings settings, const pg::Interrupt& interrupt) : settings_(std::move(settings)), interrupt_(interrupt) {}

  // Updates are differences to this state. Call before `next`.
  void begin(Revisions loaded, std::uint64_t settings_version);
  Result<Changes> next();  // waits for a possible change, at most until the next comparison

  Following state() const { return state_; }  // Any thread.
  // Any thread: time of the last change of state.
  WallTime since() const { return WallTime(std::chrono::milliseconds(since_.load())); }

 private:
  // The last known state of a conversation.
  struct Known {
    std::int64_t revision = 0;
    bool free = false;  // no live hub owned the conversation
  };
  // Does nothing with a usable connection. A new connection listens for notices if the server delivers them, and compares all
  // conversations next.
  Result<void> connect();
  // Sets the state, and the time of the change if it differs.
  void become(Following state);
  // Waits for notices of other hubs and merges them, at most until the next comparison. Without notices only a pause.
  Result<Notice> wait();
  // Reads a summary of all rows, and `compare_all` if the summary differs or a conversation waits for an owner.
  Result<void> compare(Changes& changes, std::vector<std::string>& wanted);
  // Compares the revision of each conversation, and finds removed conversations. `wanted`: ids whose rows must be read.
  Result<void> compare_all(Changes& changes, std::vector<std::string>& wanted);
  // Adds the differences of one conversation: an own one with commands, a changed one, or one without an owner.
  void compare_row(const pg::Rows& rows, std::size_t row, Changes& changes, std::vector<std::string>& wanted);
  // Everything after a wait: the notice, the runners, the comparison if due, and the rows of changed conversations.
  Result<void> gather(const Notice& notice, Changes& changes);
  void forget(const hub::ReplicationUpdate& update);  // delivery failed: the next comparison finds the changes again
  // Applies a notice of commits without a read. A gap before the notice adds its conversation to `wanted`.
  void take(const Notice& notice, hub::ReplicationUpdate& update, std::vector<std::string>& wanted);
  // Reads all runners, and reports the complete list after any difference.
  Result<void> update_runners(hub::ReplicationUpdate& update);
  // Reads the wanted conversations with their requests, and conversations with new commands.
  Result<void> fetch(std::vector<std::string> wanted, const Notice& notice, hub::ReplicationUpdate& update);
  // On the feed's own connection, without a retry.
  Result<std::vector<pg::Rows>> run(const std::vector<pg::Statement>& statements);

  Settings settings_;
  const pg::Interrupt& interrupt_;
  std::unique_ptr<pg::Connection> connection_;
  std::atomic<Following> state_ = Following::off;
  std::atomic<std::int64_t> since_ = wall_now().time_since_epoch().count();
  TimePoint next_compare_{};  // not later than after this time, also without a notice
  Revisions loaded_;          // until the first `next`: the start of the hub does not wait for the map
  std::map<std::string, Known, std::less<>> known_;
  std::string sums_;  // summary of all conversations at the last comparison; empty: compare all
  std::uint64_t settings_version_ = 0;
  std::vector<hub::RunnerConnection> runners_;
};

}  // namespace parlance::store

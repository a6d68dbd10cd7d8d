// SPDX-License-Identifier: Apache-2.0
// The hub's store in a PostgreSQL shared by several active hubs (docs/decisions/0033-one-postgresql.md, 0037-many-gateways.md).
// Loop thread; worker threads do the work: one commits groups of changes; one reads; one renews the lease; one follows other
// hubs; one notifies them. Each has its own connection.
//
// A returned commit is on the server's disk, and on the disk of its synchronous standby, if any. A failed commit is not stored.
// After not_owner the commit is never stored: another hub owns the conversation.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/run_on.h"
#include "parlance/hub/log/forwarded_reads.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/connection.h"
#include "parlance/store/hub_pg/following.h"
#include "parlance/store/hub_pg/lease.h"
#include "parlance/store/hub_pg/reader.h"

namespace parlance::store {

class Committer;
class LeaseKeeper;
class Notifier;
struct Notice;

struct HubPostgresSettings {
  std::string address{};  // pg/address.h
  std::string hub{};      // a unique name for this run of the hub; empty: generated
  std::string version{};  // the program's version, for operators
  Lease::Settings lease{};
  std::chrono::nanoseconds silence = std::chrono::seconds(5);  // timeout for the server's answer; then the connection is renewed
  bool listens = true;                                         // false behind a pooler: no notice arrives
  // Called on the loop thread after the end of the lease: this hub must stop all work and its child processes now.
  std::function<void(const std::string& reason)> on_lost{};
};

class HubPostgres final : public hub::ForwardedReads<HubPostgres, hub::SharedStore, Reader> {
 public:
  HubPostgres(Loop& loop, HubPostgresSettings settings);
  ~HubPostgres() override;  // Waits for threads, not for a server.

  // HubPostgresSettings::hub, or the generated name: this hub's row in `hubs`.
  const std::string& hub() const { return settings_.hub; }

  // Registers the hub first. The hub owns no conversations then.
  Task<Result<hub::Stored>> load() override;
  Task<Result<void>> write(hub::CommitPtr change) override;
  Task<Result<void>> remove_conversation(std::string id) override { return remove(std::move(id), {}); }
  Task<Result<void>> remove_audited(std::string id, hub::AuditEntry entry) override {
    return remove(std::move(id), std::move(entry));
  }
  Task<Result<std::vector<std::string>>> unused_sessions(std::string runner) override;
  Task<Result<void>> forget_unused_session(std::string runner, std::string session) override;

  Task<Result<bool>> claim(std::string conversation) override;
  Task<Result<void>> release(std::string conversation) override;
  Task<Result<std::vector<hub::ReplicatedConversation>>> read_conversations(std::vector<std::string> conversations) override;
  Task<Result<std::vector<std::string>>> continuing(std::string agent_session) override;
  Task<Result<hub::ReplicationUpdate>> next_update() override;
  Task<Result<std::uint64_t>> settings_version() override;
  Task<Result<hub::SettingsSnapshot>> settings_snapshot() override;
  Duration lease() const override { return std::chrono::duration_cast<Duration>(settings_.lease.length); }
  Task<Result<hub::CommandOutcome>> send(hub::Submission command) override;
  Task<Result<std::optional<hub::CommandOutcome>>> withdraw_command(std::string command) override;
  Task<Result<std::vector<hub::Submission>>> commands(std::string conversation) override;
  Task<Result<void>> done(hub::CommandDone command) override;
  Task<Result<hub::RunnerConnection>> runner_connected(std::string runner, std::string body, std::string user) override;
  Task<Result<void>> runner_disconnected(std::string runner, std::uint64_t connection) override;
  Task<Result<std::optional<hub::RunnerConnection>>> find_runner(std::string runner) override;

  // Releases all conversations, so another hub can take over at once. Call after the last write; no calls may follow.
  Task<Result<void>> leave();

  // For metrics and the page: how this hub learns of commits of others, and since when.
  FollowingState following() const;
  // Until this hub's own limit; 0: the lease has ended.
  std::chrono::seconds lease_left() const;
  // The time for all comparisons between gateways: the database's clock, or this machine's before `load`. Any thread.
  WallTime time() const;

  // Hints for the database's operator; empty: none.
  Task<Result<std::vector<std::string>>> warnings();

 private:
  friend ForwardedReads;
  template <auto operation, class... Arguments>
  // Runs an operation of Reader on the reading thread.
  auto call(Arguments... arguments) {
    return run_on<operation>(*reads_, *reader_, std::move(arguments)...);
  }

  // A commit for the committing thread, and its caller on the loop.
  struct Waiting {
    hub::CommitPtr change;
    std::shared_ptr<OneShot<Result<void>>> outcome;
  };
  // On the committing thread, then notifies the other hubs.
  Task<Result<void>> remove(std::string id, std::optional<hub::AuditEntry> entry);
  void write_waiting();  // on the committing thread
  // The next commits for one transaction: the oldest ones, one for each conversation, within limits::group_commits and
  // group_bytes.
  std::vector<Waiting> take_group();
  void notify_written(const hub::Commit& change);          // … on the same thread
  void report_lost_data(const std::string& conversation);  // Any thread.

  Loop& loop_;
  HubPostgresSettings settings_;
  std::unique_ptr<pg::Interrupt> interrupt_;
  std::unique_ptr<LeaseKeeper> lease_;
  std::unique_ptr<Committer> committer_;  // used only by its worker, like the next member
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Feed> feed_;
  std::unique_ptr<Notifier> notifier_;
  Signal outcomes_;                      // signals new outcomes of commands …
  std::uint64_t outcomes_received_ = 0;  // … and their count
  std::string lease_text_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;  // guarded by mutex_
  std::unique_ptr<Worker> commits_;
  std::unique_ptr<Worker> reads_;
  std::unique_ptr<Worker> listener_;
};

}  // namespace parlance::store

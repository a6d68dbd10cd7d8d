// SPDX-License-Identifier: Apache-2.0
// The hub's store in a PostgreSQL that several hubs share, all at work (docs/decisions/0033-one-postgresql.md, 0037-many-gateways.md). Loop
// thread; the work is done by threads of its own: one that commits, all that waits at once; one that reads; one for the lease; one that hears
// of other hubs, and one that tells them. Each has its own connection.
//
// A commit that has returned is on the server's disk, and on its synchronous standby's if it has one. One that failed is not there. One that
// says not_owner never will be: this hub is not the owner any more.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/worker.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/connection.h"
#include "parlance/store/hub_pg/following.h"
#include "parlance/store/hub_pg/lease.h"

namespace parlance::store {

class Committer;
class LeaseKeeper;
class Reader;
class Feed;
class Teller;
struct Notice;

struct HubPostgresSettings {
  std::string address{};  // pg/address.h
  std::string hub{};      // a name for this start of a hub, never used again; empty: one is made
  std::string version{};  // of the program, for those who look
  Lease::Settings lease{};
  std::chrono::nanoseconds silence = std::chrono::seconds(5);  // of a server that was asked: then the connection is made anew
  bool hears = true;                                           // false: as behind a pooler, where no notice arrives
  // The lease is over: nothing may be done any more in the name of this hub, and its children have to end now. On the loop thread.
  std::function<void(const std::string& why)> on_lost{};
};

class HubPostgres final : public hub::SharedStore {
 public:
  HubPostgres(Loop& loop, HubPostgresSettings settings);
  ~HubPostgres() override;  // Waits for threads, not for a server.

  const std::string& hub() const { return settings_.hub; }

  // Joins first. No conversation is ours then.
  Task<Result<hub::Stored>> load() override;
  Task<Result<void>> write(hub::CommitPtr change) override;
  Task<Result<std::vector<hub::Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                               std::size_t limit) override;
  Task<Result<std::vector<hub::Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                     std::size_t most_bytes) override;
  Task<Result<std::optional<hub::Ask>>> ask(std::string id) override;
  Task<Result<std::optional<hub::Attachment>>> attachment(std::string id) override;
  Task<Result<void>> remove_conversation(std::string id) override { return remove(std::move(id), {}); }
  Task<Result<void>> remove_told(std::string id, hub::AuditEntry told) override { return remove(std::move(id), std::move(told)); }
  Task<Result<std::vector<std::string>>> left_sessions(std::string place) override;
  Task<Result<void>> forget_left_session(std::string place, std::string session) override;
  Task<Result<std::vector<hub::SpentOn>>> spent(std::string since) override;
  Task<Result<hub::StoreCounts>> counts() override;

  Task<Result<bool>> claim(std::string conversation) override;
  Task<Result<void>> release(std::string conversation) override;
  Task<Result<std::vector<hub::SeenConversation>>> look(std::vector<std::string> conversations) override;
  Task<Result<hub::News>> news() override;
  Task<Result<hub::Spent>> spent_in(std::string conversation) override;
  Task<Result<std::uint64_t>> standing_version() override;
  Task<Result<hub::Standing>> standing() override;
  Duration lease() const override { return std::chrono::duration_cast<Duration>(settings_.lease.length); }
  Task<Result<hub::CommandOutcome>> send(hub::Command command) override;
  Task<Result<std::optional<hub::CommandOutcome>>> give_up(std::string command) override;
  Task<Result<std::vector<hub::Command>>> commands(std::string conversation) override;
  Task<Result<void>> done(hub::CommandDone command) override;
  Task<Result<hub::PlaceAt>> place_connected(std::string place, std::string body, std::string user) override;
  Task<Result<void>> place_gone(std::string place, std::uint64_t connection) override;
  Task<Result<std::optional<hub::PlaceAt>>> place(std::string place) override;

  // Lets go of everything, so that another hub takes it at once. When all is written; nothing after it.
  Task<Result<void>> leave();

  Following following() const;
  WallTime following_since() const;
  std::chrono::seconds lease_left() const;
  // The time of day for everything that gateways compare: the database's, and this machine's before `load`. Any thread.
  WallTime time() const;

  // What whoever runs the database should know; empty: nothing.
  Task<Result<std::vector<std::string>>> warnings();

 private:
  struct Waiting {
    hub::CommitPtr change;
    std::shared_ptr<OneShot<Result<void>>> outcome;
  };
  Task<Result<void>> remove(std::string id, std::optional<hub::AuditEntry> told);
  pg::ConnectSettings connect(std::string_view what) const;
  void write_waiting();  // on the thread that commits
  std::vector<Waiting> take_group();
  void tell_written(const hub::Commit& change);                                      // … the same
  void note_held(Notice& notice, const std::string& conversation, bool rows) const;  // … the same: how far it is
  void tell_that_it_went_back(const std::string& conversation);                      // Any thread.

  Loop& loop_;
  HubPostgresSettings settings_;
  std::unique_ptr<pg::Interrupt> interrupt_;
  std::unique_ptr<LeaseKeeper> lease_;
  std::unique_ptr<Committer> committer_;  // used by its worker alone, like the next
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Feed> feed_;
  std::unique_ptr<Teller> teller_;
  Signal outcomes_;                   // commands were done somewhere …
  std::uint64_t outcomes_heard_ = 0;  // … how often
  std::string lease_text_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;  // guarded by mutex_
  std::unique_ptr<Worker> commits_;
  std::unique_ptr<Worker> reads_;
  std::unique_ptr<Worker> hears_;
};

}  // namespace parlance::store

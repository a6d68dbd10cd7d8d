// SPDX-License-Identifier: Apache-2.0
// Writes commits and determines the outcome of each: stored; refused because another hub owns the conversation; or certainly not
// stored. After a connection failure the outcome is open, so the committer sends the commit again. The fence of the second
// attempt shows whether the first attempt succeeded.
//
// Blocking; used by one thread, except `interrupt`.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/pg/connection.h"
#include "parlance/pg/session.h"
#include "parlance/store/hub_pg/held.h"

namespace parlance::store {

class Committer {
 public:
  struct Settings {
    pg::ConnectSettings connect{};
    std::string hub{};                // this hub's row in `hubs`
    std::string lease{"15 seconds"};  // an interval; after its end other hubs may claim
    std::function<bool()>
        alive{};  // whether the lease is valid; called on this thread. While true, the committer resolves unknown outcomes
    std::function<void(const std::string& conversation)>
        regressed{};                                    // called on this thread if a row is older than an acknowledged commit
    Duration refusal_patience = hub::refusal_patience;  // a refusal may be part of a failover
  };
  Committer(Settings settings, const pg::Interrupt& interrupt);

  // One outcome for each commit. not_owner is final, command_ended concerns
  // this commit only. After other errors, even disconnected, the commit is certainly not stored.
  std::vector<Result<void>> commit(std::span<const hub::CommitPtr> changes);
  // Deletes an owned conversation with its rules, and adds the entry to the audit, in one transaction. Succeeds for an
  // absent conversation. Errors: not_owner (a conversation of another hub). Outcomes are as certain as those of `commit`.
  Result<void> remove(const std::string& conversation, const std::optional<hub::AuditEntry>& entry = {});

  // Gets the lease of a conversation and remembers its position for later commits. False: a live hub owns it, or it is unknown.
  // Increments the epoch, so that the fence refuses writes of the previous owner.
  Result<bool> claim(const std::string& conversation);
  // Returns the lease and forgets the position; later commits of the conversation fail with not_owner. Does nothing without a
  // lease.
  Result<void> release(const std::string& conversation);
  // The owned conversations with their last known revisions. On the committing thread only.
  const HeldConversations& held() const { return held_; }

 private:
  // The result of one transaction.
  struct Attempt {
    pg::Outcome<void> outcome;
    bool sent = false;
  };
  // Deletes the rows in one transaction. The caller looks for the rest: the fence also fails for a missing row.
  Result<void> delete_held(const std::string& conversation, const std::optional<hub::AuditEntry>& entry);
  // Stores checked commits in one transaction. After a refusal by the server, each commit runs alone.
  std::vector<Result<void>> commit_group(std::span<const hub::CommitPtr> group);
  // Repeats the commit until its outcome is known. `uncertain`: an earlier attempt may have succeeded.
  Result<void> commit_alone(const hub::CommitPtr& change, bool uncertain);
  // The outcome after a failure without a retry: looks at the row if an earlier attempt may have succeeded.
  Result<void> decide(const hub::CommitPtr& change, const pg::Failure& failure, bool uncertain);
  // Whether to try again after this failure. A refused commit is repeated for Settings::refusal_patience since the last success.
  bool is_worth_a_retry(const pg::Failure& failure);
  // Sends the group once and, after a success, updates the positions. `sent`: the server may have received it.
  Attempt attempt(std::span<const hub::CommitPtr> group);
  // A commit without its standby counts as a failure with an unknown outcome.
  pg::Outcome<std::vector<pg::Rows>> run(std::span<const pg::Statement> statements);
  enum class RowState { committed, uncommitted, lost };  // row state relative to a commit with an unknown outcome
  // Locks the row first, so that no earlier attempt is still running.
  Result<RowState> read_row_state(const std::string& conversation, const Held& expected);
  // Calls Settings::regressed if the stored revision is smaller than the revision before the commit.
  void check_for_regression(const std::string& conversation, const Held& expected, std::int64_t revision) const;
  // Both repeat an idempotent statement while the lease is valid. `until_refused` also ends after Settings::refusal_patience.
  Result<pg::Rows> until_known(const pg::Statement& statement);
  Result<pg::Rows> until_refused(const pg::Statement& statement);
  // Waits limits::store_reconnect. False: the lease ended or the interrupt was raised, and no retry may follow.
  bool pause_while_alive();
  // The conversation is no longer owned: `commit` refuses its changes until the next claim.
  void give_up(const std::string& conversation);
  // The same for a removed conversation, which nobody claims again: for the limits::removed_kept newest.
  void give_up_removed(const std::string& conversation);
  // The error after the end of the lease. After an uncertain attempt not_owner: the next owner finds the outcome in the log.
  Result<void> not_known(const pg::Failure& failure, bool uncertain) const;

  Settings settings_;
  const pg::Interrupt& interrupt_;
  pg::Session session_;
  HeldConversations held_;
  std::optional<TimePoint> refused_since_;
  // Conversations of earlier ownership. A commit to such a conversation returns not_owner, because the log of its hub would retry
  // any other failure.
  std::set<std::string, std::less<>> given_up_;
  std::deque<std::string> removed_;  // newest last
};

}  // namespace parlance::store

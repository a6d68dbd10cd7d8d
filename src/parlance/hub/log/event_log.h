// SPDX-License-Identifier: Apache-2.0
// The end of a conversation's log: numbers appended events, joins small pieces of text, divides large pieces, and writes a batch
// at a time. Changes during a write go into the next batch. The log calls `written` after each stored batch, in order.
//
// A change by a person is an operation. The store holds an operation as a whole, or the log undoes the operation after a store
// failure. All other changes wait until the store works again. If the store refuses a withdrawn command, the log undoes the
// operations and writes all other changes at once. Loop thread only. The store and the callbacks outlive the log.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/base/clock.h"
#include "parlance/hub/log/commit.h"

namespace parlance::hub {

class EventLog : private Timer, private TurnEnd {
 public:
  // All members are set. The log calls them on the loop thread.
  struct Callbacks {
    std::function<std::string()> time_text;                 // now, RFC 3339
    std::function<void(const CommitPtr& written)> written;  // after every batch
    std::function<void(const Error*)> health;               // the store failed; null: the store works again
    std::function<Conversation()> row;                      // current state, after an undo
  };
  EventLog(Loop& loop, Store& store, std::string conversation, std::uint64_t last_seq, Callbacks callbacks);

  void append(EventBody body);  // a text above limits::event_text_bytes becomes several events
  // Written with the events so far and the events of this turn of the loop. The last row of a batch counts; after a failed
  // write, the next attempt contains Callbacks::row.
  void put(const Conversation& conversation);
  // The same, for a new or changed request and for a new rule.
  void put(const Ask& ask);
  void put(const Rule& rule);
  // The use of a stored rule: the latest state counts. Waits for the next other change, since a use alone is worth no write.
  void put_used(Rule rule);
  // For a shared store only.
  void put(AuditEntry entry);
  // The store adds the values to its sums.
  void put(SpentOn spent);
  void put(Attachment attachment);  // before the event with the id
  // Also of an attachment in the same batch.
  void remove_attachment(std::string id);
  void put(CommandDone done);  // in the operation of the command

  // The continuation of an operation: the log calls one of both members, or none if the hub ends first. Both may be empty.
  struct Operation {
    std::function<void()> done{};  // stored and published
    std::function<void()> undo{};  // rolled back; the last operation first. Must not change a log
  };
  using Outcome = std::shared_ptr<OneShot<Result<void>>>;
  // Runs `work` at once; all changes of `work` form an operation. The log calls `done` or `undo` even if no caller awaits the
  // outcome.
  Outcome operation(const std::function<void()>& work, Operation then);

  // Closes the log because another hub owns the conversation: discards waiting and later changes, and undoes their operations.
  // A write with the error not_owner also closes the log.
  void forget(Error error);
  // Opens the log at the end of another hub's events. Only for an idle log.
  void begin_at(std::uint64_t last_seq);

  // The hub ends: the log writes, undoes and publishes no further change. A waiting change may own the conversation, so the log
  // drops the change: otherwise the conversation would never end.
  void end();

  // Waits until all changes so far are stored and published. Fails after the first failed write, while the log retries. Fails
  // at once on a closed log.
  Task<Result<void>> written();
  Task<void> at_rest();  // until the log is idle
  // Bytes of events and attachments without a commit, for the back-pressure of agents (limits::unwritten_event_bytes).
  std::size_t unwritten_bytes() const { return unwritten_bytes_; }
  // No change waits or is being written.
  bool idle() const { return !writing_ && waiting_.empty() && !piece_; }
  // Events and commits of this log since its construction.
  std::uint64_t events() const { return events_; }
  std::uint64_t commits() const { return commits_; }

 private:
  struct Retry final : Timer {
    explicit Retry(EventLog& owner) : log(owner) {}
    void on_timer() override { log.begin(); }
    EventLog& log;
  };
  // Changes stored or undone together. During a write the batch holds the changes, and the part holds only their numbers.
  struct Part {
    Commit changes{};
    bool is_operation = false;
    Operation then{};
    Outcome outcome{};
  };
  void on_timer() override;     // a piece has waited long enough
  void on_turn_end() override;  // writes the changes of this turn of the loop
  // Starts `write`, unless a write runs already; on a closed log, discards the changes instead.
  void begin();
  // Joins a piece of text with the waiting piece; any other event first ends the waiting piece, so the order stays.
  void append_whole(EventBody body);
  // The waiting piece becomes an event of this turn of the loop.
  void flush_piece();
  // Gives the event its time; its number follows at the write.
  void add_event(EventBody body);
  // The last waiting part, or a new one if the last belongs to another operation.
  Commit& open_part();
  // Counts the change for `written`, and writes at the end of this turn of the loop.
  void changed();
  // Writes batch after batch until no change waits or a write fails. Runs once at a time.
  Task<void> write();
  // Numbers the events behind the stored end of the log.
  void number(Commit& batch) const;
  // After a stored batch: publishes the batch, then completes its operations in order.
  void done(std::vector<Part> parts, const std::shared_ptr<Commit>& batch, std::uint64_t up_to);
  // After a failed batch: withdraws all operations, and retries after limits::store_retry. Closes the log if another hub is the
  // owner.
  void failed(std::vector<Part> parts, Commit& batch, Error error);
  // Undoes all operations of the batch and all waiting ones. All other changes wait in front of newer changes, with
  // Callbacks::row; a closed log drops them.
  void withdraw_operations(std::vector<Part> parts, Commit& batch, const Error& error);
  // Undoes operations, the last one first, and fails their outcomes.
  void roll_back(std::vector<Part> operations, const Error& error);
  // Drops all waiting changes and undoes their operations.
  void discard();

  Loop& loop_;
  Store& store_;
  std::string conversation_;
  std::uint64_t last_seq_;  // in the store
  Callbacks callbacks_;
  std::optional<EventBody> piece_;  // collects text until it is full, old, or followed by another event
  TimePoint last_piece_{};          // end of the last piece, for the pace of a stream
  std::deque<Part> waiting_;        // the next batch, oldest first
  bool in_operation_ = false;
  std::size_t unwritten_bytes_ = 0;
  std::uint64_t issued_ = 0;     // changes so far
  std::uint64_t committed_ = 0;  // changes published or undone so far
  std::uint64_t failures_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t commits_ = 0;
  Error failure_;
  bool failed_ = false;  // the last write failed
  bool closed_ = false;  // another hub owns the conversation
  bool writing_ = false;
  Signal settled_;  // a batch is stored, or failed
  Retry retry_;     // the next attempt after a failure
  Scope scope_;
};

}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// The end of one conversation's log: numbers what is appended, joins pieces of text, and writes batches, one at a time; what comes
// while a batch is being written goes with the next. `told` is called once a batch is in the store, in order.
//
// What is wanted of a person's doing is an operation: it is in the store as a whole, or, when the store fails, it is taken back and never
// written. All else waits for the store to work again. Loop thread only. The store and the callbacks outlive it.
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
#include "parlance/hub/log/store.h"

namespace parlance::hub {

class EventLog : private Timer, private TurnEnd {
 public:
  struct Callbacks {
    std::function<std::string()> time_text;              // now, RFC 3339
    std::function<void(const CommitPtr& written)> told;  // after every batch
    std::function<void(const Error*)> health;            // the store failed; null: it works again
    std::function<Conversation()> row;                   // as it is, after something was taken back
  };
  EventLog(Loop& loop, Store& store, std::string conversation, std::uint64_t last_seq, Callbacks callbacks);

  void append(EventBody body);
  // Goes with the events appended so far and those of this turn of the loop.
  void put(const Conversation& conversation);
  void put(const Ask& ask);
  void put(const Rule& rule);
  void put_used(Rule rule);
  void put(AuditEntry entry);
  void put(SpentOn spent);
  void put(Attachment attachment);  // before the event that names it
  void remove_attachment(std::string id);
  void put(CommandDone done);  // in the operation that does it

  struct Operation {
    std::function<void()> done{};  // it is written and told
    std::function<void()> undo{};  // it never happened; the last operation first. It changes no log
  };
  using Outcome = std::shared_ptr<OneShot<Result<void>>>;
  // What `work` puts and appends, at once, is one operation. One of the two is called also when nobody waits for the outcome.
  Outcome operation(const std::function<void()>& work, Operation then);

  // Closes the log because another hub owns the conversation: it discards what waits and what comes later, and undoes the
  // operations among them. A write that fails with not_owner closes it too.
  void forget(Error why);
  // Opens it where another hub stopped. Only while it is idle.
  void begin_at(std::uint64_t last_seq);

  // The hub ends: nothing more is written, undone or told. What waits may hold the conversation itself, which would otherwise never end.
  void end();

  // Waits until all changes so far are in the store and told. Fails as soon as one attempt to write them fails, while the log
  // goes on trying; and at once where the log is closed.
  Task<Result<void>> written();
  Task<void> at_rest();  // until it is idle
  std::size_t unwritten_bytes() const { return unwritten_bytes_; }
  bool idle() const { return !writing_ && waiting_.empty() && !piece_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t commits() const { return commits_; }

 private:
  struct Retry final : Timer {
    explicit Retry(EventLog& owner) : log(owner) {}
    void on_timer() override { log.begin(); }
    EventLog& log;
  };
  // Changes that stand or fall together. While they are being written they lie in the batch, and only their numbers here.
  struct Part {
    Commit changes{};
    bool is_operation = false;
    Operation then{};
    Outcome outcome{};
  };
  void on_timer() override;     // a piece has waited long enough
  void on_turn_end() override;  // write what this turn of the loop brought
  void begin();
  void flush_piece();
  void add_event(EventBody body);
  Commit& open_part();
  void changed();
  Task<void> write();
  void number(Commit& batch) const;
  void done(std::vector<Part> parts, const std::shared_ptr<Commit>& batch, std::uint64_t up_to);
  void failed(std::vector<Part> parts, Commit& batch, Error why);
  void take_back(std::vector<Part> operations);
  void discard();

  Loop& loop_;
  Store& store_;
  std::string conversation_;
  std::uint64_t last_seq_;  // in the store
  Callbacks callbacks_;
  std::optional<EventBody> piece_;
  TimePoint last_piece_{};
  std::deque<Part> waiting_;
  bool in_operation_ = false;
  std::size_t unwritten_bytes_ = 0;
  std::uint64_t issued_ = 0;     // changes so far
  std::uint64_t committed_ = 0;  // of them, told or taken back
  std::uint64_t failures_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t commits_ = 0;
  Error failure_;
  bool failed_ = false;
  bool closed_ = false;
  bool writing_ = false;
  Signal settled_;
  Retry retry_;
  Scope scope_;
};

}  // namespace parlance::hub

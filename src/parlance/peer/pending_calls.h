// SPDX-License-Identifier: Apache-2.0
// The calls that wait for their reply. Exactly one outcome for each, whichever of reply, error, deadline, cancel and disconnect comes
// first; what comes later finds no entry, is counted and dropped. Sans-I/O but for the loop's clock. Loop thread only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/peer/message.h"

namespace parlance {

class PendingCalls;

// One waiting call; lives in the frame of the coroutine that awaits it.
class PendingCall : private Timer {
 public:
  PendingCall() = default;
  bool pending() const { return table_ != nullptr; }
  std::uint64_t number() const { return number_; }
  std::string_view method() const { return method_; }
  void mark_sent() { sent_ = true; }

 protected:
  ~PendingCall();
  // The reply's body is read at once, while its bytes are there. Called outside of any other call into the peer.
  virtual Result<void> take(const Body* body) = 0;
  virtual void settled(Result<void> outcome) = 0;

 private:
  friend class PendingCalls;
  void on_timer() override;
  PendingCalls* table_ = nullptr;
  std::uint64_t number_ = 0;
  bool sent_ = false;
  PendingCall* next_ = nullptr;  // in its bucket
  std::string_view method_;
};

class PendingCalls {
 public:
  // `on_abandoned`: a call that was sent ended by deadline or because its awaiter was destroyed; the dialect may want to tell the other
  // side. Of one that was not sent the other side knows nothing.
  using OnAbandoned = void (*)(void* context, std::uint64_t number, std::string_view reason);
  PendingCalls(Loop& loop, OnAbandoned on_abandoned, void* context)
      : loop_(loop), on_abandoned_(on_abandoned), context_(context) {}
  ~PendingCalls();

  void add(PendingCall& call, std::string_view method, TimePoint deadline);  // gives it its number
  bool settle(std::uint64_t number, const Body* body);                       // a reply came; false: too late
  bool settle(std::uint64_t number, Error error);                            // an error reply came
  void withdraw(PendingCall& call, Error why);                               // it could not be sent
  void fail_all(const Error& why);

  std::size_t size() const { return count_; }
  std::uint64_t late_replies() const { return late_replies_; }

 private:
  friend class PendingCall;
  void finish(PendingCall& call, Result<void> outcome);
  void abandon(PendingCall& call, std::string_view reason);
  PendingCall* find(std::uint64_t number) const;
  void remove(PendingCall& call);
  void grow();

  Loop& loop_;
  OnAbandoned on_abandoned_;
  void* context_;
  std::uint64_t next_ = 1;
  std::uint64_t late_replies_ = 0;
  // A hash table whose entries are the calls themselves, so that a call allocates nothing. Numbers go up one by one: their low bits
  // are the bucket, and calls that end in any order still spread evenly.
  std::vector<PendingCall*> buckets_;  // a power of two of them; none before the first call
  std::size_t count_ = 0;
};

}  // namespace parlance

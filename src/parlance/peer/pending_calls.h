// SPDX-License-Identifier: Apache-2.0
// The calls that wait for their reply. Exactly one outcome for each, the first of reply, error, deadline, cancel and disconnect;
// later events find no entry, are counted and dropped. Sans-I/O except for the loop's clock. Loop thread only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/peer/message.h"

namespace parlance {

class PendingCalls;

// A waiting call; lives in the frame of its awaiting coroutine.
class PendingCall : private Timer {
 public:
  PendingCall() = default;
  bool pending() const { return table_ != nullptr; }
  std::uint64_t number() const { return number_; }
  std::string_view method() const { return method_; }
  void mark_sent() { sent_ = true; }

 protected:
  ~PendingCall();
  // Reads the reply's body at once, while its bytes exist. Called outside of any other call into the peer.
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
  // `on_abandoned`: a sent call ended by deadline or because its awaiter was destroyed; the dialect may notify the other side.
  // Unsent calls are unknown to the other side.
  using OnAbandoned = void (*)(void* context, std::uint64_t number, std::string_view reason);
  PendingCalls(Loop& loop, OnAbandoned on_abandoned, void* context)
      : loop_(loop), on_abandoned_(on_abandoned), context_(context) {}
  ~PendingCalls();

  void add(PendingCall& call, std::string_view method, TimePoint deadline);  // assigns its number
  bool settle(std::uint64_t number, const Body* body);                       // a reply came; false: too late
  bool settle(std::uint64_t number, Error error);                            // an error reply came
  void withdraw(PendingCall& call, Error why);                               // the call could not be sent
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
  // A hash table of the calls themselves, so that a call allocates nothing. Numbers are consecutive: their low bits are the
  // bucket, and calls that end in any order still spread evenly.
  std::vector<PendingCall*> buckets_;  // a power of two; empty before the first call
  std::size_t count_ = 0;
};

}  // namespace parlance

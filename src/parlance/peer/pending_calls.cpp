// SPDX-License-Identifier: Apache-2.0
#include "parlance/peer/pending_calls.h"

#include <algorithm>
#include <utility>

namespace parlance {
namespace {

constexpr std::size_t first_buckets = 8;

}  // namespace

PendingCall::~PendingCall() {
  if (table_ != nullptr) table_->abandon(*this, "cancelled");
}

void PendingCall::on_timer() {
  PendingCalls& table = *table_;
  const std::string method(method_);
  table.abandon(*this, "deadline");
  settled(fail(Errc::deadline_exceeded, "no reply to " + method + " before its deadline"));
}

PendingCalls::~PendingCalls() {
  for (PendingCall* call : buckets_) {
    for (; call != nullptr; call = call->next_) {
      call->table_ = nullptr;
      call->stop();
    }
  }
}

void PendingCalls::add(PendingCall& call, std::string_view method, TimePoint deadline) {
  if (count_ == buckets_.size()) grow();
  call.table_ = this;
  call.number_ = next_++;
  call.method_ = method;
  PendingCall*& bucket = buckets_[call.number_ & (buckets_.size() - 1)];
  call.next_ = std::exchange(bucket, &call);
  ++count_;
  call.start(loop_, deadline);
}

PendingCall* PendingCalls::find(std::uint64_t number) const {
  if (buckets_.empty()) return nullptr;
  PendingCall* call = buckets_[number & (buckets_.size() - 1)];
  while (call != nullptr && call->number_ != number) call = call->next_;
  return call;
}

void PendingCalls::remove(PendingCall& call) {
  PendingCall** at = &buckets_[call.number_ & (buckets_.size() - 1)];
  while (*at != &call) at = &(*at)->next_;
  *at = call.next_;
  --count_;
}

void PendingCalls::grow() {
  std::vector<PendingCall*> old(std::max(first_buckets, buckets_.size() * 2));
  old.swap(buckets_);
  for (PendingCall* call : old) {
    while (call != nullptr) {
      PendingCall*& bucket = buckets_[call->number_ & (buckets_.size() - 1)];
      PendingCall* const next = call->next_;
      call->next_ = std::exchange(bucket, call);
      call = next;
    }
  }
}

bool PendingCalls::settle(std::uint64_t number, const Body* body) {
  PendingCall* call = find(number);
  if (call == nullptr) ++late_replies_;
  else finish(*call, call->take(body));
  return call != nullptr;
}

bool PendingCalls::settle(std::uint64_t number, Error error) {
  PendingCall* call = find(number);
  if (call == nullptr) ++late_replies_;
  else finish(*call, std::unexpected(std::move(error)));
  return call != nullptr;
}

void PendingCalls::withdraw(PendingCall& call, Error why) { finish(call, std::unexpected(std::move(why))); }

void PendingCalls::fail_all(const Error& why) {
  // A failed call's listener may start a new call, which fails at once and may grow the table: restart the loop after each call.
  for (std::size_t i = 0; count_ != 0; i = (i + 1) & (buckets_.size() - 1)) {
    while (PendingCall* call = buckets_[i]) {
      Error error = why;
      finish(*call, std::unexpected(std::move(error).in(call->method())));
    }
  }
}

void PendingCalls::finish(PendingCall& call, Result<void> outcome) {
  remove(call);
  call.table_ = nullptr;
  call.stop();
  call.settled(std::move(outcome));
}

void PendingCalls::abandon(PendingCall& call, std::string_view reason) {
  remove(call);
  call.table_ = nullptr;
  call.stop();
  if (call.sent_) on_abandoned_(context_, call.number_, reason);
}

}  // namespace parlance

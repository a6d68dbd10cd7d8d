// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/follower.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

Follower::Follower(UserHub hub, std::string conversation, std::uint64_t after, Signal* wake)
    : hub_(std::move(hub)),
      followed_(hub_.followed(conversation)),
      conversation_(std::move(conversation)),
      position_(after),
      changed_(hub_.loop()),
      wake_(wake) {
  if (followed_ == nullptr) return;
  counted_ = followed_->last_seq();
  followed_->join(*this);
}

Follower::~Follower() {
  if (followed_ == nullptr || followed_->ended()) return;
  followed_->leave(*this);
  followed_->passed(counted_, UINT64_MAX);
}

// The hub outlives every conversation without an end.
bool Follower::gone() const { return followed_ == nullptr || followed_->ended() || !hub_.may_read(conversation_); }

void Follower::notify() {
  changed_.notify_all();
  if (wake_ != nullptr) wake_->notify_all();
}

void Follower::notify(std::shared_ptr<const Conversation> row) {
  row_ = std::move(row);
  notify();
}

bool Follower::ready() const { return gone() || position_ < followed_->last_seq() || row_ != nullptr; }

Task<Result<Follower::Batch>> Follower::next(std::size_t most_bytes) {
  for (;;) {
    if (gone()) co_return fail(Errc::not_found, "the conversation is gone: " + conversation_);
    Batch batch;
    if (position_ < followed_->last_seq()) {
      batch.events = followed_->waiting(position_, most_bytes);
      if (batch.events.empty()) {
        PARLANCE_CO_TRY(stored, co_await followed_->stored(position_, most_bytes));
        batch.events = std::move(stored);
      }
      if (!batch.events.empty()) advance(batch.events.back()->seq);
    }
    // The row reflects the events' effects, so the row follows the last event.
    if (!gone() && position_ >= followed_->last_seq()) batch.conversation = std::exchange(row_, nullptr);
    if (!batch.events.empty() || batch.conversation) co_return batch;
    if (!gone()) co_await changed_.wait();
  }
}

void Follower::put_back(const Batch& batch, std::uint64_t last) {
  position_ = std::min(position_, last);
  if (row_ == nullptr) row_ = batch.conversation;
}

void Follower::advance(std::uint64_t to) {
  followed_->passed(counted_, to);
  counted_ = std::max(counted_, to);
  position_ = to;
}

}  // namespace parlance::hub

#include "hub/follower.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hub/running_turn.h"

namespace parlance::hub {
namespace {

EventPtr part_of(const std::shared_ptr<const void>& whole, const Event& event) { return {whole, &event}; }

}  // namespace

Follower::Follower(Hub& hub, std::string conversation, std::uint64_t after)
    : store_(&hub.implementation_->store),
      conversation_(std::move(conversation)),
      position_(after),
      changed_(hub.implementation_->loop) {
  if (const auto room = hub.implementation_->find_room(conversation_)) {
    room_ = room.get();
    room_->followers.push_back(this);
  }
}

Follower::~Follower() {
  if (room_ != nullptr) std::erase(room_->followers, this);
}

void Follower::leave() {
  room_ = nullptr;
  changed_.notify_all();
}

// Kept only if it follows what is there: then `live_` goes on where `position_` ends, or is empty.
void Follower::tell(const CommitPtr& written, std::size_t bytes) {
  const std::vector<Event>& events = written->events;
  const bool follows = events.front().seq == position_ + live_.size() + 1;
  // Whoever waits right now takes it at once, however much it is.
  const bool fits =
      changed_.has_waiters() || (live_bytes_ + bytes <= follower_bytes && live_.size() + events.size() <= follower_events);
  if (follows && fits) {
    for (const Event& event : events) live_.push_back(part_of(written, event));
    live_bytes_ += bytes;
  } else {
    live_.clear();
    live_bytes_ = 0;
  }
  changed_.notify_all();
}

void Follower::tell(std::shared_ptr<const Conversation> row) {
  row_ = std::move(row);
  changed_.notify_all();
}

Task<Result<Follower::News>> Follower::next() {
  for (;;) {
    if (room_ == nullptr) co_return fail(Errc::not_found, "the conversation is gone: " + conversation_);
    News news;
    if (live_.empty() && position_ < room_->shown.last_seq) {
      PARLANCE_CO_TRY_DO(co_await catch_up(news));
    } else {
      position_ += live_.size();
      news.events = std::exchange(live_, {});
      live_bytes_ = 0;
    }
    // The row tells what became of the events, so it comes with the last of them.
    if (room_ != nullptr && position_ >= room_->shown.last_seq) news.conversation = std::exchange(row_, nullptr);
    if (!news.events.empty() || news.conversation) co_return news;
    co_await changed_.wait();
  }
}

// What is told meanwhile does not follow `position_`, which lies further back: it is read with the next.
Task<Result<void>> Follower::catch_up(News& news) {
  const std::uint64_t last = room_->shown.last_seq;
  PARLANCE_CO_TRY(events, co_await store_->events_after(conversation_, position_, last, follower_read_bytes));
  if (events.empty() || events.front().seq != position_ + 1) {
    if (room_ == nullptr) co_return Result<void>{};  // removed meanwhile, and the next round says so
    co_return fail(Errc::internal, "the log of " + conversation_ + " has no event " + std::to_string(position_ + 1));
  }
  const auto kept = std::make_shared<const std::vector<Event>>(std::move(events));
  for (const Event& event : *kept) news.events.push_back(part_of(kept, event));
  position_ = kept->back().seq;
  co_return Result<void>{};
}

// ---- their room

void Room::tell_followers(const CommitPtr& written, std::size_t bytes) {
  for (Follower* follower : followers) follower->tell(written, bytes);
}

void Room::tell_followers(const std::shared_ptr<const Conversation>& row) {
  for (Follower* follower : followers) follower->tell(row);
}

void Room::leave_followers() {
  for (Follower* follower : std::exchange(followers, {})) follower->leave();
}

}  // namespace parlance::hub

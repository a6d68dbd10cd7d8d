#include "hub/watcher.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "hub/running_turn.h"

namespace parlance::hub {

Watcher::Watcher(Hub& hub, Loop& loop) : hub_(&hub), changed_(loop) { hub.implementation_->watchers.push_back(this); }

Watcher::~Watcher() {
  if (hub_ != nullptr) std::erase(hub_->implementation_->watchers, this);
}

Task<std::vector<ChangePtr>> Watcher::next() {
  while (queue_.empty()) co_await changed_.wait();
  bytes_ = 0;
  lost_ = false;
  co_return std::exchange(queue_, {});
}

void Watcher::push(ChangePtr change, std::size_t bytes) {
  if (lost_) return;
  if (queue_.size() >= limits::watcher_changes || bytes_ + bytes > limits::watcher_bytes) return overflow();
  bytes_ += bytes;
  queue_.push_back(std::move(change));
  changed_.notify_all();
}

void Watcher::push_events(const std::string& conversation, const ChangePtr& events, std::size_t bytes) {
  Open* open = find(conversation);
  if (open == nullptr || lost_) return;
  if (!open->reading) return push(events, bytes);
  if (open->held.size() >= limits::watcher_changes || bytes_ + bytes > limits::watcher_bytes) return overflow();
  bytes_ += bytes;
  open->held.push_back(events);
}

void Watcher::overflow() {
  static const ChangePtr resync = std::make_shared<const Change>(change::Resync{});
  queue_.clear();
  open_.clear();
  queue_.push_back(resync);
  lost_ = true;
  if (hub_ != nullptr) ++hub_->implementation_->resyncs;
  changed_.notify_all();
}

Watcher::Open* Watcher::find(std::string_view conversation) {
  const auto at = std::ranges::find(open_, conversation, &Open::conversation);
  return at == open_.end() ? nullptr : &*at;
}

Task<Result<EventPage>> Watcher::open(std::string conversation, std::uint64_t after, std::size_t limit) {
  const auto room = hub_ == nullptr ? nullptr : hub_->implementation_->find_room(conversation);
  if (!room) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  close(conversation);
  // What is in the store now comes with the page, what follows is held until the page is out.
  const std::uint64_t last = room->shown.last_seq;
  const std::uint64_t generation = ++generations_;
  open_.push_back({.conversation = conversation, .from = last, .generation = generation});
  auto events = co_await hub_->implementation_->store.events(
      conversation, after, last + 1, limit == 0 ? limits::page_events : std::min(limit, limits::page_events_most));
  Open* mine = find(conversation);
  if (mine == nullptr || mine->generation != generation)
    co_return fail(Errc::cancelled, "the conversation was closed or opened again meanwhile");
  if (!events) {
    close(conversation);
    co_return std::unexpected(std::move(events).error());
  }
  mine->reading = false;
  for (ChangePtr& held : mine->held) queue_.push_back(std::move(held));
  if (!mine->held.empty()) changed_.notify_all();
  mine->held = {};
  EventPage page{.events = *std::move(events), .last_seq = last};
  if (!page.events.empty()) page.first_seq = page.events.front().seq;
  co_return page;
}

void Watcher::close(std::string_view conversation) {
  std::erase_if(open_, [&](const Open& open) { return open.conversation == conversation; });
  // Nor what is queued of it: whoever opens it again gets that with the page.
  std::erase_if(queue_, [&](const ChangePtr& change) {
    const auto* events = std::get_if<change::EventsAppended>(change.get());
    return events != nullptr && events->conversation == conversation;
  });
}

}  // namespace parlance::hub

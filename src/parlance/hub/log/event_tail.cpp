// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/event_tail.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/log/commit.h"

namespace parlance::hub {

std::uint64_t EventTail::Written::first() const { return commit->events.front().seq; }

std::uint64_t EventTail::Written::last() const { return commit->events.back().seq; }

// Always keeps the newest commit of any size: current followers read it within a moment.
void EventTail::add(const CommitPtr& written, std::size_t bytes, std::size_t followers) {
  if (!written_.empty() && written_.back().last() + 1 != written->events.front().seq) clear();
  written_.push_back({.commit = written, .bytes = bytes, .left = followers});
  bytes_ += bytes;
  events_ += written->events.size();
  while (written_.size() > 1 && (bytes_ > follower_bytes || events_ > follower_events)) drop_first();
}

void EventTail::drop_first() {
  bytes_ -= written_.front().bytes;
  events_ -= written_.front().commit->events.size();
  written_.pop_front();
}

EventTail::At EventTail::first_above(std::uint64_t seq) const {
  return std::ranges::upper_bound(written_, seq, {}, &Written::last);
}

std::vector<EventPtr> EventTail::after(std::uint64_t after, std::size_t most_bytes) const {
  std::vector<EventPtr> found;
  std::size_t bytes = 0;
  At at = first_above(after);
  if (at == written_.end() || at->first() > after + 1) return found;
  for (; at != written_.end(); ++at) {
    for (const Event& event : at->commit->events) {
      if (event.seq <= after) continue;
      bytes += weight_of(event.body);
      if (!found.empty() && bytes > most_bytes) return found;
      found.push_back({at->commit, &event});
    }
  }
  return found;
}

std::size_t EventTail::count_after(std::uint64_t after) const {
  const At at = first_above(after);
  if (at == written_.end() || at->first() > after + 1) return 0;
  return static_cast<std::size_t>(written_.back().last() - after);
}

void EventTail::passed(std::uint64_t from, std::uint64_t to) {
  const At first = first_above(from);
  for (auto at = written_.begin() + (first - written_.cbegin()); at != written_.end() && at->last() <= to; ++at)
    if (at->left > 0) --at->left;
  while (!written_.empty() && written_.front().left == 0) drop_first();
}

Task<Result<EventTail::Part>> EventTail::read(Store& store, std::string conversation, std::uint64_t after, std::uint64_t last,
                                              std::size_t most_bytes) {
  while (reading_.contains(after)) co_await read_.wait();
  if (const auto known = parts_.find(after); known != parts_.end())
    if (Part part = known->second.lock()) co_return part;
  struct Reading {
    EventTail& tail;
    std::uint64_t after;
    Reading(EventTail& t, std::uint64_t a) : tail(t), after(a) { tail.reading_.insert(after); }
    ~Reading() {
      tail.reading_.erase(after);
      tail.read_.notify_all();
    }
  };
  const Reading reading(*this, after);
  PARLANCE_CO_TRY(events, co_await store.events_after(std::move(conversation), after, last, most_bytes));
  const auto part = std::make_shared<const std::vector<Event>>(std::move(events));
  std::erase_if(parts_, [](const auto& known) { return known.second.expired(); });
  if (!part->empty()) parts_[after] = part;
  co_return part;
}

}  // namespace parlance::hub

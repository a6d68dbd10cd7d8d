// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/replicated_log.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"

namespace parlance::hub {

void ReplicatedLog::publish(const CommitPtr& written, std::size_t bytes) {
  last_seq_ = written->events.back().seq;
  if (listeners_.empty()) return;
  tail_.add(written, bytes, listeners_.size());
  for (Listener* listener : listeners_) listener->notify();
}

void ReplicatedLog::publish(const std::shared_ptr<const Conversation>& row) {
  for (Listener* listener : listeners_) listener->notify(row);
}

// The events in memory may now precede a gap.
void ReplicatedLog::reach(std::uint64_t last_seq) {
  if (last_seq <= last_seq_) return;
  last_seq_ = last_seq;
  tail_.clear();
  for (Listener* listener : listeners_) listener->notify();
}

void ReplicatedLog::end() {
  ended_ = true;
  tail_.clear();
  for (Listener* listener : std::exchange(listeners_, {})) listener->notify();
}

Task<Result<std::vector<EventPtr>>> ReplicatedLog::stored(std::uint64_t after, std::size_t most_bytes) {
  PARLANCE_CO_TRY(part, co_await tail_.read(store_, conversation_, after, last_seq_, std::min(most_bytes, follower_read_bytes)));
  std::vector<EventPtr> found;
  if (part->empty() || part->front().seq != after + 1) {
    if (ended_) co_return found;  // removed meanwhile
    co_return fail(Errc::internal, "the log of " + conversation_ + " has no event " + std::to_string(after + 1));
  }
  std::size_t bytes = 0;
  for (const Event& event : *part) {  // another follower may have requested a larger part
    bytes += weight_of(event.body);
    if (!found.empty() && bytes > most_bytes) break;
    found.push_back({part, &event});
  }
  co_return found;
}

}  // namespace parlance::hub

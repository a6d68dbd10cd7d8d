// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/histories.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/turn_event.h"

namespace parlance::hub {
namespace {

// Events per read, backwards from the end, until the limit is reached.
constexpr std::size_t part_events = 512;
// Limits for all idle conversations together, in bytes and in number: after an eviction the next turn reads the log again.
constexpr std::size_t remembered_bytes = 32 << 20;
constexpr std::size_t remembered_conversations = 256;
constexpr std::size_t part_bytes = 1 << 20;

bool begins_turn(const Event& event) { return std::holds_alternative<event::UserMessage>(event.body); }

// The end of a log, beginning with a prompt, with at least `bytes` bytes of text; or the whole log.
Task<Result<std::vector<Event>>> end_of_log(Store& store, const std::string& conversation, std::uint64_t last,
                                            std::size_t bytes) {
  std::vector<std::vector<Event>> parts;  // in reverse order
  std::size_t found = 0;
  bool at_prompt = false;
  for (std::uint64_t before = last + 1; before > 1 && !(found >= bytes && at_prompt && bytes != 0);) {
    PARLANCE_CO_TRY(events, co_await store.events(conversation, 0, before, part_events));
    if (events.empty()) break;
    for (const Event& event : events) found += weight_of(event.body);
    before = events.front().seq;
    at_prompt = std::ranges::any_of(events, begins_turn);
    parts.push_back(std::move(events));
  }
  std::vector<Event> end;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) std::move(part->begin(), part->end(), std::back_inserter(end));
  if (!end.empty() && end.front().seq != 1) end.erase(end.begin(), std::ranges::find_if(end, begins_turn));
  co_return end;
}

}  // namespace

Task<Result<void>> Histories::remember(ConversationRuntime& runtime) {
  if (!runtime.history) {
    const std::uint64_t last = runtime.committed.last_seq;
    PARLANCE_CO_TRY(written, co_await end_of_log(core_.store, runtime.current.id, last, core_.settings.history_bytes));
    History history(core_.settings.history_bytes);
    if (!written.empty() && written.front().seq != 1) history.begin_after_others();
    for (const Event& event : written) history.add(event);
    for (std::uint64_t seen = last; seen < runtime.committed.last_seq;) {  // published during the read
      PARLANCE_CO_TRY(more, co_await core_.store.events_after(runtime.current.id, seen, runtime.committed.last_seq, part_bytes));
      if (more.empty()) co_return fail(Errc::internal, "the log of " + runtime.current.id + " ends early");
      for (const Event& event : more) history.add(event);
      seen = more.back().seq;
    }
    runtime.history = std::move(history);
  }
  const auto shared = runtime.shared_from_this();
  std::erase(remembered_, shared);
  remembered_.push_back(shared);
  co_return Result<void>{};
}

void Histories::forget(const std::shared_ptr<ConversationRuntime>& runtime) {
  runtime->history.reset();
  std::erase(remembered_, runtime);
}

void Histories::evict() {
  std::size_t bytes = 0;
  for (const auto& runtime : remembered_) bytes += runtime->history->bytes();
  for (auto at = remembered_.begin();
       at != remembered_.end() && (bytes > remembered_bytes || remembered_.size() > remembered_conversations);) {
    if ((*at)->turn) {
      ++at;
      continue;
    }
    bytes -= (*at)->history->bytes();
    (*at)->history.reset();
    at = remembered_.erase(at);
  }
}

}  // namespace parlance::hub

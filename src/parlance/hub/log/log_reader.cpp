// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/log_reader.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/log/text_search.h"

namespace parlance::hub {
namespace {

// The size limit of one page of events. Browsers request older events when a person scrolls up. 4 MiB fill hundreds of screens,
// and bound the memory held for a reader that does not read.
constexpr std::size_t page_event_bytes = 4 << 20;
constexpr std::size_t first_part_events = 32;  // size of the first read, before the size of events is known

std::size_t bytes_of(const Event& event) { return weight_of(event.body); }
std::size_t bytes_of(const EventText& event) { return event.event_json.size(); }

template <class Item>
constexpr auto query = &Store::events;
template <>
constexpr auto query<EventText> = &Store::event_texts;

// Per read: waiting writes are delayed by this amount at most.
constexpr std::size_t search_part_bytes = 1 << 20;

Task<Result<std::optional<FoundText>>> search_in(Store& store, LogPart part, std::string words) {
  TextSearch search(words);
  for (std::uint64_t after = part.first - 1; after < part.last;) {
    PARLANCE_CO_TRY(events, co_await store.events_after(part.conversation, after, part.last, search_part_bytes));
    if (events.empty()) break;  // removed meanwhile
    for (const Event& event : events) search.add(event);
    after = events.back().seq;
  }
  co_return search.newest();
}

struct Dated {
  std::string updated_at{};
  SearchHit hit{};
};

}  // namespace

// Reads in parts, newest first, because the store does not know sizes in advance.
template <class Item>
Task<Result<std::vector<Item>>> newest_events(Store& store, std::string conversation, std::uint64_t after, std::uint64_t before,
                                              std::size_t most) {
  std::vector<Item> newest;  // descending order
  std::size_t bytes = 0;
  for (std::size_t part = std::min(most, first_part_events); part > 0;) {
    PARLANCE_CO_TRY(events, co_await (store.*query<Item>)(conversation, after, before, part));
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      bytes += bytes_of(*event);
      if (!newest.empty() && bytes > page_event_bytes) part = 0;
      if (part == 0) break;
      newest.push_back(std::move(*event));
    }
    if (part == 0 || events.size() < part) break;
    before = newest.back().seq;
    const std::size_t fitting =
        (page_event_bytes - std::min(bytes, page_event_bytes)) / std::max<std::size_t>(bytes / newest.size(), 1);
    part = std::min({most - newest.size(), std::max<std::size_t>(fitting, 1), newest.size() * 8});
  }
  std::ranges::reverse(newest);
  co_return newest;
}

template Task<Result<std::vector<Event>>> newest_events<Event>(Store&, std::string, std::uint64_t, std::uint64_t, std::size_t);
template Task<Result<std::vector<EventText>>> newest_events<EventText>(Store&, std::string, std::uint64_t, std::uint64_t,
                                                                       std::size_t);

Task<Result<std::vector<SearchHit>>> search_logs(Store& store, std::string words, SearchedRow row_of) {
  words = trim(words);
  if (words.empty()) co_return fail(Errc::invalid_params, "there is nothing to look for");
  std::vector<Dated> found;
  std::set<std::string> known;  // conversations with their newest match
  std::uint64_t before = 0;
  do {
    PARLANCE_CO_TRY(page, co_await store.parts_with(words, before, limits::searched_parts));
    before = page.before;
    for (LogPart& part : page.parts) {
      if (found.size() == limits::searched_conversations) break;
      if (known.contains(part.conversation)) continue;
      const std::optional<Conversation> row = row_of(part.conversation);
      if (!row) continue;
      part.last = std::min(part.last, row->last_seq);
      PARLANCE_CO_TRY(text, co_await search_in(store, part, words));
      if (!text) continue;
      known.insert(part.conversation);
      found.push_back({.updated_at = row->updated_at,
                       .hit = {.conversation = part.conversation, .seq = text->seq, .snippet = std::move(text->snippet)}});
    }
  } while (before != 0 && found.size() < limits::searched_conversations);
  // Ids contain the time of the creation and decide between equal times.
  std::ranges::sort(found, std::ranges::greater{},
                    [](const Dated& dated) { return std::tie(dated.updated_at, dated.hit.conversation); });
  std::vector<SearchHit> hits;
  for (Dated& dated : found) hits.push_back(std::move(dated.hit));
  co_return hits;
}

}  // namespace parlance::hub

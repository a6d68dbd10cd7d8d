// SPDX-License-Identifier: Apache-2.0
// Text search in all conversations.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/conversation/text_search.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

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

// The store knows no permissions: `among` decides before the search reads a log.
Task<Result<std::vector<SearchHit>>> Hub::search(std::string words, Among among) {
  Implementation& self = *implementation_;
  words = trim(words);
  if (words.empty()) co_return fail(Errc::invalid_params, "there is nothing to look for");
  std::vector<Dated> found;
  std::set<std::string> known;  // conversations with their newest match
  std::uint64_t before = 0;
  do {
    PARLANCE_CO_TRY(page, co_await self.store.parts_with(words, before, limits::searched_parts));
    before = page.before;
    for (LogPart& part : page.parts) {
      if (found.size() == limits::searched_conversations) break;
      if (known.contains(part.conversation)) continue;
      const std::optional<Conversation> shown = self.rooms.shown(part.conversation);
      if (!shown || (among && !among(*shown))) continue;
      part.last = std::min(part.last, shown->last_seq);
      PARLANCE_CO_TRY(text, co_await search_in(self.store, part, words));
      if (!text) continue;
      known.insert(part.conversation);
      found.push_back({.updated_at = shown->updated_at,
                       .hit = {.conversation = part.conversation, .seq = text->seq, .snippet = std::move(text->snippet)}});
    }
  } while (before != 0 && found.size() < limits::searched_conversations);
  // Ids contain the time of the creation and decide between equal times.
  std::ranges::sort(found, std::ranges::greater{},
                    [](const Dated& one) { return std::tie(one.updated_at, one.hit.conversation); });
  std::vector<SearchHit> hits;
  for (Dated& one : found) hits.push_back(std::move(one.hit));
  co_return hits;
}

}  // namespace parlance::hub

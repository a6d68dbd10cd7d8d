// SPDX-License-Identifier: Apache-2.0
// Words in what was said, in all conversations.
#include <algorithm>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/conversation/text_search.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

// Read at once: what is to be written meanwhile waits so long.
constexpr std::size_t search_part_bytes = 1 << 20;

Task<Result<std::optional<FoundText>>> search_in(Store& store, std::string conversation, std::uint64_t last, std::string words) {
  TextSearch search(words);
  for (std::uint64_t after = 0; after < last;) {
    PARLANCE_CO_TRY(events, co_await store.events_after(conversation, after, last, search_part_bytes));
    if (events.empty()) break;  // removed meanwhile
    for (const Event& event : events) search.add(event);
    after = events.back().seq;
  }
  co_return search.newest();
}

}  // namespace

Task<Result<std::vector<SearchHit>>> Hub::search(std::string words, Among among) {
  Implementation& self = *implementation_;
  words = trim(words);
  if (words.empty()) co_return fail(Errc::invalid_params, "there is nothing to look for");
  std::vector<std::pair<std::string, std::string>> newest;  // when it changed, and its name
  for (const auto& [id, room] : self.rooms)
    if (room->listed && (!among || among(room->shown))) newest.emplace_back(room->live.updated_at, id);
  std::ranges::sort(newest, std::ranges::greater{});
  std::vector<SearchHit> hits;
  for (const auto& [when, id] : newest) {
    if (hits.size() == limits::searched_conversations) break;
    const auto room = self.find_room(id);
    if (!room || (among && !among(room->shown))) continue;
    PARLANCE_CO_TRY(found, co_await search_in(self.store, id, room->shown.last_seq, words));
    if (found) hits.push_back({.conversation = id, .seq = found->seq, .snippet = std::move(found->snippet)});
  }
  co_return hits;
}

}  // namespace parlance::hub

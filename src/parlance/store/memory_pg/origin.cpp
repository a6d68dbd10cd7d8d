// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/origin.h"

#include "parlance/pg/session.h"
#include "parlance/store/memory_pg/limits.h"

namespace parlance::store {

Result<MemoryOrigin> find_shared_origin(const std::string& address, const memory::Source& source) {
  MemoryOrigin origin;
  if (source.conversation.empty()) return origin;
  const pg::Interrupt never_raised;
  pg::Session session({.address = address}, never_raised);
  PARLANCE_TRY(there, session.read({.sql = "SELECT to_regclass('conversations') IS NOT NULL"}));
  if (!there.truth(0, 0)) return origin;
  PARLANCE_TRY(row, session.read({.sql = "SELECT body FROM conversations WHERE id = $1", .parameters = {source.conversation}}));
  if (row.empty()) return origin;
  add_conversation(origin, row.text(0, 0));
  if (source.event == 0) return origin;
  PARLANCE_TRY(events,
               session.read({.sql = "SELECT e.seq, e.body FROM events AS e JOIN conversations AS c ON c.number = e.conversation "
                                    "WHERE c.id = $1 AND e.seq <= $2 ORDER BY e.seq DESC LIMIT $3",
                             .parameters = {source.conversation, source.event, limits::memory_origin_events}}));
  for (std::size_t i = 0; i < events.size(); ++i)
    if (add_event(origin, source.event, static_cast<std::uint64_t>(events.integer(i, 0)), events.text(i, 1))) break;
  return origin;
}

}  // namespace parlance::store

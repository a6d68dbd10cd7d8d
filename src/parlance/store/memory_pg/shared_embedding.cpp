// SPDX-License-Identifier: Apache-2.0
// Adds missing vectors of the current embedder for all people, by several processes at once. Each step is one transaction, and
// the tables show the remaining work.
#include <set>
#include <utility>

#include "parlance/store/memory/limits.h"
#include "parlance/store/memory_pg/shared_memories.h"
#include "parlance/store/memory_pg/statements.h"

namespace parlance::store {
namespace {

// Memories read by a call of `unembedded`: bounds a call without results.
constexpr std::int64_t looked_at = 20'000;
// Vectors of another embedder removed per transaction.
constexpr int dropped_at_once = 2'000;

}  // namespace

Result<void> SharedMemories::claim_embedder(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY_DO(server_.write({{.sql = "INSERT INTO memory_settings(name, value) VALUES('embedder', $1) "
                                         "ON CONFLICT(name) DO UPDATE SET value = excluded.value",
                                  .parameters = {embedder.id}}}));
  return {};
}

Result<bool> SharedMemories::has_claim(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(rows, server_.read({.sql = "SELECT 1 FROM memory_settings WHERE name = 'embedder' AND value = $1",
                                   .parameters = {embedder.id}}));
  return !rows.empty();
}

Result<EmbeddedCount> SharedMemories::count_embedded(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(
      rows, server_.read({.sql = "SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM memory_vectors WHERE embedder = "
                                 "(SELECT number FROM memory_embedders WHERE id = $1 AND dimension = $2))",
                          .parameters = {embedder.id, embedder.dimension}}));
  return EmbeddedCount{.embedded = static_cast<std::uint64_t>(rows.integer(0, 1)),
                       .entries = static_cast<std::uint64_t>(rows.integer(0, 0))};
}

Result<std::int64_t> SharedMemories::last_number() {
  PARLANCE_TRY(rows, server_.read({.sql = "SELECT max(number) FROM memories"}));
  return rows.integer(0, 0);
}

Result<UnembeddedPage> SharedMemories::unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit) {
  PARLANCE_TRY(
      all, server_.read(
               {{.sql = "SELECT number, id, text, user_id FROM memories AS m WHERE number >= $1 AND number < $2 AND NOT EXISTS "
                        "(SELECT 1 FROM memory_vectors AS v WHERE v.user_id = m.user_id AND v.memory = m.number AND v.embedder = "
                        "(SELECT number FROM memory_embedders WHERE id = $3 AND dimension = $4)) ORDER BY number LIMIT $5",
                 .parameters = {from, from + looked_at, embedder.id, embedder.dimension, limit}},
                {.sql = "SELECT max(number) FROM memories"}}));
  UnembeddedPage page;
  for (std::size_t i = 0; i < all[0].size(); ++i)
    page.rows.push_back({.number = all[0].integer(i, 0),
                         .id = std::string(all[0].text(i, 1)),
                         .text = std::string(all[0].text(i, 2)),
                         .user = std::string(all[0].text(i, 3))});
  page.next = page.rows.size() == limit ? page.rows.back().number + 1 : from + looked_at;
  if (page.next > all[1].integer(0, 0)) page.next = 0;
  return page;
}

Result<std::uint64_t> SharedMemories::add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded) {
  std::vector<Owned> owned;
  std::set<std::string> users;  // sorted, so all writers lock in the same order
  Embedded same{.embedder = embedded.embedder};
  for (std::size_t i = 0; i < rows.size() && i < embedded.vectors.size(); ++i) {
    PARLANCE_TRY_DO(check_dimension(embedded.embedder, embedded.vectors[i]));
    owned.push_back({.user = rows[i].user, .id = rows[i].id, .text = rows[i].text});
    users.insert(rows[i].user);
    same.vectors.push_back(embedded.vectors[i]);
  }
  if (owned.empty()) return 0;
  std::vector<pg::Statement> statements;
  for (const std::string& user : users) statements.push_back(turn_of(user));
  for (pg::Statement& statement : insert_vectors(owned, same)) statements.push_back(std::move(statement));
  statements.push_back(log_changes(owned));
  PARLANCE_TRY(written, server_.write(std::move(statements)));
  return written.rows[users.size() + 1].size();
}

Result<bool> SharedMemories::drop_other_vectors(const memory::EmbedderInfo& embedder) {
  // Allowed only for the latest claim, and only without missing vectors.
  PARLANCE_TRY(mine, has_claim(embedder));
  PARLANCE_TRY(count, count_embedded(embedder));
  if (!mine || count.embedded < count.entries) return false;
  PARLANCE_TRY(other, server_.read({.sql = "SELECT number FROM memory_embedders WHERE id <> $1 ORDER BY number LIMIT 1",
                                    .parameters = {embedder.id}}));
  if (other.empty()) return false;
  const std::int64_t number = other.integer(0, 0);
  PARLANCE_TRY(
      written,
      server_.write(
          {{.sql = "DELETE FROM memory_vectors WHERE ctid = ANY(ARRAY(SELECT ctid FROM memory_vectors WHERE embedder = $1 "
                   "LIMIT $2)) RETURNING 1",
            .parameters = {number, dropped_at_once}},
           {.sql = "DELETE FROM memory_exact WHERE ctid = ANY(ARRAY(SELECT ctid FROM memory_exact WHERE embedder = $1 "
                   "LIMIT $2)) RETURNING 1",
            .parameters = {number, dropped_at_once}}}));
  if (!written.rows[0].empty() || !written.rows[1].empty()) return true;
  // Its other users must reload.
  PARLANCE_TRY_DO(server_.write({{.sql = "DELETE FROM memory_embedders WHERE number = $1", .parameters = {number}},
                                 {.sql = "SELECT memory_turn(user_id), memory_changed(user_id, '{0}', $1) FROM (SELECT user_id "
                                         "FROM memory_users ORDER BY user_id) AS u",
                                  .parameters = {limits::memory_changes_kept}}}));
  return true;
}

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/shared_memories.h"

#include <algorithm>
#include <set>
#include <utility>

#include "parlance/base/limits.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_requests.h"
#include "parlance/store/memory/memory_search.h"
#include "parlance/store/memory_pg/schema.h"
#include "parlance/store/memory_pg/statements.h"

namespace parlance::store {
namespace {

const memory::Vector* vector_at(const Embedded& embedded, std::size_t index) {
  return index < embedded.vectors.size() ? &embedded.vectors[index] : nullptr;
}

}  // namespace

// Created once for each person, and never removed, so the number keeps its owner.
Result<std::int64_t> SharedMemories::keep_person(const std::string& user) {
  if (const std::int64_t known = people_.of(user).source.person(); known != 0) return known;
  PARLANCE_TRY(written, server_.write(
                            {{.sql = "INSERT INTO memory_users(user_id) VALUES($1) ON CONFLICT DO NOTHING", .parameters = {user}},
                             {.sql = "SELECT number FROM memory_users WHERE user_id = $1", .parameters = {user}}}));
  return written.rows[1].integer(0, 0);
}

Result<std::vector<memory::Put>> SharedMemories::put(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                                     const Embedded& embedded) {
  std::vector<memory::Entry> stored;
  for (const memory::NewEntry& entry : entries) {
    PARLANCE_TRY(kept, stored_entry(entry));
    stored.push_back(std::move(kept));
  }
  for (const memory::Vector& vector : embedded.vectors) PARLANCE_TRY_DO(check_dimension(embedded.embedder, vector));
  auto puts = store(user, entries, stored, embedded);
  if (!puts && puts.error().message.contains(memory_unknown_person)) {  // the database was replaced
    people_.forget_all();
    puts = store(user, entries, stored, embedded);
  }
  if (!puts || entries.size() > limits::memory_similar_puts) return puts;
  for (std::size_t i = 0; i < puts->size(); ++i) {
    const memory::Vector* const vector = vector_at(embedded, i);
    if ((*puts)[i].duplicate || vector == nullptr) continue;
    // All entries are stored already: a failure here does not fail the put.
    const auto query = similar_query(stored[i].text);
    const auto hits = query ? search_now(user, *query, embedded.embedder, vector) : std::unexpected(query.error());
    if (hits) (*puts)[i].similar = similar_ids(*hits, (*puts)[i].id);
  }
  return puts;
}

Result<std::vector<memory::Put>> SharedMemories::store(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                                       const std::vector<memory::Entry>& stored, const Embedded& embedded) {
  PARLANCE_TRY(person, keep_person(user));
  std::vector<Owned> owned;
  for (const memory::Entry& entry : stored) owned.push_back({.user = user, .id = entry.id, .text = entry.text});
  std::vector<pg::Statement> statements{turn_of(user), insert_entries(user, person, stored), ids_of(user, stored)};
  if (!embedded.vectors.empty())
    for (pg::Statement& statement : insert_vectors(owned, embedded)) statements.push_back(std::move(statement));
  statements.push_back(log_changes(owned));
  PARLANCE_TRY(written, server_.write(std::move(statements)));
  std::set<std::string_view> fresh;
  for (std::size_t i = 0; i < written.rows[1].size(); ++i) fresh.insert(written.rows[1].text(i, 0));
  std::vector<memory::Put> puts;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    memory::Put put{.id = std::string(written.rows[2].text(i, 0))};
    // A generated id is unique, so the entry is new even if an earlier attempt succeeded.
    const bool made_here = entries[i].id.empty() && put.id == stored[i].id;
    put.duplicate = fresh.erase(put.id) == 0 && !made_here;
    puts.push_back(std::move(put));
  }
  return puts;
}

Result<std::vector<memory::Hit>> SharedMemories::search(const std::string& user, const memory::Query& query,
                                                        const Embedded& embedded) {
  PARLANCE_TRY(wanted, bounded_query(query));
  return search_now(user, wanted, embedded.embedder, vector_at(embedded, 0));
}

Result<std::vector<memory::Hit>> SharedMemories::search_now(const std::string& user, const memory::Query& query,
                                                            const memory::EmbedderInfo& embedder, const memory::Vector* vector) {
  Person& person = people_.of(user);
  if (graph_allowed_) person.vectors.allow_graph();
  PARLANCE_TRY(known, person.sync(vector != nullptr ? &embedder : nullptr));
  if (!known) return std::vector<memory::Hit>{};
  return MemorySearch(person.keywords, person.rows, person.vectors, query, vector).hits();
}

Result<memory::Entry> SharedMemories::get(const std::string& user, const std::string& id) {
  PARLANCE_TRY(rows, server_.read({.sql = "SELECT " MEMORY_PG_COLUMNS " FROM memories WHERE user_id = $1 AND id = $2",
                                   .parameters = {user, id}}));
  if (rows.empty()) return fail(Errc::not_found, "memory not found: " + id);
  return memory_at(rows, 0).entry;
}

Result<memory::Page> SharedMemories::list(const std::string& user, const memory::ListQuery& query) {
  const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, limits::memory_page_entries);
  PARLANCE_TRY(from, page_begin(user, query));
  const std::string category = query.category ? std::string(to_string(*query.category)) : "";
  PARLANCE_TRY(rows,
               server_.read({.sql = std::string("SELECT " MEMORY_PG_COLUMNS
                                                " FROM memories WHERE user_id = $1 AND ($2 = '' OR category = $2) "
                                                "AND ($3 = '' OR source_conversation = $3) AND number ") +
                                    (query.oldest_first ? "> $4 ORDER BY number" : "< $4 ORDER BY number DESC") + " LIMIT $5",
                             .parameters = {user, category, query.conversation, from, limit + 1}}));
  memory::Page page;
  for (std::size_t i = 0; i < std::min(rows.size(), limit); ++i) page.entries.push_back(memory_at(rows, i).entry);
  if (rows.size() > limit) page.next = page_end(rows.integer(limit - 1, 0));
  return page;
}

// A page ends with a number, not an id: a person may delete the entry before the next page.
Result<std::int64_t> SharedMemories::page_begin(const std::string& user, const memory::ListQuery& query) {
  if (const auto number = page_begin_of(query)) return *number;
  PARLANCE_TRY(rows, server_.read({.sql = "SELECT number FROM memories WHERE user_id = $1 AND id = $2",
                                   .parameters = {user, query.before}}));
  if (rows.empty()) return fail(Errc::not_found, "memory not found: " + query.before);
  return rows.integer(0, 0);
}

Result<std::uint64_t> SharedMemories::forget(const std::string& user, const memory::Forget& what) {
  PARLANCE_TRY_DO(check_forget(what));
  PARLANCE_TRY(person, server_.read({.sql = "SELECT 1 FROM memory_users WHERE user_id = $1", .parameters = {user}}));
  if (person.empty()) return 0;
  PARLANCE_TRY(written, server_.write({turn_of(user), delete_entries(user, what)}));
  const auto gone = static_cast<std::uint64_t>(written.rows[1].integer(0, 0));
  if (gone == 0 && written.again)
    return fail(Errc::disconnected, "the connection to the memory was lost while it forgot: look whether it is gone");
  return gone;
}

Result<memory::Stats> SharedMemories::stats(const std::string& user, const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(
      all,
      server_.read({{.sql = "SELECT category, count(*) FROM memories WHERE user_id = $1 GROUP BY category", .parameters = {user}},
                    {.sql = "SELECT pg_total_relation_size('memories') + pg_total_relation_size('memory_vectors') + "
                            "pg_total_relation_size('memory_exact')"}}));
  memory::Stats stats{.bytes = static_cast<std::uint64_t>(all[1].integer(0, 0)), .embedder = embedder.id};
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    const auto count = static_cast<std::uint64_t>(all[0].integer(i, 1));
    stats.by_category[std::string(all[0].text(i, 0))] = count;
    stats.entries += count;
  }
  if (embedder.id.empty()) return stats;
  Person& person = people_.of(user);
  person.vectors.use(embedder);
  PARLANCE_TRY(embedded, person.vectors.count());
  stats.embedded = embedded;
  person.vectors.describe(stats);
  return stats;
}

}  // namespace parlance::store

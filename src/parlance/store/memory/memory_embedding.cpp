// SPDX-License-Identifier: Apache-2.0
// Adds missing vectors of the current embedder: after a change of the embedder, its failure, or a put by another program. Several
// processes may do this at once and stop at any point: each step is one transaction, and the tables show the remaining work.
#include <utility>

#include "parlance/store/memory/memory_file.h"
#include "parlance/store/memory/memory_schema.h"

namespace parlance::store {
namespace {

// Memories read by one call of `unembedded`: bounds a call without results.
constexpr std::int64_t looked_at = 20'000;
// Vectors of another embedder removed per transaction: writers wait meanwhile.
constexpr int dropped_at_once = 2'000;

}  // namespace

Result<void> MemoryFile::claim_embedder(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(mine, has_claim(embedder));
  if (mine) return {};
  return write([&]() -> Result<void> {
    PARLANCE_TRY(row, db_->query("INSERT OR REPLACE INTO memory_settings(name, value) VALUES('embedder', ?1)"));
    return row.run(embedder.id);
  });
}

Result<bool> MemoryFile::has_claim(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(row, db_->query("SELECT 1 FROM memory_settings WHERE name='embedder' AND value=?1"));
  return row.bind(embedder.id).step();
}

Result<EmbeddedCount> MemoryFile::count_embedded(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY_DO(open());
  EmbeddedCount count;
  PARLANCE_TRY_DO(db_->snapshot([&]() -> Result<void> {
    PARLANCE_TRY(row, db_->query("SELECT coalesce(sum(rows),0) FROM memory_counts"));
    PARLANCE_TRY_DO(row.step());
    count.entries = static_cast<std::uint64_t>(row.integer(0));
    vectors_->use(embedder);
    PARLANCE_TRY(embedded, vectors_->count());
    count.embedded = embedded;
    return {};
  }));
  return count;
}

Result<std::int64_t> MemoryFile::last_number() {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(row, db_->query("SELECT max(number) FROM memories"));
  PARLANCE_TRY_DO(row.step());
  return row.integer(0);
}

Result<UnembeddedPage> MemoryFile::unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit) {
  PARLANCE_TRY_DO(open());
  vectors_->use(embedder);
  UnembeddedPage page;
  PARLANCE_TRY_DO(db_->snapshot([&]() -> Result<void> {
    PARLANCE_TRY(number, tables_->embedder_number(embedder));
    PARLANCE_TRY(last, last_number());
    PARLANCE_TRY(rows,
                 db_->query("SELECT m.number, m.id, m.text FROM memories m WHERE m.number>=?1 AND m.number<?2 AND NOT EXISTS "
                            "(SELECT 1 FROM vectors v WHERE v.slot=?3+m.number) ORDER BY m.number LIMIT ?4"));
    rows.bind(from, from + looked_at, number << memory_number_bits, limit);
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      page.rows.push_back({.number = rows.integer(0), .id = std::string(rows.text(1)), .text = std::string(rows.text(2))});
    }
    page.next = page.rows.size() == limit ? page.rows.back().number + 1 : from + looked_at;
    if (page.next > last) page.next = 0;
    return {};
  }));
  return page;
}

Result<std::uint64_t> MemoryFile::add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded) {
  PARLANCE_TRY_DO(open());
  vectors_->use(embedded.embedder);
  std::uint64_t added = 0;
  PARLANCE_TRY_DO(write([&]() -> Result<void> {
    for (std::size_t i = 0; i < rows.size() && i < embedded.vectors.size(); ++i) {
      // The number may belong to another memory since the read.
      PARLANCE_TRY(row, db_->query("SELECT category FROM memories WHERE number=?1 AND id=?2 AND text=?3"));
      row.bind(rows[i].number, rows[i].id, rows[i].text);
      PARLANCE_TRY(there, row.step());
      if (!there) continue;
      const auto category = memory::category_from(row.text(0)).value_or(memory::Category::other);
      PARLANCE_TRY(fresh, tables_->add_vector(embedded.embedder, rows[i].number, category, embedded.vectors[i]));
      added += fresh ? 1 : 0;
    }
    return trim_changes();
  }));
  return added;
}

Result<bool> MemoryFile::drop_other_vectors(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY_DO(open());
  bool more = false;
  PARLANCE_TRY_DO(write([&]() -> Result<void> {
    // Allowed only for the latest claim, and only without missing vectors.
    PARLANCE_TRY(mine, has_claim(embedder));
    vectors_->use(embedder);
    PARLANCE_TRY(embedded, vectors_->count());
    PARLANCE_TRY(entries, db_->query("SELECT sum(rows) FROM memory_counts"));
    PARLANCE_TRY_DO(entries.step());
    if (!mine || embedded < static_cast<std::uint64_t>(entries.integer(0))) return {};
    PARLANCE_TRY(other, db_->query("SELECT number FROM embedders WHERE id<>?1 ORDER BY number LIMIT 1"));
    other.bind(embedder.id);
    PARLANCE_TRY(there, other.step());
    if (!there) return {};
    more = true;
    const std::int64_t base = other.integer(0) << memory_number_bits;
    std::int64_t dropped = 0;
    for (const char* sql : {"DELETE FROM vectors WHERE slot IN (SELECT slot FROM vectors WHERE slot>?1 AND slot<=?1+?2 LIMIT ?3)",
                            "DELETE FROM exact_vectors WHERE slot IN (SELECT slot FROM exact_vectors WHERE slot>?1 AND "
                            "slot<=?1+?2 LIMIT ?3)"}) {
      PARLANCE_TRY(removal, db_->query(sql));
      PARLANCE_TRY_DO(removal.run(base, memory_number_mask, dropped_at_once));
      dropped += db_->changes();
    }
    if (dropped > 0) return {};
    PARLANCE_TRY(gone, db_->query("DELETE FROM embedders WHERE number=?1"));
    PARLANCE_TRY_DO(gone.run(other.integer(0)));
    return db_->execute("INSERT INTO memory_changes(number) VALUES(0)");  // its other users must reload
  }));
  return more;
}

}  // namespace parlance::store

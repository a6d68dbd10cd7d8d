#include "store/memory_rows.h"

#include <utility>

#include "memory/characters.h"
#include "store/memory_row.h"

namespace parlance::store {
namespace {

// Rows that are kept: some 3,000 short ones, of which one search looks at a hundred.
constexpr std::size_t kept_bytes = 8 << 20;

// A row with its text, what the text is cut into (two words of 100 bytes for each dozen characters), and the id and times.
constexpr std::size_t bytes_of(const memory::Entry& entry) { return sizeof(MemoryRow) + 20 * entry.text.size() + 256; }

}  // namespace

MemoryRow::MemoryRow(memory::Entry entry) : entry_(std::move(entry)), padded_(" " + memory::folded(entry_.text) + "  ") {}

const memory::TextFeatures& MemoryRow::features() const {
  if (!features_) features_.emplace(entry_.text);
  return *features_;
}

MemoryRows::MemoryRows(sqlite::Database& db) : db_(db), kept_(kept_bytes) {}

// A memory never changes under its number, so only the log of what came and went counts.
Result<void> MemoryRows::sync() {
  kept_.trim();
  PARLANCE_TRY(log, db_.query("SELECT (SELECT min(change) FROM memory_changes), (SELECT max(change) FROM memory_changes)"));
  PARLANCE_TRY_DO(log.step());
  const std::int64_t first = log.integer(0);
  const std::int64_t last = log.integer(1);
  const std::int64_t seen = std::exchange(seen_change_, last);
  if (last == seen) return {};
  if (kept_.size() == 0) return {};
  if (seen + 1 < first || last < seen) return kept_.clear(), Result<void>{};
  PARLANCE_TRY(rows, db_.query("SELECT DISTINCT number FROM memory_changes WHERE change>?1"));
  rows.bind(seen);
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return {};
    kept_.drop(rows.integer(0));
  }
}

Result<const MemoryRow*> MemoryRows::find(std::int64_t number) {
  if (const MemoryRow* const kept = kept_.find(number)) return kept;
  PARLANCE_TRY(row, db_.query("SELECT " MEMORY_COLUMNS " FROM memories m WHERE m.number=?1"));
  PARLANCE_TRY(there, row.bind(number).step());
  if (!there) return nullptr;
  MemoryRow read(memory_entry(row));
  const std::size_t bytes = bytes_of(read.entry());
  return &kept_.keep(number, std::move(read), bytes);
}

}  // namespace parlance::store

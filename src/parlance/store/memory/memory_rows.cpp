#include "parlance/store/memory/memory_rows.h"

#include <utility>

#include "parlance/memory/text/characters.h"
#include "parlance/store/memory/memory_row.h"

namespace parlance::store {
namespace {

// With what the allocator adds to a text of its own.
std::size_t bytes_of(const std::string& text) { return text.capacity() + 16; }

std::size_t bytes_of(const MemoryRow& row) {
  const memory::Entry& entry = row.entry;
  return sizeof row + bytes_of(entry.id) + bytes_of(entry.text) + bytes_of(entry.source.conversation) +
         bytes_of(entry.created_at) + bytes_of(entry.updated_at) + bytes_of(row.padded);
}

}  // namespace

// A memory never changes under its number, so only the log of what came and went counts.
Result<void> MemoryRows::sync() {
  PARLANCE_TRY(log, db_.query("SELECT (SELECT min(change) FROM memory_changes), (SELECT max(change) FROM memory_changes)"));
  PARLANCE_TRY_DO(log.step());
  const std::int64_t first = log.integer(0);
  const std::int64_t last = log.integer(1);
  if (seen_change_ + 1 < first || last < seen_change_) {
    kept_.clear();
  } else if (last != seen_change_ && kept_.size() != 0) {
    PARLANCE_TRY(rows, db_.query("SELECT DISTINCT number FROM memory_changes WHERE change>?1"));
    rows.bind(seen_change_);
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      kept_.drop(rows.integer(0));
    }
  }
  seen_change_ = last;  // only now: what failed is read again
  return {};
}

Result<MemoryRow*> MemoryRows::find(std::int64_t number) {
  if (MemoryRow* const kept = kept_.find(number)) return kept;
  PARLANCE_TRY(row, db_.query("SELECT " MEMORY_COLUMNS " FROM memories m WHERE m.number=?1"));
  PARLANCE_TRY(there, row.bind(number).step());
  if (!there) return nullptr;
  MemoryRow read{.number = number, .entry = memory_entry(row)};
  read.padded = " " + memory::folded(read.entry.text) + "  ";
  const std::size_t bytes = bytes_of(read);
  return &kept_.keep(number, std::move(read), bytes);
}

const memory::TextFeatures& MemoryRows::features(MemoryRow& row) {
  if (!row.features) {
    row.features.emplace(row.entry.text);
    kept_.grew(row.number, row.features->bytes());
  }
  return *row.features;
}

}  // namespace parlance::store

// Memories as a search looks at them, each read once and kept for the next search that meets it. Blocking; the database's thread,
// inside a snapshot or a transaction.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "memory/store.h"
#include "memory/text_features.h"
#include "sqlite/database.h"
#include "store/kept_by_number.h"

namespace parlance::store {

class MemoryRow {
 public:
  explicit MemoryRow(memory::Entry entry);
  const memory::Entry& entry() const { return entry_; }
  const std::string& padded() const { return padded_; }  // folded, with blanks around: as the index of words sees it
  const memory::TextFeatures& features() const;          // cut when they are first wanted

 private:
  memory::Entry entry_;
  std::string padded_;
  mutable std::optional<memory::TextFeatures> features_;
};

class MemoryRows {
 public:
  explicit MemoryRows(sqlite::Database& db);

  // Forgets what has gone since the last time; a number may come again with another memory.
  Result<void> sync();
  // Null: there is none. Good until the next sync.
  Result<const MemoryRow*> find(std::int64_t number);

 private:
  sqlite::Database& db_;
  KeptByNumber<MemoryRow> kept_;
  std::int64_t seen_change_ = 0;
};

}  // namespace parlance::store

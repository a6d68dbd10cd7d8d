// SPDX-License-Identifier: Apache-2.0
// A cache of memories for searches. Blocking; the database's thread, inside a snapshot or a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"
#include "parlance/memory/text/text_features.h"
#include "parlance/store/memory/kept_by_number.h"
#include "parlance/store/memory/memory_source.h"

namespace parlance::store {

struct MemoryRow {
  std::int64_t number = 0;
  memory::Entry entry{};
  std::string padded{};                            // folded, with surrounding blanks, as in the word index
  std::optional<memory::TextFeatures> features{};  // by MemoryRows::features
};

class MemoryRows {
 public:
  // Bytes of cached rows: some 10,000 short rows; one search reads a hundred.
  static constexpr std::size_t most_bytes = 16 << 20;

  explicit MemoryRows(MemorySource& source, std::size_t bytes = most_bytes) : source_(source), kept_(bytes) {}

  // Evicts rows; call between searches.
  void trim() { kept_.trim(); }
  // After a write: drops removed rows, because numbers may be reused.
  Result<void> sync();
  // Prefetches rows: one request for a remote database.
  Result<void> expect(std::span<const std::int64_t> numbers);
  // Null: no such row. Valid until the next trim or sync.
  Result<MemoryRow*> find(std::int64_t number);
  // Computed on first use.
  const memory::TextFeatures& features(MemoryRow& row);

  std::size_t bytes() const { return kept_.bytes(); }

 private:
  MemoryRow* keep(NumberedEntry read);

  MemorySource& source_;
  KeptByNumber<MemoryRow> kept_;
  std::int64_t seen_change_ = 0;
};

}  // namespace parlance::store

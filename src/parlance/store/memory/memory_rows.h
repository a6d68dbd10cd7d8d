// SPDX-License-Identifier: Apache-2.0
// Memories as a search looks at them, each read once and kept for the next search that meets it. Blocking; the database's thread,
// inside a snapshot or a transaction.
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
  std::string padded{};                            // folded, with blanks around: as the index of words sees it
  std::optional<memory::TextFeatures> features{};  // by MemoryRows::features
};

class MemoryRows {
 public:
  // Rows that are kept: some 10,000 short ones, of which one search looks at a hundred.
  static constexpr std::size_t most_bytes = 16 << 20;

  explicit MemoryRows(MemorySource& source, std::size_t bytes = most_bytes) : source_(source), kept_(bytes) {}

  // Between two searches: makes room.
  void trim() { kept_.trim(); }
  // When somebody has written: forgets what has gone since the last time; a number may come again with another memory.
  Result<void> sync();
  // These will be looked for: where that is a way to a server, it is gone once.
  Result<void> expect(std::span<const std::int64_t> numbers);
  // Null: there is none. Good until the next trim or sync.
  Result<MemoryRow*> find(std::int64_t number);
  // Cut when they are first wanted.
  const memory::TextFeatures& features(MemoryRow& row);

  std::size_t bytes() const { return kept_.bytes(); }

 private:
  MemoryRow* keep(NumberedEntry read);

  MemorySource& source_;
  KeptByNumber<MemoryRow> kept_;
  std::int64_t seen_change_ = 0;
};

}  // namespace parlance::store

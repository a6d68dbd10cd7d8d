// SPDX-License-Identifier: Apache-2.0
// The columns of a memory, shared by all readers.
#pragma once

#include "parlance/memory/store.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// For "SELECT " MEMORY_COLUMNS " FROM memories m …".
#define MEMORY_COLUMNS                                                                                                \
  "m.number, m.id, m.text, m.category, m.importance, m.source, m.source_conversation, m.source_event, m.created_at, " \
  "m.updated_at"

inline memory::Entry memory_entry(const sqlite::Query& row) {
  return {.id = std::string(row.text(1)),
          .text = std::string(row.text(2)),
          .category = memory::category_from(row.text(3)).value_or(memory::Category::other),
          .importance = row.number(4),
          .source = {.kind = std::string(row.text(5)),
                     .conversation = std::string(row.text(6)),
                     .event = static_cast<std::uint64_t>(row.integer(7))},
          .created_at = std::string(row.text(8)),
          .updated_at = std::string(row.text(9))};
}

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/open_memory.h"

#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/store/memory_pg/memory_postgres.h"

namespace parlance::app {

std::unique_ptr<store::MemoryOnWorker> open_memory(Loop& loop, const Settings& settings, memory::Embedder& embedder) {
  const std::string& shared = settings.text("store");
  if (shared.empty()) return std::make_unique<store::MemorySqlite>(loop, state_folder(settings), embedder);
  return std::make_unique<store::MemoryPostgres>(loop, store::MemoryPostgresSettings{.address = shared}, embedder);
}

std::string memory_place(const Settings& settings) {
  const std::string& shared = settings.text("store");
  return shared.empty() ? state_folder(settings) + "/memory.db" : shown_value("store", shared);
}

}  // namespace parlance::app

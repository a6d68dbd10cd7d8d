// SPDX-License-Identifier: Apache-2.0
// Memory in one SQLite file, `memory.db` of the state folder: that of the person of this machine, and of nobody else. Loop thread; the
// work is done by a thread of its own, which opens the file when it is first needed. Any number of processes may use the file at once:
// writers wait for each other. What a returned `put` promises about crashes is what HubSqlite says.
#pragma once

#include <string>

#include "parlance/memory/vector/vector_index.h"
#include "parlance/store/memory/memory_on_worker.h"

namespace parlance::store {

class MemorySqlite final : public MemoryOnWorker {
 public:
  // The embedder outlives this.
  MemorySqlite(Loop& loop, std::string state_folder, memory::Embedder& embedder, memory::VectorIndexSettings index = {});
};

}  // namespace parlance::store

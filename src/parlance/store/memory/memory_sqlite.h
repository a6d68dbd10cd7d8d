// SPDX-License-Identifier: Apache-2.0
// Memory in an SQLite file, `memory.db` of the state folder, for the person of this machine only. Loop thread; a worker thread
// does the work and opens the file on first use. Any number of processes may use the file: writers wait for each other. A
// returned `put` has the durability of HubSqlite.
#pragma once

#include <string>

#include "parlance/memory/vector/vector_index.h"
#include "parlance/store/memory/memory_on_worker.h"

namespace parlance::store {

class MemorySqlite final : public MemoryOnWorker {
 public:
  // The embedder must outlive this object.
  MemorySqlite(Loop& loop, std::string state_folder, memory::Embedder& embedder, memory::VectorIndexSettings index = {});
};

}  // namespace parlance::store

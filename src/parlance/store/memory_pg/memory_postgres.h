// SPDX-License-Identifier: Apache-2.0
// Memory in a PostgreSQL that agents' processes share, on as many machines as wanted, each person's by itself
// (docs/decisions/0040-memories-of-a-team.md). Loop thread; the work is done by a thread of its own, which connects when it is first asked.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "parlance/memory/vector/vector_index.h"
#include "parlance/pg/interrupt.h"
#include "parlance/store/memory/memory_on_worker.h"

namespace parlance::store {

struct MemoryPostgresSettings {
  std::string address{};                                       // pg/address.h
  std::chrono::nanoseconds silence = std::chrono::seconds(5);  // of a server that was asked: then the connection is made anew
  memory::VectorIndexSettings index{};
};

class MemoryPostgres final : public MemoryOnWorker {
 public:
  // The embedder outlives this.
  MemoryPostgres(Loop& loop, MemoryPostgresSettings settings, memory::Embedder& embedder);
  ~MemoryPostgres() override;  // Waits for its thread, not for a server.

 private:
  MemoryPostgres(Loop& loop, MemoryPostgresSettings settings, memory::Embedder& embedder,
                 std::shared_ptr<pg::Interrupt> interrupt);

  std::shared_ptr<pg::Interrupt> interrupt_;
};

}  // namespace parlance::store

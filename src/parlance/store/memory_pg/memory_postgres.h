// SPDX-License-Identifier: Apache-2.0
// Memory in a PostgreSQL shared by agents' processes on any number of machines, separate for each person
// (docs/decisions/0040-memories-of-a-team.md). Loop thread; a worker thread does the work and connects on first use.
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
  std::chrono::nanoseconds silence = std::chrono::seconds(5);  // timeout for the server's answer; then the connection is renewed
  memory::VectorIndexSettings index{};
};

class MemoryPostgres final : public MemoryOnWorker {
 public:
  // The embedder must outlive this object.
  MemoryPostgres(Loop& loop, MemoryPostgresSettings settings, memory::Embedder& embedder);
  ~MemoryPostgres() override;  // Waits for its thread, not for a server.

 private:
  MemoryPostgres(Loop& loop, MemoryPostgresSettings settings, memory::Embedder& embedder,
                 std::shared_ptr<pg::Interrupt> interrupt);

  std::shared_ptr<pg::Interrupt> interrupt_;
};

}  // namespace parlance::store

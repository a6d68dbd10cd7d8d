// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/memory_postgres.h"

#include <utility>

#include "parlance/store/memory_pg/shared_memories.h"

namespace parlance::store {
namespace {

pg::ConnectSettings connect_settings(const MemoryPostgresSettings& settings) {
  return {
      .address = settings.address, .name = "parlance memory", .silence = std::chrono::duration_cast<Duration>(settings.silence)};
}

}  // namespace

MemoryPostgres::MemoryPostgres(Loop& loop, MemoryPostgresSettings settings, memory::Embedder& embedder)
    : MemoryPostgres(loop, std::move(settings), embedder, std::make_shared<pg::Interrupt>()) {}

MemoryPostgres::MemoryPostgres(Loop& loop, MemoryPostgresSettings settings, memory::Embedder& embedder,
                               std::shared_ptr<pg::Interrupt> interrupt)
    : MemoryOnWorker(loop, std::make_unique<SharedMemories>(connect_settings(settings), interrupt, settings.index), embedder),
      interrupt_(std::move(interrupt)) {}

MemoryPostgres::~MemoryPostgres() { interrupt_->raise(); }

}  // namespace parlance::store

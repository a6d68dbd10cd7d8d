// SPDX-License-Identifier: Apache-2.0
// A memory in a PostgreSQL of the tests, as a program opens it. Loop thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "parlance/store/memory_pg/memory_postgres.h"

namespace parlance::store::test {

inline std::unique_ptr<MemoryOnWorker> open_at(const std::string& address, Loop& loop, memory::Embedder& embedder) {
  return std::make_unique<MemoryPostgres>(loop, MemoryPostgresSettings{.address = address, .silence = std::chrono::seconds(2)},
                                          embedder);
}

}  // namespace parlance::store::test

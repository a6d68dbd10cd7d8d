// SPDX-License-Identifier: Apache-2.0
// The memory that the settings name: a file of the state folder, or a PostgreSQL that a team shares. Loop thread.
#pragma once

#include <memory>
#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/async/loop.h"
#include "parlance/memory/embedder.h"
#include "parlance/store/memory/memory_on_worker.h"

namespace parlance::app {

// Opens the memory at its first use. The loop and the embedder must outlive the object.
std::unique_ptr<store::MemoryOnWorker> open_memory(Loop& loop, const Settings& settings, memory::Embedder& embedder);

std::string memory_place(const Settings& settings);  // for people; without a password

}  // namespace parlance::app

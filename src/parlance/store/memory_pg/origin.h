// SPDX-License-Identifier: Apache-2.0
// Finds the origin of a memory in a shared store (store/memory/memory_origin.h). Blocking; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/store/memory/memory_origin.h"

namespace parlance::store {

// `address`: pg/address.h. Without a hub's tables the result is empty, without an error.
Result<MemoryOrigin> find_shared_origin(const std::string& address, const memory::Source& source);

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// Where a memory came from, in a store that hubs share (store/memory/memory_origin.h). Blocking; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"
#include "parlance/store/memory/memory_origin.h"

namespace parlance::store {

// `address`: pg/address.h. Where no hub has made its tables yet nothing is found, and that is no error.
Result<MemoryOrigin> find_shared_origin(const std::string& address, const memory::Source& source);

}  // namespace parlance::store

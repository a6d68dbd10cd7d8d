// SPDX-License-Identifier: Apache-2.0
// What the doctor says of a shared store. Main thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::app {

struct StoreFindings {
  std::vector<std::string> gateways{};  // those that live, a sentence each
  std::vector<std::string> warnings{};  // what is not as it should be
};

// An error: it cannot be reached.
Result<StoreFindings> look_at_store(const std::string& address);
// A sentence of the memories in it. An error: they cannot be read.
Result<std::string> look_at_shared_memory(const std::string& address);

}  // namespace parlance::app

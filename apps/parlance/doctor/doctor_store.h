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

}  // namespace parlance::app

// What the doctor says of a shared store. Main thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"

namespace parlance::app {

// Sentences of what is not as it should be; an error: it cannot be reached.
Result<std::vector<std::string>> look_at_store(const std::string& address);

}  // namespace parlance::app

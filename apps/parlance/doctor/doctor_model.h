// SPDX-License-Identifier: Apache-2.0
// Whether the model that the settings name can be reached, and takes the key: what `parlance doctor` asks its server. Loop thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/async/loop.h"

namespace parlance::app {

struct ModelFinding {
  bool good = false;
  std::string detail{};
  std::string cure{};  // where it is not good
};

// For a model that has a server. Asks for its list of models, which costs nothing; waits some seconds at most.
ModelFinding look_at_model(Loop& loop, const Settings& settings);

}  // namespace parlance::app

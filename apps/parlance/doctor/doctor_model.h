// SPDX-License-Identifier: Apache-2.0
// Checks the model of the settings for `parlance doctor`: is its server reachable, and does the server accept the key? Loop thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "apps/parlance/doctor/report.h"
#include "parlance/async/loop.h"

namespace parlance::app {

struct ModelFinding {
  bool good = false;
  std::string detail{};
  std::string cure{};  // Empty if `good`.
};

// For a model with a server. Requests its list of models, which costs nothing, and waits 13 seconds at most. `report` gives the language.
ModelFinding look_at_model(const DoctorReport& report, Loop& loop, const Settings& settings);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The model of parlance's own agent as frontends display it. Reads the stored connections; blocks for one small file. Any thread.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

struct OwnModel {
  std::string name{};     // for /v1/models
  bool scripted = false;  // the rehearsal answers
};

// Whether the agent uses the stored connections: no setting of a person names a model.
bool follows_connections(const Settings& settings);

// The present model. Settings with precedence are fixed; a stored connection may have changed since the start.
OwnModel own_model(const Settings& settings);

}  // namespace parlance::app

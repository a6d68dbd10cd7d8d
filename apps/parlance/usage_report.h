// SPDX-License-Identifier: Apache-2.0
// Use of models and its limits as lines for a person, in a shell and in a chat. Pure; any thread.
#pragma once

#include <map>
#include <string>

#include "parlance/hub/hub.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::app {

using Titles = std::map<std::string, std::string, std::less<>>;  // of existing conversations, by id

std::string usage_text(const hub::SpendingReport& report, const Titles& titles);
std::string limits_text(const hub::SpendingLimits& limits);

}  // namespace parlance::app

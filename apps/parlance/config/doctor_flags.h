// SPDX-License-Identifier: Apache-2.0
// The flags for a `parlance doctor` started by the gateway, so that the check uses the settings of `parlance up`. Main thread,
// before other threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

inline constexpr std::string_view doctor_flags_variable = "PARLANCE_DOCTOR_FLAGS";  // a JSON array, from `up` to its gateway

// All given settings, without secrets (the token, the store's address) and without the services' addresses, which are known
// better after their start.
std::vector<std::string> doctor_flags(const Settings& settings);
std::string doctor_flags_text(const Settings& settings);

// The flags of `up`, removed from the environment of later children; for a gateway started alone, its own.
std::vector<std::string> take_doctor_flags(const Settings& settings);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The flags with which `parlance doctor` looks at what `parlance up` was started with, though it is the gateway that starts it. Main thread,
// before there are others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/config/settings.h"

namespace parlance::app {

inline constexpr std::string_view doctor_flags_variable = "PARLANCE_DOCTOR_FLAGS";  // a JSON array, from `up` to its gateway

// Of all that was said, without what is secret (the token, the store's address) and without where services listen, which is known better
// once they do.
std::vector<std::string> doctor_flags(const Settings& settings);
std::string doctor_flags_text(const Settings& settings);

// What `up` said, which no program that is started from now on gets; of a gateway that was started alone its own.
std::vector<std::string> take_doctor_flags(const Settings& settings);

}  // namespace parlance::app

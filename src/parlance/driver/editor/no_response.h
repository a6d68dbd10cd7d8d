// SPDX-License-Identifier: Apache-2.0
// The message for an editor without a timely answer. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/clock.h"

namespace parlance::driver {

std::string no_response(std::string_view method, Duration after);  // "No response for 'ping' after 0.5s"

}  // namespace parlance::driver

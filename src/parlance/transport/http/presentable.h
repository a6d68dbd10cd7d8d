// SPDX-License-Identifier: Apache-2.0
// An address in the form for errors and logs. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

// Without user, password and query, which may hold keys.
std::string presentable(std::string_view url);

}  // namespace parlance

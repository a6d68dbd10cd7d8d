// SPDX-License-Identifier: Apache-2.0
// What the doctor says, in Simplified Chinese. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::app {

// A sentence as doctor*.cpp writes it, with the names and addresses that stand in it. What is said by others (a server, SQLite, the system)
// stays in their words.
std::string in_chinese(std::string_view sentence);

}  // namespace parlance::app

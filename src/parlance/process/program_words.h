// SPDX-License-Identifier: Apache-2.0
// A program as a person names it in a setting. Any thread (the environment is read).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance {

// The words of a command line as a person writes it into a setting: blanks part them, quotes keep them together.
std::vector<std::string> split_words(std::string_view text);
// The path of the program. Empty: not found, so do not offer the agent.
std::string find_program(const std::string& program);

}  // namespace parlance

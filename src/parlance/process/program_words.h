// SPDX-License-Identifier: Apache-2.0
// A program as a person names it in a setting. Any thread (the environment is read).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance {

// The words of a command line as a person writes it into a setting: blanks part them, quotes keep them together.
std::vector<std::string> split_words(std::string_view text);
// Where that program lies, or empty: whether the agent is worth offering.
std::string find_program(const std::string& program);

}  // namespace parlance

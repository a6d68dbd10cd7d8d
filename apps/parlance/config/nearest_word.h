// SPDX-License-Identifier: Apache-2.0
// Suggestions for unknown words. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance::app {

// The known word with the fewest different characters. Empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// What was meant by a word that is not known. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parlance::app {

// The one that differs in the fewest characters: what was meant by a word that is not known. Empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& words);

}  // namespace parlance::app

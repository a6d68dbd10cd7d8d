// SPDX-License-Identifier: Apache-2.0
// Equality of memories: equal except for case, blanks, sentence punctuation and full-width forms. Pure.
#pragma once

#include <string>
#include <string_view>

namespace parlance::store {

// The text without irrelevant characters. Meaningful signs stay: C++ and C#, -5 and 5, 10:30 and 1030 are different.
std::string normalised_text(std::string_view text);  // valid UTF-8

// Fingerprint of the above.
std::string memory_key(std::string_view text);

}  // namespace parlance::store

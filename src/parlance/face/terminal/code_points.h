// SPDX-License-Identifier: Apache-2.0
// How many columns of a terminal text takes. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace parlance::face {

// Columns: 0 for marks joined to the previous character, 2 for East Asian wide characters and emoji. Controls count as 1.
std::size_t columns(char32_t c);
std::size_t columns(std::string_view text);

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// A table of Markdown in aligned columns. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace parlance::face {

// `rows`: the lines as written, each beginning with '|', without line feeds. `width` in columns: a wider table breaks lines within its
// cells; 0 breaks none. Rows with more cells than others keep them.
std::vector<std::string> table_lines(const std::vector<std::string>& rows, bool colours, std::size_t width = 0);

}  // namespace parlance::face

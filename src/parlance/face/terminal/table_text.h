// SPDX-License-Identifier: Apache-2.0
// A table of Markdown, its columns brought under one another. Pure.
#pragma once

#include <string>
#include <vector>

namespace parlance::face {

// `rows`: the lines as written, each beginning with '|', without line feeds. Every line of the answer ends with one. Rows that are wider
// than others keep their cells.
std::string table_text(const std::vector<std::string>& rows, bool colours);

}  // namespace parlance::face

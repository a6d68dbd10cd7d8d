// SPDX-License-Identifier: Apache-2.0
// How text is marked in a terminal.
#pragma once

#include <string>
#include <string_view>

namespace parlance::face {

enum class Ink { bold, dim, code, added, removed };

// `text` in that ink, or as it stands without colours (NO_COLOR, no terminal). `text` is harmless already.
std::string inked(std::string_view text, Ink ink, bool colours);

}  // namespace parlance::face

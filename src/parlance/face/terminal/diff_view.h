// SPDX-License-Identifier: Apache-2.0
// A file's change as text for a person at a terminal. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::face {

// The removed lines ("- …") and added lines ("+ …"), with up to `around` unchanged lines ("  …") before and after. Without line
// feeds, with pictures for control characters, and colours on request. A note marks a missing final line feed on one side.
std::vector<std::string> diff_lines(std::string_view before, std::string_view after, std::size_t around, bool colours);

}  // namespace parlance::face

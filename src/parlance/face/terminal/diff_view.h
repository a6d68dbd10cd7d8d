// SPDX-License-Identifier: Apache-2.0
// A change of a file as a person reads it in a terminal. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::face {

// The lines that go ("- …") and those that come ("+ …"), with up to `around` lines ("  …") of what stays before and behind. No line feeds
// in them, control characters as pictures, colours where wanted. A file that ends without a line feed where the other has one says so.
std::vector<std::string> diff_lines(std::string_view before, std::string_view after, std::size_t around, bool colours);

}  // namespace parlance::face

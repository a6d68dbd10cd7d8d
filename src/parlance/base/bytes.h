// SPDX-License-Identifier: Apache-2.0
// Bytes are chars: most of what travels is text, and the parsers, system calls and logs below all speak char.
// A view never owns; whoever hands one out says how long it lives.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

using Bytes = std::string;
using BytesView = std::string_view;

std::string to_hex(BytesView bytes);
// Empty when `hex` has an odd length or a character that is no hex digit; white space is skipped.
bool from_hex(std::string_view hex, Bytes& out);

}  // namespace parlance

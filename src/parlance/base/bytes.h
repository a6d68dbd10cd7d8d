// SPDX-License-Identifier: Apache-2.0
// Bytes are chars, because most messages are text, and parsers, system calls and logs use char. A view never owns its bytes; its
// source states their lifetime.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

using Bytes = std::string;
using BytesView = std::string_view;

std::string to_hex(BytesView bytes);
// Empty if `hex` has an odd length or a character other than a hexadecimal digit. White space is skipped.
bool from_hex(std::string_view hex, Bytes& out);

}  // namespace parlance

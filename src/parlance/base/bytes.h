// SPDX-License-Identifier: Apache-2.0
// Bytes are chars, because most messages are text, and parsers, system calls and logs use char. A view never owns its bytes; its
// source states their lifetime. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance {

using Bytes = std::string;
using BytesView = std::string_view;

std::string to_hex(BytesView bytes);
// Appends the decoded bytes to `out` and skips white space. False: an odd number of digits, or a character that is no digit. `out`
// then has the bytes before the fault.
bool from_hex(std::string_view hex, Bytes& out);

}  // namespace parlance

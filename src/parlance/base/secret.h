// SPDX-License-Identifier: Apache-2.0
// Random bytes, tokens and ids, and a comparison of secrets. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"

namespace parlance {

// Random bytes of the kernel. A failure ends the program: a predictable token would be worse.
Bytes random_bytes(std::size_t count);

// 256 bits as 43 URL-safe characters.
std::string make_token();

// An id that sorts by its creation time: `prefix`, 10 characters of milliseconds, and 10 random characters, in Crockford's base 32.
std::string make_id(std::string_view prefix);

// The time depends on the length of `a`, not on the content, so that a peer cannot find a secret by measuring time.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace parlance

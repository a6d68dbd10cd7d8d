// SPDX-License-Identifier: Apache-2.0
// Randomness and secrets. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"

namespace parlance {

// From the kernel; stops the program when there is none, which is better than a token that can be guessed.
Bytes random_bytes(std::size_t count);

// 256 bits as 43 URL-safe characters.
std::string make_token();

// An id that sorts by the time it was made: 10 characters of milliseconds, 10 of randomness, Crockford base 32, after `prefix`.
std::string make_id(std::string_view prefix);

// Takes as long for a match as for any mismatch of the same length.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
// Properties of single values for the validation of schemas. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "parlance/codec/json/value.h"

namespace parlance::schema {

std::uint8_t types_of(const json::Value& value);  // bits of type_bit; a whole number has two

// Without rounding. nullopt: not a number.
std::optional<long double> exact_number(const json::Value& value);

// True: `value` is a multiple of `of`, with a tolerance for decimal fractions such as 0.1.
bool is_multiple(long double value, long double of);

std::uint64_t length_of(std::string_view utf8);  // in characters

// Equal are 5 and 5.0, and objects with the same members in any order.
bool all_differ(const json::Array& array);

}  // namespace parlance::schema

// SPDX-License-Identifier: Apache-2.0
// Limits of codec/gob, each with name, unit and reason. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t gob_message_bytes = 64 << 20;  // A Chat carries its whole history.
inline constexpr int gob_depth = 200;                       // Go crashes at 10^6 nested values; real values nest below 20.
inline constexpr std::size_t gob_types = 1024;              // Type definitions of a stream; our agent needs 14.
inline constexpr std::size_t gob_fields = 1024;             // Fields of a type.
inline constexpr std::size_t gob_name_bytes = 1024;         // Go's own limit for names of concrete types.
// Bytes of all definitions of a stream; our agent needs 600 bytes.
inline constexpr std::size_t gob_definition_bytes = 256 << 10;
inline constexpr std::size_t gob_plan_steps = 16 << 10;  // Remembered fields of all types of a stream; a Chat has 40.
// Memory of a value. A list of empty structs grows a hundredfold from its single byte for each element.
inline constexpr std::size_t gob_value_bytes = 256 << 20;

}  // namespace parlance::limits

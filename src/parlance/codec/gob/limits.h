// SPDX-License-Identifier: Apache-2.0
// The limits of codec/gob: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t gob_message_bytes = 64 << 20;      // A Chat carries its whole history.
inline constexpr int gob_depth = 200;                           // Go dies of 10^6 nested values; real ones nest below 20.
inline constexpr std::size_t gob_types = 1024;                  // Type definitions on one stream; our agent needs 14.
inline constexpr std::size_t gob_fields = 1024;                 // Fields of one type.
inline constexpr std::size_t gob_name_bytes = 1024;             // Go's own limit for names of concrete types.
inline constexpr std::size_t gob_definition_bytes = 256 << 10;  // All definitions of one stream; our agent needs 600 bytes.
inline constexpr std::size_t gob_plan_steps =
    16 << 10;  // Fields that one stream's types may make us remember how to read; a Chat: 40.
// Memory that one value may take. A list of empty structs grows a hundredfold from its one byte an element.
inline constexpr std::size_t gob_value_bytes = 256 << 20;

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// The limits of codec/json: the name, the unit and the reason for the number. Values.
#pragma once

namespace parlance::limits {

// Nesting of JSON documents. Deeper than any schema met so far; shallow enough for a recursive reader.
inline constexpr int json_depth = 512;

}  // namespace parlance::limits

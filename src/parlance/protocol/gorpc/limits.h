// SPDX-License-Identifier: Apache-2.0
// The limits of protocol/gorpc: the name, the unit and the reason for the number. Values.
#pragma once

namespace parlance::limits {

inline constexpr int gob_stray_bodies = 16;  // Values out of step in a row before a stream is given up.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// Limits that several layers share: the name, the unit and the reason for the number. Those of one layer stand in its own limits.h, one with a
// single user beside it. A limit that a person may change is a field of a settings struct whose default is taken from here. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t memory_page_entries = 200;  // Of one page of a listing: a few screens.

}  // namespace parlance::limits

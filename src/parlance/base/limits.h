// SPDX-License-Identifier: Apache-2.0
// Limits that several layers share, each with name, unit and reason. Limits of a single layer are in its own limits.h, limits
// with a single user beside their user. A limit that a person may change is a field of a settings struct with its default from
// here. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t memory_page_entries = 200;  // Entries of one page of a listing: a few screens.

}  // namespace parlance::limits

// SPDX-License-Identifier: Apache-2.0
// Memories as JSON: one object a line in exports and imports, and what scripts read. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"

namespace parlance::store {

// {"id","text","category","importance","source":{"kind","conversation","event"},"created_at","updated_at"}, without a line end.
// With a score where it is a search's: "score", "matched".
std::string memory_line(const memory::Entry& entry, const memory::Hit* hit = nullptr);

// Of all members only "text" must be there. `source` may also be a text: its kind. Errors name the place.
Result<memory::NewEntry> memory_from_line(std::string_view line);

}  // namespace parlance::store

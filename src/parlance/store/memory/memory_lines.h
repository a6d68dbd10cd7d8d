// SPDX-License-Identifier: Apache-2.0
// Memories as JSON: an object per line in exports and imports, and in output for scripts. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"

namespace parlance::store {

// {"id","text","category","importance","source":{"kind","conversation","event"},"created_at","updated_at"}, without a line end.
// A search result also has "score" and "matched".
std::string memory_line(const memory::Entry& entry, const memory::Hit* hit = nullptr);

// Only "text" is required. `source` may be a text: its kind. Errors name the position.
Result<memory::NewEntry> memory_from_line(std::string_view line);

}  // namespace parlance::store

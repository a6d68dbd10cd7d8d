// SPDX-License-Identifier: Apache-2.0
// What is asked of a memory, as it is kept and looked for: trimmed, valid, within the limits. The same for every database. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"

namespace parlance::store {

// The text as it is stored, or why it is not: trimmed, valid UTF-8.
Result<std::string> memory_text(std::string_view text);
Result<std::string> memory_query(std::string_view text);

// An entry that is new, all filled in: its id and times are made here unless it comes with them.
Result<memory::Entry> stored_entry(const memory::NewEntry& entry);

Result<memory::Query> bounded_query(const memory::Query& query);
Result<void> check_forget(const memory::Forget& what);  // something is said

// The number behind which a page begins, if `before` says one: pages end with numbers, not ids. nullopt: it is an entry's id.
std::optional<std::int64_t> page_begin_of(const memory::ListQuery& query);
std::string page_end(std::int64_t number);

// Others that say nearly the same as a text that was just put, as a search; and what to tell of what it found.
Result<memory::Query> similar_query(std::string_view text);
std::vector<std::string> similar_ids(const std::vector<memory::Hit>& hits, const std::string& own);

}  // namespace parlance::store

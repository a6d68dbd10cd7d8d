// SPDX-License-Identifier: Apache-2.0
// Validates requests to a memory for every database: trimmed, valid, within the limits. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"

namespace parlance::store {

// The text for the store (trimmed, valid UTF-8), or an error.
Result<std::string> memory_text(std::string_view text);
Result<std::string> memory_query(std::string_view text);

// A complete new entry: generates missing ids and times.
Result<memory::Entry> stored_entry(const memory::NewEntry& entry);

Result<memory::Query> bounded_query(const memory::Query& query);
Result<void> check_forget(const memory::Forget& what);  // at least one criterion is set

// The number of the page's begin if `before` contains a number: pages end with numbers, not ids. nullopt: an entry's id.
std::optional<std::int64_t> page_begin_of(const memory::ListQuery& query);
std::string page_end(std::int64_t number);

// A search for memories similar to a new text, and the ids of its results.
Result<memory::Query> similar_query(std::string_view text);
std::vector<std::string> similar_ids(const std::vector<memory::Hit>& hits, const std::string& own);

}  // namespace parlance::store

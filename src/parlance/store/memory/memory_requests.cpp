// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_requests.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parlance/base/clock.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/memory/limits.h"
#include "parlance/store/memory/limits.h"

namespace parlance::store {
namespace {

// Similarity above which a person should see both texts ("the port is 5432", "the port is 5433").
constexpr double similar_score = 0.9;

}  // namespace

// PostgreSQL stores no NUL.
static std::string without_nul(std::string_view text) {
  std::string valid = to_valid_utf8(text);
  std::erase(valid, '\0');
  return valid;
}

Result<std::string> memory_text(std::string_view text) {
  std::string valid(trim(without_nul(text)));
  if (valid.empty()) return fail(Errc::invalid_params, "text is required");
  if (valid.size() > limits::memory_text_bytes)
    return fail(Errc::invalid_params,
                "the text has " + std::to_string(valid.size()) + " bytes; at most " + std::to_string(limits::memory_text_bytes));
  return valid;
}

Result<std::string> memory_query(std::string_view text) {
  std::string valid = without_nul(utf8_prefix(trim(text), limits::memory_query_bytes));
  if (valid.empty()) return fail(Errc::invalid_params, "query is required");
  return valid;
}

Result<memory::Entry> stored_entry(const memory::NewEntry& entry) {
  PARLANCE_TRY(text, memory_text(entry.text));
  const std::string created = entry.created_at.empty() ? to_rfc3339(wall_now()) : entry.created_at;
  return memory::Entry{.id = entry.id.empty() ? make_id("mem_") : entry.id,
                       .text = std::move(text),
                       .category = entry.category,
                       .importance = std::isfinite(entry.importance) ? std::clamp(entry.importance, 0.0, 1.0) : 0.7,
                       .source = entry.source,
                       .created_at = created,
                       .updated_at = entry.updated_at.empty() ? created : entry.updated_at};
}

Result<memory::Query> bounded_query(const memory::Query& query) {
  PARLANCE_TRY(text, memory_query(query.text));
  memory::Query wanted = query;
  wanted.text = std::move(text);
  wanted.limit = std::min(query.limit == 0 ? std::size_t{5} : query.limit, limits::memory_hits);
  return wanted;
}

Result<void> check_forget(const memory::Forget& what) {
  if (!what.id.empty() || !what.source_kind.empty() || !what.conversation.empty()) return {};
  return fail(Errc::invalid_params, "no memory selected: give an id, a source or a conversation");
}

std::optional<std::int64_t> page_begin_of(const memory::ListQuery& query) {
  if (query.before.empty()) return query.oldest_first ? 0 : INT64_MAX;
  if (!query.before.starts_with('#')) return std::nullopt;
  return parse_number<std::int64_t>(std::string_view(query.before).substr(1));
}

std::string page_end(std::int64_t number) { return "#" + std::to_string(number); }

Result<memory::Query> similar_query(std::string_view text) {
  PARLANCE_TRY(wanted, memory_query(text));
  return memory::Query{.text = std::move(wanted), .limit = limits::memory_similar_returned + 1, .min_score = similar_score};
}

std::vector<std::string> similar_ids(const std::vector<memory::Hit>& hits, const std::string& own) {
  std::vector<std::string> ids;
  for (const memory::Hit& hit : hits)
    if (hit.entry.id != own && ids.size() < limits::memory_similar_returned) ids.push_back(hit.entry.id);
  return ids;
}

}  // namespace parlance::store

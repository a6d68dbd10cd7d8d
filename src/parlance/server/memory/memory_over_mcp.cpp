// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/memory/memory_over_mcp.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/memory/limits.h"

namespace parlance::server {
namespace {

using wire::field;
using wire::fields;

struct Search {
  std::string query{};
  std::optional<std::string> category{};
  std::optional<std::int64_t> limit{};
  std::optional<double> min_score{};
  static constexpr auto wire = fields(
      field<&Search::query>("query", "The topic to find, in words of any language."),
      field<&Search::category>(
          "category", "Search only this category: preference, decision, fact, entity or other. Default: all categories."),
      field<&Search::limit>("limit", "Highest number of results, from 1 to 100. Default: 5."),
      field<&Search::min_score>("minScore", "Lowest score of a result, from 0 to 1. Default: 0.7, the score of a good match."));
};
struct Remembered {
  std::string id{};
  std::string text{};
  std::string category{};
  double importance = 0;
  double score = 0;
  std::string created{};
  static constexpr auto wire =
      fields(field<&Remembered::id>("id", "Id of the memory, for memory_forget."),
             field<&Remembered::text>("text", "The remembered text."),
             field<&Remembered::category>("category", "Category of the memory: preference, decision, fact, entity or other."),
             field<&Remembered::importance>("importance", "Importance from 0 to 1."),
             field<&Remembered::score>("score", "Similarity to the query, from 0 to 1. Higher is better."),
             field<&Remembered::created>("createdAt", "Time of creation, RFC 3339 in UTC."));
};
struct Found {
  std::vector<Remembered> memories{};
  static constexpr auto wire =
      fields(field<&Found::memories>("memories", "The memories found, best match first. A memory may be outdated."));
};
struct Store {
  std::string text{};
  std::optional<std::string> category{};
  std::optional<double> importance{};
  static constexpr auto wire = fields(
      field<&Store::text>("text", "The text to remember: one sentence that is clear without other context."),
      field<&Store::category>("category", "Category of the memory: preference, decision, fact, entity or other. Default: other."),
      field<&Store::importance>("importance", "Importance from 0 to 1. Default: 0.7."));
};
struct Stored {
  std::string id{};
  bool duplicate = false;
  std::vector<std::string> similar{};
  static constexpr auto wire =
      fields(field<&Stored::id>("id", "Id of the stored memory."),
             field<&Stored::duplicate>("duplicate", "True: an equal memory already existed, and no new memory was stored."),
             field<&Stored::similar>("similar", "Other memories with almost the same meaning. The server merges no memories."));
};
struct Forget {
  std::string id{};
  static constexpr auto wire = fields(field<&Forget::id>("id", "Id of the memory, as returned by memory_search."));
};
struct Forgotten {
  std::uint64_t forgotten = 0;
  static constexpr auto wire = fields(field<&Forgotten::forgotten>("forgotten", "Number of deleted memories: 1."));
};

Result<std::optional<memory::Category>> category_of(const std::optional<std::string>& name) {
  if (!name || name->empty()) return std::optional<memory::Category>();
  const auto category = memory::category_from(*name);
  if (!category)
    return fail(Errc::invalid_params, "$.category: \"" + *name + "\" is none of preference, decision, fact, entity, other");
  return category;
}

Result<double> share_of(std::optional<double> given, double fallback, std::string_view name) {
  const double value = given.value_or(fallback);
  if (!(value >= 0 && value <= 1)) return fail(Errc::invalid_params, "$." + std::string(name) + ": expected 0 to 1");
  return value;
}

Task<Result<Found>> search(std::shared_ptr<MemoryOfOne> memory, Search wanted) {
  memory::Query query{.text = std::move(wanted.query)};
  PARLANCE_CO_TRY(category, category_of(wanted.category));
  PARLANCE_CO_TRY(min_score, share_of(wanted.min_score, query.min_score, "minScore"));
  if (wanted.limit && (*wanted.limit < 1 || *wanted.limit > static_cast<std::int64_t>(limits::memory_hits)))
    co_return fail(Errc::invalid_params, "$.limit: expected 1 to " + std::to_string(limits::memory_hits));
  query.category = category;
  query.min_score = min_score;
  if (wanted.limit) query.limit = static_cast<std::size_t>(*wanted.limit);
  PARLANCE_CO_TRY(hits, co_await memory->search(std::move(query)));
  Found found;
  for (memory::Hit& hit : hits)
    found.memories.push_back({.id = std::move(hit.entry.id),
                              .text = std::move(hit.entry.text),
                              .category = std::string(to_string(hit.entry.category)),
                              .importance = hit.entry.importance,
                              .score = hit.score,
                              .created = std::move(hit.entry.created_at)});
  co_return found;
}

Task<Result<Stored>> store(std::shared_ptr<MemoryOfOne> memory, Store wanted) {
  memory::NewEntry entry{.text = std::move(wanted.text), .source = {.kind = "mcp"}};
  PARLANCE_CO_TRY(category, category_of(wanted.category));
  PARLANCE_CO_TRY(importance, share_of(wanted.importance, entry.importance, "importance"));
  entry.category = category.value_or(memory::Category::other);
  entry.importance = importance;
  PARLANCE_CO_TRY(put, co_await memory->put(std::move(entry)));
  co_return Stored{.id = std::move(put.id), .duplicate = put.duplicate, .similar = std::move(put.similar)};
}

Task<Result<Forgotten>> forget(std::shared_ptr<MemoryOfOne> memory, Forget wanted) {
  if (trim(wanted.id).empty()) co_return fail(Errc::invalid_params, "$.id: it is empty");
  PARLANCE_CO_TRY_DO(co_await memory->forget(std::move(wanted.id)));
  co_return Forgotten{.forgotten = 1};
}

}  // namespace

void serve_memory(mcp::Server& server, std::shared_ptr<MemoryOfOne> memory) {
  server.tool<Search, Found>(
      {.name = "memory_search",
       .title = "Search memory",
       .description = "Finds memories of earlier conversations, by meaning and by words. A memory may be outdated.",
       .annotations = mcp::ToolAnnotations{.read_only = true, .open_world = false}},
      [memory](Search& wanted, mcp::Request&) { return search(memory, std::move(wanted)); });
  server.tool<Store, Stored>(
      {.name = "memory_store",
       .title = "Remember",
       .description =
           "Stores a memory for later conversations: a preference, a decision or a lasting fact. Store only texts that the "
           "person requested or approved. Never store secrets.",
       .annotations = mcp::ToolAnnotations{.read_only = false, .destructive = false, .idempotent = true, .open_world = false}},
      [memory](Store& wanted, mcp::Request&) { return store(memory, std::move(wanted)); });
  server.tool<Forget, Forgotten>(
      {.name = "memory_forget",
       .title = "Forget",
       .description = "Deletes a memory permanently, after a wish of the person or if the memory is wrong.",
       .annotations = mcp::ToolAnnotations{.read_only = false, .destructive = true, .idempotent = true, .open_world = false}},
      [memory](Forget& wanted, mcp::Request&) { return forget(memory, std::move(wanted)); });
}

}  // namespace parlance::server

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
  static constexpr auto wire =
      fields(field<&Search::query>("query", "What to look for."),
             field<&Search::category>("category", "Only preference, decision, fact, entity or other."),
             field<&Search::limit>("limit", "At most so many; 5 unless given."),
             field<&Search::min_score>("minScore", "From 0 to 1; 0.7 unless given, which is what a person calls a match."));
};
struct Remembered {
  std::string id{};
  std::string text{};
  std::string category{};
  double importance = 0;
  double score = 0;
  std::string created{};
  static constexpr auto wire = fields(
      field<&Remembered::id>("id", "What memory_forget takes."), field<&Remembered::text>("text", "What was remembered."),
      field<&Remembered::category>("category", "preference, decision, fact, entity or other."),
      field<&Remembered::importance>("importance", "From 0 to 1."), field<&Remembered::score>("score", "How well it fits, to 1."),
      field<&Remembered::created>("createdAt", "When, RFC 3339."));
};
struct Found {
  std::vector<Remembered> memories{};
  static constexpr auto wire = fields(field<&Found::memories>("memories", "Best first. They may be out of date."));
};
struct Store {
  std::string text{};
  std::optional<std::string> category{};
  std::optional<double> importance{};
  static constexpr auto wire =
      fields(field<&Store::text>("text", "What to remember, as one sentence that stands alone."),
             field<&Store::category>("category", "preference, decision, fact, entity or other; other unless given."),
             field<&Store::importance>("importance", "From 0 to 1; 0.7 unless given."));
};
struct Stored {
  std::string id{};
  bool duplicate = false;
  std::vector<std::string> similar{};
  static constexpr auto wire =
      fields(field<&Stored::id>("id", "Of the memory."), field<&Stored::duplicate>("duplicate", "It was there already."),
             field<&Stored::similar>("similar", "Others that say nearly the same; nothing was merged."));
};
struct Forget {
  std::string id{};
  static constexpr auto wire = fields(field<&Forget::id>("id", "As memory_search tells it."));
};
struct Forgotten {
  std::uint64_t forgotten = 0;
  static constexpr auto wire = fields(field<&Forgotten::forgotten>("forgotten", "How many: 1."));
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
       .description = "Finds what was remembered earlier, by meaning and by words. What it finds may be out of date.",
       .annotations = mcp::ToolAnnotations{.read_only = true, .open_world = false}},
      [memory](Search& wanted, mcp::Request&) { return search(memory, std::move(wanted)); });
  server.tool<Store, Stored>(
      {.name = "memory_store",
       .title = "Remember",
       .description =
           "Remembers something for later conversations: a preference, a decision, a fact that will matter again. Only "
           "what the person asked for or agreed to; never secrets.",
       .annotations = mcp::ToolAnnotations{.read_only = false, .destructive = false, .idempotent = true, .open_world = false}},
      [memory](Store& wanted, mcp::Request&) { return store(memory, std::move(wanted)); });
  server.tool<Forget, Forgotten>(
      {.name = "memory_forget",
       .title = "Forget",
       .description = "Forgets one memory for good, when the person wants that or it turned out to be wrong.",
       .annotations = mcp::ToolAnnotations{.read_only = false, .destructive = true, .idempotent = true, .open_world = false}},
      [memory](Forget& wanted, mcp::Request&) { return forget(memory, std::move(wanted)); });
}

}  // namespace parlance::server

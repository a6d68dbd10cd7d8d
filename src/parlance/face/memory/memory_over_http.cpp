// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/memory/memory_over_http.h"

#include "parlance/base/limits.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/memory/limits.h"
#include "parlance/memory/store.h"

namespace parlance::face {
namespace {

struct StoreBody {
  std::string text{};
  std::optional<std::string> category{};
  std::optional<double> importance{};
  static constexpr auto wire =
      wire::fields(wire::field<&StoreBody::text>("text", "The text to remember."),
                   wire::field<&StoreBody::category>(
                       "category", "Category of the memory: preference, decision, fact, entity or other. Default: other."),
                   wire::field<&StoreBody::importance>("importance", "Importance from 0 to 1. Default: 0.7."));
};
struct StatsBody {
  std::string status = "ok";
  std::map<std::string, std::int64_t> stats{};
  static constexpr auto wire = wire::fields(wire::field<&StatsBody::status>("status", "Always the value \"ok\"."),
                                            wire::field<&StatsBody::stats>("stats", "Counts by name."));
};

std::string text_of(const ServerRequest& request, std::string_view name) {
  const std::string* value = request.query.find(name);
  return value != nullptr ? *value : "";
}

// An empty parameter counts as absent, because forms send empty parameters.
template <class Number>
Result<std::optional<Number>> number_of(const ServerRequest& request, std::string_view name, Number least, Number most) {
  const std::string text = text_of(request, name);
  if (text.empty()) return std::optional<Number>();
  const auto number = parse_number<Number>(text);
  if (!number || !(*number >= least && *number <= most))
    return fail(Errc::invalid_params,
                "$." + std::string(name) + ": expected a number from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

// Accepts every known category; an empty text means all categories, or the default.
Result<void> check_category(const std::string& name) {
  if (name.empty() || memory::category_from(name)) return {};
  return fail(Errc::invalid_params, "$.category: expected preference, decision, fact, entity or other");
}

Result<agent::MemorySearch> read_search(const ServerRequest& request) {
  agent::MemorySearch search{.query = text_of(request, "query"), .category = text_of(request, "category")};
  if (trim(search.query).empty()) return fail(Errc::invalid_params, "$.query: missing");
  PARLANCE_TRY_DO(check_category(search.category));
  PARLANCE_TRY(limit, number_of<std::int64_t>(request, "limit", 1, limits::memory_hits));
  PARLANCE_TRY(min_score, number_of<double>(request, "minScore", 0, 1));
  search.limit = limit;
  search.min_score = min_score;
  return search;
}

Result<agent::MemoryListing> read_listing(const ServerRequest& request) {
  PARLANCE_TRY(limit, number_of<std::int64_t>(request, "limit", 1, limits::memory_page_entries));
  PARLANCE_TRY_DO(check_category(text_of(request, "category")));
  return agent::MemoryListing{.category = text_of(request, "category"),
                              .conversation = text_of(request, "conversation"),
                              .before = text_of(request, "before"),
                              .limit = limit};
}

Result<agent::MemoryItem> read_item(const ServerRequest& request) {
  PARLANCE_TRY(body, gateway::read_body<StoreBody>(request.body));
  if (trim(body.text).empty()) return fail(Errc::invalid_params, "$.text: it is empty");
  if (body.importance && !(*body.importance >= 0 && *body.importance <= 1))
    return fail(Errc::invalid_params, "$.importance: expected 0 to 1");
  if (body.text.size() > limits::memory_text_bytes)
    return fail(Errc::invalid_params, "$.text: " + std::to_string(body.text.size()) + " bytes; " +
                                          std::to_string(limits::memory_text_bytes) + " are the most for one memory");
  PARLANCE_TRY_DO(check_category(body.category.value_or("")));
  return agent::MemoryItem{
      .text = std::move(body.text), .category = std::move(body.category).value_or(""), .importance = body.importance};
}

// The agent's document unchanged. Text other than JSON (from other agents) becomes a JSON string.
HttpReply document_reply(const Result<std::string>& document) {
  if (!document) return gateway::error_reply(document.error());
  return gateway::json_reply(json::is_valid(*document) ? *document : json::to_text(json::Value(*document)));
}

}  // namespace

Task<void> MemoryOverHttp::search(HttpExchange& exchange, std::string user) {
  auto search = read_search(exchange.request());
  if (!search) {
    co_await exchange.respond(gateway::error_reply(search.error()));
    co_return;
  }
  search->user = std::move(user);
  const auto found = co_await backend_.memory_search(*std::move(search));
  co_await exchange.respond(document_reply(found));
}

Task<void> MemoryOverHttp::get(HttpExchange& exchange, std::string user) {
  std::string path = text_of(exchange.request(), "path");
  if (path.empty()) {
    co_await exchange.respond(gateway::error_reply({.code = Errc::invalid_params, .message = "$.path: missing"}));
    co_return;
  }
  const auto found = co_await backend_.memory_get({.user = std::move(user), .path = std::move(path)});
  co_await exchange.respond(document_reply(found));
}

Task<void> MemoryOverHttp::store(HttpExchange& exchange, std::string user) {
  auto item = read_item(exchange.request());
  if (!item) {
    co_await exchange.respond(gateway::error_reply(item.error()));
    co_return;
  }
  item->user = std::move(user);
  const auto stored = co_await backend_.memory_store(*std::move(item));
  co_await exchange.respond(document_reply(stored));
}

Task<void> MemoryOverHttp::list(HttpExchange& exchange, std::string user) {
  auto listing = read_listing(exchange.request());
  if (!listing) {
    co_await exchange.respond(gateway::error_reply(listing.error()));
    co_return;
  }
  listing->user = std::move(user);
  const auto page = co_await backend_.memory_list(*std::move(listing));
  co_await exchange.respond(document_reply(page));
}

Task<void> MemoryOverHttp::forget(HttpExchange& exchange, std::string user) {
  std::string path = text_of(exchange.request(), "path");
  if (path.empty()) {
    co_await exchange.respond(gateway::error_reply({.code = Errc::invalid_params, .message = "$.path: missing"}));
    co_return;
  }
  const auto gone = co_await backend_.memory_forget({.user = std::move(user), .path = std::move(path)});
  co_await exchange.respond(document_reply(gone));
}

Task<void> MemoryOverHttp::stats(HttpExchange& exchange, std::string user) {
  auto counts = co_await backend_.stats(std::move(user));
  if (!counts) {
    co_await exchange.respond(gateway::error_reply(counts.error()));
    co_return;
  }
  co_await exchange.respond(gateway::json_reply(json::to_text(StatsBody{.stats = *std::move(counts)})));
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/memories.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "parlance/base/limits.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {
namespace {

constexpr std::string_view no_memory = "this host has no memory";
constexpr std::int64_t page_search_hits = 50;  // a page of results; more need a better query

// Scores travel as text with four places, as deployed programs write them; numbers are taken, too.
std::optional<double> number_in(const json::Value& item, std::string_view name) {
  const json::Value* value = item.find(name);
  if (value == nullptr) return std::nullopt;
  if (const std::string* text = value->text()) return parse_number<double>(*text);
  double number = 0;
  return value->number(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::string> text_in(const json::Value& item, std::string_view name) {
  std::string text(item.text_or(name, ""));
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

page::Memory memory_in(const json::Value& item) {
  page::Memory memory{.id = std::string(item.text_or("id", "")),
                      .text = std::string(item.text_or("text", "")),
                      .category = wire::enum_from<page::Category>(item.text_or("category", "")).value_or(page::Category::other),
                      .importance = number_in(item, "importance").value_or(0),
                      .source = std::string(item.text_or("source", "manual")),
                      .conversation = text_in(item, "conversation"),
                      .created_at = std::string(item.text_or("created_at", "")),
                      .score = number_in(item, "score"),
                      .matched = text_in(item, "matched")};
  if (const std::int64_t event = item.integer_or("event", 0); event > 0) memory.event = static_cast<std::uint64_t>(event);
  return memory;
}

page::MemoriesValue memories_in(const std::string& document) {
  page::MemoriesValue value;
  const auto read = json::parse(document);
  const json::Value* items = read ? read->find("items") : nullptr;
  if (items == nullptr || items->array() == nullptr) return value;
  for (const json::Value& item : *items->array()) value.memories.push_back(memory_in(item));
  value.next = text_in(*read, "next");
  return value;
}

std::string name_of(std::optional<page::Category> category) {
  return category ? std::string(wire::name_of(*category)) : std::string();
}

}  // namespace

auto PageMemories::perform(page::SearchMemories& m, hub::UserHub& hub) -> Answered<page::SearchMemories> {
  if (memory_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_memory));
  if (trim(m.query).empty()) co_return fail(Errc::invalid_params, "$.query: it is empty");
  PARLANCE_CO_TRY(
      document,
      co_await memory_->memory_search(
          {.user = hub.caller()->user, .query = std::move(m.query), .category = name_of(m.category), .limit = page_search_hits}));
  co_return memories_in(document);
}

auto PageMemories::perform(page::ListMemories& m, hub::UserHub& hub) -> Answered<page::ListMemories> {
  if (memory_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_memory));
  agent::MemoryListing listing{.user = hub.caller()->user,
                               .category = name_of(m.category),
                               .conversation = std::move(m.conversation).value_or(""),
                               .before = std::move(m.before).value_or("")};
  if (m.limit) listing.limit = static_cast<std::int64_t>(std::clamp<std::uint64_t>(*m.limit, 1, limits::memory_page_entries));
  PARLANCE_CO_TRY(document, co_await memory_->memory_list(std::move(listing)));
  co_return memories_in(document);
}

auto PageMemories::perform(page::ForgetMemory& m, hub::UserHub& hub) -> Answered<page::ForgetMemory> {
  if (memory_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_memory));
  PARLANCE_CO_TRY_DO(co_await memory_->memory_forget({.user = hub.caller()->user, .path = std::move(m.id)}));
  co_return wire::Nothing{};
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/memory_documents.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"

namespace parlance::face {
namespace {

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

}  // namespace

page::MemoriesValue memories_in(const std::string& document) {
  page::MemoriesValue value;
  const auto read = json::parse(document);
  const json::Value* items = read ? read->find("items") : nullptr;
  if (items == nullptr || items->array() == nullptr) return value;
  for (const json::Value& item : *items->array()) value.memories.push_back(memory_in(item));
  value.next = text_in(*read, "next");
  return value;
}

}  // namespace parlance::face

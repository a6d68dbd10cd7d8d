// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_lines.h"

#include <utility>

#include "parlance/base/clock.h"
#include "parlance/codec/json/value.h"

namespace parlance::store {
namespace {

Result<std::string> text_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  if (value == nullptr || value->is_null()) return std::string{};
  if (value->text() == nullptr) return fail(Errc::invalid_params, "$." + std::string(name) + ": expected a text");
  return *value->text();
}

Result<std::string> time_member(const json::Value& object, std::string_view name) {
  PARLANCE_TRY(text, text_member(object, name));
  if (text.empty()) return text;
  const auto time = from_rfc3339(text);
  if (!time) return fail(Errc::invalid_params, "$." + std::string(name) + ": expected a time like 2026-03-01T09:30:00Z");
  return to_rfc3339(*time);
}

Result<memory::Source> source_member(const json::Value& object) {
  const json::Value* value = object.find("source");
  if (value == nullptr || value->is_null()) return memory::Source{.kind = "import"};
  if (value->text() != nullptr) return memory::Source{.kind = *value->text()};
  if (value->object() == nullptr) return fail(Errc::invalid_params, "$.source: expected an object or a text");
  PARLANCE_TRY(kind, text_member(*value, "kind"));
  PARLANCE_TRY(conversation, text_member(*value, "conversation"));
  const std::int64_t event = value->integer_or("event", 0);
  if (event < 0) return fail(Errc::invalid_params, "$.source.event: expected 0 or more");
  return memory::Source{.kind = kind.empty() ? "import" : std::move(kind),
                        .conversation = std::move(conversation),
                        .event = static_cast<std::uint64_t>(event)};
}

}  // namespace

std::string memory_line(const memory::Entry& entry, const memory::Hit* hit) {
  json::Object source;
  source.set("kind", entry.source.kind);
  if (!entry.source.conversation.empty()) source.set("conversation", entry.source.conversation);
  if (entry.source.event != 0) source.set("event", entry.source.event);
  json::Object object;
  object.set("id", entry.id);
  object.set("text", entry.text);
  object.set("category", std::string(to_string(entry.category)));
  object.set("importance", entry.importance);
  object.set("source", std::move(source));
  object.set("created_at", entry.created_at);
  object.set("updated_at", entry.updated_at);
  if (hit != nullptr) {
    object.set("score", hit->score);
    object.set("matched", hit->matched);
  }
  return json::to_text(json::Value(std::move(object)));
}

Result<memory::NewEntry> memory_from_line(std::string_view line) {
  PARLANCE_TRY(value, json::parse(line));
  if (value.object() == nullptr) return fail(Errc::invalid_params, "expected an object");
  memory::NewEntry entry;
  PARLANCE_TRY(text, text_member(value, "text"));
  if (text.empty()) return fail(Errc::invalid_params, "$.text: is required");
  entry.text = std::move(text);
  PARLANCE_TRY(category, text_member(value, "category"));
  if (!category.empty()) {
    const auto known = memory::category_from(category);
    if (!known)
      return fail(Errc::invalid_params, "$.category: \"" + category + "\" is none of preference, decision, fact, entity, other");
    entry.category = *known;
  }
  if (const json::Value* importance = value.find("importance"); importance != nullptr && !importance->is_null()) {
    if (!importance->number(entry.importance) || !(entry.importance >= 0 && entry.importance <= 1))
      return fail(Errc::invalid_params, "$.importance: expected a number from 0 to 1");
  }
  PARLANCE_TRY(source, source_member(value));
  entry.source = std::move(source);
  PARLANCE_TRY(id, text_member(value, "id"));
  entry.id = std::move(id);
  PARLANCE_TRY(created, time_member(value, "created_at"));
  entry.created_at = std::move(created);
  PARLANCE_TRY(updated, time_member(value, "updated_at"));
  entry.updated_at = std::move(updated);
  return entry;
}

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/memory_tools.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/memory/remember_request.h"
#include "parlance/toolbox/typed_tool.h"

namespace parlance::toolbox {
namespace {

using hub::MemoryUse;
using hub::ToolKind;
using wire::field;
using wire::fields;

constexpr std::string_view memory_search = "memory_search";
constexpr std::string_view memory_store = "memory_store";
constexpr std::string_view memory_forget = "memory_forget";

struct SearchMemory {
  std::string query{};
  std::string category{};
  std::optional<std::int64_t> limit{};
  static constexpr auto wire =
      fields(field<&SearchMemory::query>("query", "The topic to find, in words of any language."),
             field<&SearchMemory::category>(
                 "category", "Search only this category: preference, decision, fact, entity or other. Default: all categories.")
                 .or_default(),
             field<&SearchMemory::limit>("limit", "Highest number of results. Default: 5."));
};
struct StoreMemory {
  std::string text{};
  std::string category{};
  std::optional<double> importance{};
  static constexpr auto wire =
      fields(field<&StoreMemory::text>("text", "The text to remember: one sentence that is clear without other context."),
             field<&StoreMemory::category>("category",
                                           "Category of the memory: preference, decision, fact, entity or other. Default: other.")
                 .or_default(),
             field<&StoreMemory::importance>("importance", "Importance from 0 to 1. Default: 0.7."));
};
struct ForgetMemory {
  std::string id{};
  static constexpr auto wire = fields(field<&ForgetMemory::id>("id", "Id of the memory, as returned by memory_search."));
};

std::string title_of(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// The text of our document; an answer in another form (other programs serve the same calls) stays unchanged.
std::string result_in(const std::string& document) {
  const auto value = json::parse(document);
  return value ? std::string(value->text_or("result", document)) : document;
}

// The hits with their ids, which memory_forget needs.
std::string hits_in(const std::string& document) {
  const auto value = json::parse(document);
  const json::Value* items = value ? value->find("items") : nullptr;
  if (items == nullptr || items->array() == nullptr || items->array()->empty()) return result_in(document);
  const std::size_t count = items->array()->size();
  std::string text = "Found " + std::to_string(count) + (count == 1 ? " memory:" : " memories:");
  for (const json::Value& item : *items->array()) {
    text += "\n- [" + std::string(item.text_or("category", "other")) + "] " + std::string(item.text_or("text", "")) + " (id " +
            std::string(item.text_or("id", "")) + ", score " + std::string(item.text_or("score", "")) + ")";
  }
  return text;
}

Task<Result<hub::ToolOutcome>> refused(Error why) { co_return std::unexpected(std::move(why)); }

}  // namespace

std::vector<hub::ToolSpec> MemoryTools::specs() {
  return {tool_spec<SearchMemory>(
              memory_search, ToolKind::memory,
              "Finds memories of this and other conversations, by meaning and by words. A memory may be outdated."),
          tool_spec<StoreMemory>(
              memory_store, ToolKind::memory,
              "Stores a memory for later conversations: a preference, a decision or a lasting fact. Without a request by the "
              "person, the person is asked first. Never store secrets."),
          tool_spec<ForgetMemory>(
              memory_forget, ToolKind::memory,
              "Deletes a memory permanently, after a wish of the person or if the memory is wrong. The person is asked first.")};
}

bool MemoryTools::has(std::string_view tool) { return tool == memory_search || tool == memory_store || tool == memory_forget; }

hub::MemoryUse MemoryTools::use_of(std::string_view tool) {
  if (tool == memory_search) return hub::MemoryUse::look;
  return tool == memory_store ? hub::MemoryUse::keep : hub::MemoryUse::forget;
}

static Result<void> check_guest(const hub::ToolCall& call) {
  if (!call.occasion.of_guest) return {};
  return fail(Errc::denied,
              call.tool +
                  ": the memory belongs to the conversation's user, and another person wrote the message: the memory "
                  "is neither read nor changed. Answer without memory.");
}

Task<Result<hub::ToolIntent>> MemoryTools::intent(hub::ToolCall call) {
  PARLANCE_CO_TRY_DO(check_guest(call));
  hub::ToolIntent intent{.kind = ToolKind::memory};
  if (call.tool == memory_search) {
    PARLANCE_CO_TRY(search, arguments<SearchMemory>(call));
    intent.title = title_of(search.query);
    co_return intent;
  }
  if (call.tool == memory_store) {
    PARLANCE_CO_TRY(store, arguments<StoreMemory>(call));
    if (trim(store.text).empty()) co_return fail(Errc::invalid_params, "memory_store: $.text: it is empty");
    intent.title = title_of(store.text);
    intent.detail = store.category.empty() ? store.text : store.text + "\n(" + store.category + ")";
    intent.memory = MemoryUse::keep;
    intent.asked_for = memory::asks_to_remember(call.occasion.said);
    co_return intent;
  }
  PARLANCE_CO_TRY(forget, arguments<ForgetMemory>(call));
  if (forget.id.empty()) co_return fail(Errc::invalid_params, "memory_forget: $.id: it is empty");
  intent.memory = MemoryUse::forget;
  PARLANCE_CO_TRY(document, co_await memory_.memory_get({.user = call.occasion.user, .path = forget.id}));
  const auto entry = json::parse(document);
  const std::string text = entry ? std::string(entry->text_or("text", document)) : document;
  intent.title = title_of(text);
  intent.detail = text + "\n(" + forget.id + ")";
  co_return intent;
}

Task<Result<hub::ToolOutcome>> MemoryTools::call(std::string conversation, hub::ToolCall call) {
  if (Result<void> may = check_guest(call); !may) return refused(may.error());
  if (call.tool == memory_search) return search(std::move(call));
  if (call.tool == memory_store) return store(std::move(conversation), std::move(call));
  return forget(std::move(call));
}

Task<Result<hub::ToolOutcome>> MemoryTools::search(hub::ToolCall call) {
  PARLANCE_CO_TRY(search, arguments<SearchMemory>(call));
  PARLANCE_CO_TRY(document, co_await memory_.memory_search({.user = std::move(call.occasion.user),
                                                            .query = std::move(search.query),
                                                            .category = std::move(search.category),
                                                            .limit = search.limit}));
  co_return hub::ToolOutcome{.text = hits_in(document)};
}

Task<Result<hub::ToolOutcome>> MemoryTools::store(std::string conversation, hub::ToolCall call) {
  PARLANCE_CO_TRY(store, arguments<StoreMemory>(call));
  PARLANCE_CO_TRY(document, co_await memory_.memory_store({.user = std::move(call.occasion.user),
                                                           .text = std::move(store.text),
                                                           .category = std::move(store.category),
                                                           .importance = store.importance,
                                                           .source = "agent",
                                                           .conversation = std::move(conversation),
                                                           .event = call.occasion.event}));
  co_return hub::ToolOutcome{.text = result_in(document)};
}

Task<Result<hub::ToolOutcome>> MemoryTools::forget(hub::ToolCall call) {
  PARLANCE_CO_TRY(forget, arguments<ForgetMemory>(call));
  PARLANCE_CO_TRY(document,
                  co_await memory_.memory_forget({.user = std::move(call.occasion.user), .path = std::move(forget.id)}));
  co_return hub::ToolOutcome{.text = result_in(document)};
}

}  // namespace parlance::toolbox

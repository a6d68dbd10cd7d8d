// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/memory/memory_of_one.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"

namespace parlance::server {
namespace {

class InStore final : public MemoryOfOne {
 public:
  InStore(memory::Store& store, std::string user) : store_(store), user_(std::move(user)) {}
  Task<Result<std::vector<memory::Hit>>> search(memory::Query query) override { return store_.search(user_, std::move(query)); }
  Task<Result<memory::Put>> put(memory::NewEntry entry) override {
    std::vector<memory::NewEntry> entries;
    entries.push_back(std::move(entry));
    PARLANCE_CO_TRY(puts, co_await store_.put(user_, std::move(entries)));
    co_return std::move(puts.front());
  }
  Task<Result<void>> forget(std::string id) override {
    PARLANCE_CO_TRY(gone, co_await store_.forget(user_, {.id = id}));
    if (gone == 0) co_return fail(Errc::not_found, "memory not found: " + id);
    co_return Result<void>{};
  }

 private:
  memory::Store& store_;
  std::string user_;
};

// Scores are written as text with four places, as deployed programs write them; numbers are taken, too.
double number_in(const json::Value& item, std::string_view name) {
  const json::Value* value = item.find(name);
  double number = 0;
  if (value == nullptr) return number;
  if (const std::string* text = value->text()) return parse_number<double>(*text).value_or(0);
  return value->number(number) ? number : 0;
}

memory::Hit hit_in(const json::Value& item) {
  memory::Hit hit{.score = number_in(item, "score"), .matched = std::string(item.text_or("matched", ""))};
  hit.entry.id = item.text_or("id", "");
  hit.entry.text = item.text_or("text", "");
  hit.entry.category = memory::category_from(item.text_or("category", "")).value_or(memory::Category::other);
  hit.entry.importance = number_in(item, "importance");
  hit.entry.created_at = item.text_or("created_at", "");
  return hit;
}

class OfAgent final : public MemoryOfOne {
 public:
  OfAgent(agent::AgentBackend& agent, std::string user, std::string conversation)
      : agent_(agent), user_(std::move(user)), conversation_(std::move(conversation)) {}

  Task<Result<std::vector<memory::Hit>>> search(memory::Query query) override {
    PARLANCE_CO_TRY(document,
                    co_await agent_.memory_search({.user = user_,
                                                   .query = std::move(query.text),
                                                   .category = query.category ? std::string(to_string(*query.category)) : "",
                                                   .limit = static_cast<std::int64_t>(query.limit),
                                                   .min_score = query.min_score}));
    const json::Value read = json::parse_or_null(document);
    std::vector<memory::Hit> hits;
    if (const json::Value* items = read.find("items"); items != nullptr && items->array() != nullptr)
      for (const json::Value& item : *items->array()) hits.push_back(hit_in(item));
    co_return hits;
  }
  Task<Result<memory::Put>> put(memory::NewEntry entry) override {
    PARLANCE_CO_TRY(document, co_await agent_.memory_store({.user = user_,
                                                            .text = std::move(entry.text),
                                                            .category = std::string(to_string(entry.category)),
                                                            .importance = entry.importance,
                                                            .source = std::move(entry.source.kind),
                                                            .conversation = conversation_}));
    const json::Value read = json::parse_or_null(document);
    memory::Put put{.id = std::string(read.text_or("id", "")), .duplicate = read.text_or("action", "") == "duplicate"};
    if (const json::Value* similar = read.find("similar"); similar != nullptr && similar->array() != nullptr)
      for (const json::Value& memory : *similar->array())
        if (memory.text() != nullptr) put.similar.push_back(*memory.text());
    co_return put;
  }
  Task<Result<void>> forget(std::string id) override {
    PARLANCE_CO_TRY_DO(co_await agent_.memory_forget({.user = user_, .path = std::move(id)}));
    co_return Result<void>{};
  }

 private:
  agent::AgentBackend& agent_;
  std::string user_;
  std::string conversation_;
};

class Closable final : public MemoryOfOne {
 public:
  Closable(std::function<bool()> closed, std::shared_ptr<MemoryOfOne> memory)
      : closed_(std::move(closed)), memory_(std::move(memory)) {}
  Task<Result<std::vector<memory::Hit>>> search(memory::Query query) override {
    PARLANCE_CO_TRY_DO(check());
    co_return co_await memory_->search(std::move(query));
  }
  Task<Result<memory::Put>> put(memory::NewEntry entry) override {
    PARLANCE_CO_TRY_DO(check());
    co_return co_await memory_->put(std::move(entry));
  }
  Task<Result<void>> forget(std::string id) override {
    PARLANCE_CO_TRY_DO(check());
    co_return co_await memory_->forget(std::move(id));
  }

 private:
  Result<void> check() const {
    if (!closed_()) return {};
    return fail(Errc::denied,
                "this memory belongs to the conversation's user, and another person may have written the message: the memory "
                "is neither read nor changed. Answer without memory.");
  }
  std::function<bool()> closed_;
  std::shared_ptr<MemoryOfOne> memory_;
};

}  // namespace

std::shared_ptr<MemoryOfOne> memory_unless(std::function<bool()> closed, std::shared_ptr<MemoryOfOne> memory) {
  return std::make_shared<Closable>(std::move(closed), std::move(memory));
}

std::shared_ptr<MemoryOfOne> memory_in_store(memory::Store& store, std::string user) {
  return std::make_shared<InStore>(store, std::move(user));
}

std::shared_ptr<MemoryOfOne> memory_of_agent(agent::AgentBackend& agent, std::string user, std::string conversation) {
  return std::make_shared<OfAgent>(agent, std::move(user), std::move(conversation));
}

}  // namespace parlance::server

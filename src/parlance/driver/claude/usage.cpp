// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/usage.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/usage.h"

namespace parlance::driver {
namespace {

std::uint64_t count_of(const json::Value& value, std::string_view name) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.integer_or(name, 0), 0));
}

double dollars_of(const json::Value& value) {
  double dollars = 0;
  if (const json::Value* const cost = value.find("costUSD"); cost != nullptr) static_cast<void>(cost->number(dollars));
  return dollars;
}

std::uint64_t more_than(std::uint64_t now, std::uint64_t before) { return now - std::min(now, before); }

}  // namespace

void ClaudeUsage::process_begins() {
  cost_ = 0;
  reported_.clear();
}

void ClaudeUsage::answered(const json::Value& message) {
  const json::Value* const usage = message.find("usage");
  if (usage == nullptr || usage->object() == nullptr) return;
  in_window_ = count_of(*usage, "input_tokens") + count_of(*usage, "cache_read_input_tokens") +
               count_of(*usage, "cache_creation_input_tokens") + count_of(*usage, "output_tokens");
  model_ = message.text_or("model", "");
}

std::vector<hub::ModelUsage> ClaudeUsage::models_of(const json::Value& usage) {
  std::vector<hub::ModelUsage> models;
  if (usage.object() == nullptr) return models;
  for (const auto& [name, now] : usage.object()->members) {
    if (name == model_ && now.integer_or("contextWindow", 0) > 0) window_ = count_of(now, "contextWindow");
    const std::uint64_t read = count_of(now, "cacheReadInputTokens");
    const std::uint64_t written = count_of(now, "cacheCreationInputTokens");
    const hub::ModelUsage all{.model = name,
                              .input_tokens = count_of(now, "inputTokens") + read + written,
                              .output_tokens = count_of(now, "outputTokens"),
                              .cache_read_tokens = read,
                              .cache_write_tokens = written,
                              .cost = hub::Cost{.amount = dollars_of(now)}};
    const hub::ModelUsage before = std::exchange(reported_[name], all);
    if (all == before) continue;
    models.push_back({.model = name,
                      .input_tokens = more_than(all.input_tokens, before.input_tokens),
                      .output_tokens = more_than(all.output_tokens, before.output_tokens),
                      .cache_read_tokens = more_than(read, before.cache_read_tokens.value_or(0)),
                      .cache_write_tokens = more_than(written, before.cache_write_tokens.value_or(0)),
                      .cost = hub::Cost{.amount = std::max(0.0, all.cost->amount - (before.cost ? before.cost->amount : 0))}});
  }
  return models;
}

std::optional<hub::event::Usage> ClaudeUsage::of(const claude::TurnResult& result) {
  if (!result.usage) return std::nullopt;
  hub::event::Usage usage{.input_tokens = result.usage->input_tokens + result.usage->cache_creation + result.usage->cache_read,
                          .output_tokens = result.usage->output_tokens,
                          .cache_read_tokens = result.usage->cache_read,
                          .cache_write_tokens = result.usage->cache_creation};
  if (result.total_cost_usd)
    usage.cost = hub::Cost{.amount = std::max(0.0, *result.total_cost_usd - std::exchange(cost_, *result.total_cost_usd))};
  if (auto models = models_of(json::parse_or_null(result.model_usage.json)); !models.empty()) usage.models = std::move(models);
  if (window_ != 0 && in_window_ != 0) usage.context = hub::ContextUse{.used = in_window_, .size = window_};
  return usage;
}

}  // namespace parlance::driver

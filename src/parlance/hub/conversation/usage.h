// SPDX-License-Identifier: Apache-2.0
// The use of models in a turn: tokens, costs, the context window. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parlance::hub {

// The price of a model call.
struct Cost {
  double amount = 0;
  std::string currency = "USD";  // ISO 4217
  friend bool operator==(const Cost&, const Cost&) = default;
};

// The share of one model; absent numbers are not reported.
struct ModelUsage {
  std::string model{};
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::optional<std::uint64_t> cache_read_tokens{};
  std::optional<std::uint64_t> cache_write_tokens{};
  std::optional<Cost> cost{};
  friend bool operator==(const ModelUsage&, const ModelUsage&) = default;
};

// Used and total tokens of the model's context window.
struct ContextUse {
  std::uint64_t used = 0;  // tokens
  std::uint64_t size = 0;  // tokens
  friend bool operator==(const ContextUse&, const ContextUse&) = default;
};

namespace event {

// Of a model call, or of several calls. A turn adds up its usages, except `context`: the latest value counts.
struct Usage {
  std::uint64_t input_tokens = 0;  // all input, cached tokens included
  std::uint64_t output_tokens = 0;
  std::optional<std::uint64_t> cache_read_tokens{};   // part of the input; absent: the agent does not report it
  std::optional<std::uint64_t> cache_write_tokens{};  // part of the input; absent: the agent does not report it
  std::optional<Cost> cost{};
  std::optional<std::vector<ModelUsage>> models{};  // by model, if several models took part or the agent reports models
  std::optional<ContextUse> context{};
  friend bool operator==(const Usage&, const Usage&) = default;
};

}  // namespace event

// "1200 tokens in (800 of them from a cache), 30 out, 0.0040 USD"
std::string in_words(const event::Usage& usage);

}  // namespace parlance::hub

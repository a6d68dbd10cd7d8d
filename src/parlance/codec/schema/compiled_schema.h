// SPDX-License-Identifier: Apache-2.0
// A compiled schema: made by schema_compiler, read by validator. Immutable values.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parlance/base/regex/pattern.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"

namespace parlance::schema {

namespace type_bit {
inline constexpr std::uint8_t null = 1;
inline constexpr std::uint8_t boolean = 2;
inline constexpr std::uint8_t integer = 4;
inline constexpr std::uint8_t number = 8;
inline constexpr std::uint8_t string = 16;
inline constexpr std::uint8_t array = 32;
inline constexpr std::uint8_t object = 64;
}  // namespace type_bit

// One schema of a document: an object of keywords, or true or false. Absent members and null pointers are missing keywords.
struct SchemaNode {
  using Sub = const SchemaNode*;
  template <class T>
  using ByName = std::vector<std::pair<std::string, T>>;

  std::uint32_t resource = 0;  // The part of the document with its own $id, around the schema.
  bool nothing_fits = false;   // The schema `false`.
  std::uint8_t types = 0;      // 0: any type.
  std::optional<json::Array> values{};
  std::optional<json::Value> constant{};

  // Exact for every number of a json::Value.
  std::optional<long double> minimum{};
  std::optional<long double> maximum{};
  std::optional<long double> above{};
  std::optional<long double> below{};
  std::optional<long double> multiple_of{};

  std::optional<std::uint64_t> min_length{};
  std::optional<std::uint64_t> max_length{};
  std::optional<std::pair<std::string, regex::Pattern>> pattern{};

  std::vector<Sub> prefix_items{};
  Sub items = nullptr;  // Items after those.
  Sub contains = nullptr;
  Sub unevaluated_items = nullptr;
  std::uint64_t min_contains = 1;
  std::optional<std::uint64_t> max_contains{};
  std::optional<std::uint64_t> min_items{};
  std::optional<std::uint64_t> max_items{};
  bool unique_items = false;

  std::unordered_map<std::string, Sub, TextHash, std::equal_to<>> properties{};
  std::vector<std::pair<regex::Pattern, Sub>> pattern_properties{};
  Sub additional_properties = nullptr;
  Sub unevaluated_properties = nullptr;
  Sub property_names = nullptr;
  std::vector<std::string> required{};
  ByName<std::vector<std::string>> dependent_required{};
  std::optional<std::uint64_t> min_properties{};
  std::optional<std::uint64_t> max_properties{};

  // Schemas for the same value.
  ByName<Sub> dependent_schemas{};
  std::vector<Sub> all_of{};
  std::vector<Sub> any_of{};
  std::vector<Sub> one_of{};
  Sub not_this = nullptr;
  Sub if_this = nullptr;
  Sub then_this = nullptr;
  Sub else_this = nullptr;
  Sub ref = nullptr;
  Sub dynamic_ref = nullptr;          // Target without a matching dynamic anchor.
  std::string dynamic_anchor_name{};  // Name of the dynamic anchor. Empty: an ordinary reference.
};

struct CompiledSchema {
  json::Value document{};
  std::deque<SchemaNode> nodes{};  // The first schema is the whole; schemas point to each other.
  std::vector<std::map<std::string, const SchemaNode*, std::less<>>> dynamic_anchors{};  // By resource.
};

}  // namespace parlance::schema

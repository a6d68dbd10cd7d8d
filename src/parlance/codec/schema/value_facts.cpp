// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/value_facts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "parlance/codec/schema/compiled_schema.h"

namespace parlance::schema {
namespace {

// Equal values have equal hashes: 5 and 5.0, members in any order.
std::size_t hash_of(const json::Value& value) {
  const auto mix = [](std::size_t a, std::size_t b) { return (a * 1'000'003) ^ (b + 0x9E37); };
  double number = 0;
  if (value.number(number)) return std::hash<double>{}(number);
  if (const std::string* text = value.text()) return std::hash<std::string>{}(*text);
  if (const bool* yes = value.boolean()) return *yes ? 11 : 7;
  std::size_t sum = 1;
  if (const json::Array* array = value.array())
    for (const json::Value& element : *array) sum = mix(sum, hash_of(element));
  if (const json::Object* object = value.object())
    for (const auto& [name, member] : object->members) sum += mix(std::hash<std::string>{}(name), hash_of(member));
  return sum;
}

}  // namespace

std::uint8_t types_of(const json::Value& value) {
  if (value.is_null()) return type_bit::null;
  if (value.boolean() != nullptr) return type_bit::boolean;
  if (value.text() != nullptr) return type_bit::string;
  if (value.array() != nullptr) return type_bit::array;
  if (value.object() != nullptr) return type_bit::object;
  const auto* d = std::get_if<double>(&value.data);
  const bool whole = d == nullptr || std::trunc(*d) == *d;  // 1.0 is an integer, too
  return whole ? type_bit::integer | type_bit::number : type_bit::number;
}

bool all_differ(const json::Array& array) {
  std::unordered_multimap<std::size_t, const json::Value*> before;
  for (const json::Value& value : array) {
    const std::size_t hash = hash_of(value);
    const auto [from, to] = before.equal_range(hash);
    for (auto it = from; it != to; ++it)
      if (*it->second == value) return false;
    before.emplace(hash, &value);
  }
  return true;
}

bool is_multiple(long double value, long double of) {
  if (std::trunc(value) == value && std::trunc(of) == of) return std::fmod(value, of) == 0;
  // 0.3 counts as a multiple of 0.1, although binary floating point holds neither exactly: a small error is accepted.
  const double quotient = static_cast<double>(value) / static_cast<double>(of);
  if (!std::isfinite(quotient)) return std::fmod(value, of) == 0;
  return std::abs(quotient - std::round(quotient)) <= 4 * 2.3e-16 * std::max(1.0, std::abs(quotient));
}

std::uint64_t length_of(std::string_view utf8) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::optional<long double> exact_number(const json::Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value.data)) return static_cast<long double>(*i);
  if (const auto* u = std::get_if<std::uint64_t>(&value.data)) return static_cast<long double>(*u);
  if (const auto* d = std::get_if<double>(&value.data)) return static_cast<long double>(*d);
  return {};
}

}  // namespace parlance::schema

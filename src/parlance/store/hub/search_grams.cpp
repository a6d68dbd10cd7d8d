// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/search_grams.h"

#include <algorithm>
#include <span>

namespace parlance::store {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// FNV-1a. The stored index depends on this function.
std::int32_t hash_of(std::span<const std::string_view> characters) {
  std::uint32_t hash = 2166136261U;
  const auto add = [&](unsigned char byte) {
    hash ^= byte;
    hash *= 16777619U;
  };
  for (const std::string_view character : characters)
    for (const char c : character) add(static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c));
  return static_cast<std::int32_t>(hash);
}

}  // namespace

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && continues_character(text[end])) ++end;
    all.push_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

std::vector<std::int32_t> search_grams(std::string_view text) {
  const std::vector<std::string_view> all = characters_of(text);
  const std::span<const std::string_view> view(all);
  std::vector<std::int32_t> grams;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].size() > 1 && all[i + 1].size() > 1) grams.push_back(hash_of(view.subspan(i, 2)));
    if (i + 2 < all.size()) grams.push_back(hash_of(view.subspan(i, 3)));
  }
  std::ranges::sort(grams);
  const auto twice = std::ranges::unique(grams);
  grams.erase(twice.begin(), twice.end());
  return grams;
}

}  // namespace parlance::store

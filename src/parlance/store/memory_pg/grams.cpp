// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/grams.h"

#include <algorithm>
#include <utility>

#include "parlance/memory/text/characters.h"

namespace parlance::store {
namespace {

struct Character {
  std::string_view text{};
  bool ideograph = false;
};

std::vector<Character> characters_of(std::string_view folded) {
  std::vector<Character> all;
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    const char32_t c = memory::next_character(folded, at);
    all.push_back({.text = folded.substr(begin, at - begin), .ideograph = memory::is_ideographic(memory::script_of(c))});
  }
  return all;
}

// The neighbours from `first` on, as one piece of the text.
std::string piece(const std::vector<Character>& all, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = first; i < first + count; ++i) text += all[i].text;
  return text;
}

void add_threes_and_pairs(const std::vector<Character>& all, std::vector<std::string>& grams) {
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (all[i].ideograph && all[i + 1].ideograph) grams.push_back(piece(all, i, 2));
    if (i + 2 < all.size() && !all[i].ideograph && !all[i + 1].ideograph && !all[i + 2].ideograph)
      grams.push_back(piece(all, i, 3));
  }
}

void add_ideographs(const std::vector<Character>& all, std::vector<std::string>& grams) {
  for (const Character& character : all)
    if (character.ideograph) grams.emplace_back(character.text);
}

std::vector<std::string> each_once(std::vector<std::string> grams) {
  std::ranges::sort(grams);
  const auto twice = std::ranges::unique(grams);
  grams.erase(twice.begin(), twice.end());
  return grams;
}

}  // namespace

std::vector<std::string> grams_of_text(std::string_view text) {
  const std::string padded = " " + memory::folded(text) + "  ";
  const std::vector<Character> all = characters_of(padded);
  std::vector<std::string> grams;
  add_threes_and_pairs(all, grams);
  add_ideographs(all, grams);
  return each_once(std::move(grams));
}

std::vector<std::string> grams_of_phrase(std::string_view phrase) {
  const std::string folded = memory::folded(phrase);
  const std::vector<Character> all = characters_of(folded);
  std::vector<std::string> grams;
  if (all.size() < 3) return grams;
  add_threes_and_pairs(all, grams);
  if (grams.empty()) add_ideographs(all, grams);  // C 语: one between others
  return each_once(std::move(grams));
}

std::string gram_of_beginning(std::string_view begins) { return memory::folded(begins); }

}  // namespace parlance::store

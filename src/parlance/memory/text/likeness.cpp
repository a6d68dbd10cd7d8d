// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/likeness.h"

#include <algorithm>
#include <iterator>

#include "parlance/memory/text/characters.h"

namespace parlance::memory {
namespace {

// English, then German; in order, for the search.
constexpr std::string_view endings[] = {
    "",       "able",    "al",       "ally", "ance", "ances", "ant",   "ation", "ations", "d",   "e",     "ed",    "em",
    "en",     "ence",    "ences",    "ent",  "er",   "ern",   "ers",   "es",    "est",    "ful", "heit",  "ible",  "ic",
    "ical",   "ication", "ications", "ied",  "ier",  "ies",   "iness", "ing",   "ings",   "ion", "ions",  "isch",  "ische",
    "ischen", "ish",     "ism",      "ist",  "ity",  "ive",   "keit",  "less",  "lich",   "ly",  "ment",  "ments", "n",
    "ness",   "or",      "ors",      "r",    "rs",   "s",     "ship",  "tion",  "tions",  "ung", "ungen", "y"};

bool is_ending(std::string_view text) { return std::ranges::binary_search(endings, text); }

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  return static_cast<std::size_t>(in_a - a.begin());
}

}  // namespace

double related_form(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty() || a.front() != b.front()) return 0;
  const std::size_t same = common_beginning(a, b);
  const std::size_t longer = std::max(a.size(), b.size());
  if (!is_ascii(a) || !is_ascii(b)) return same >= 6 && same * 10 >= longer * 6 ? 0.9 : 0;  // Russian and Greek decline
  if (same < 3 || (same == 3 && longer > 6)) return 0;
  for (std::size_t stem = same; stem + 1 >= same && stem >= 3; --stem)
    if (is_ending(a.substr(stem)) && is_ending(b.substr(stem)) && a.size() + b.size() - 2 * stem <= 9) return 0.9;
  return 0;
}

double misspelling(std::string_view a, std::string_view b) {
  static constexpr std::size_t least = 5;
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < least || b.size() - a.size() > 1 || a.front() != b.front()) return 0;
  std::size_t at = common_beginning(a, b);
  std::string_view left = a.substr(at);
  std::string_view right = b.substr(at);
  if (left.size() == right.size()) {
    if (left.size() >= 2 && left[0] == right[1] && left[1] == right[0] && left.substr(2) == right.substr(2)) return 0.85;
    return !left.empty() && left.substr(1) == right.substr(1) && b.size() >= 7 ? 0.8 : 0;
  }
  return left == right.substr(1) ? 0.85 : 0;
}

double part_of_word(std::string_view part, std::string_view whole) {
  static constexpr std::size_t least = 5;
  return part.size() >= least && part.size() < whole.size() && whole.find(part) != std::string_view::npos ? 0.85 : 0;
}

double covered_share(std::string_view wanted, std::string_view text) {
  std::size_t all = 0;
  std::size_t covered = 0;
  std::size_t before = 0;  // where the character before begins
  bool before_covered = false;
  for (std::size_t at = 0; at < wanted.size();) {
    const std::size_t begin = at;
    next_character(wanted, at);
    ++all;
    bool here = false;
    if (begin != 0 && text.find(wanted.substr(before, at - before)) != std::string_view::npos) {
      here = true;
      covered += before_covered ? 1 : 2;
    }
    before_covered = here;
    before = begin;
  }
  if (all == 1) return text.find(wanted) != std::string_view::npos ? 1 : 0;
  return static_cast<double>(covered) / static_cast<double>(all);
}

}  // namespace parlance::memory

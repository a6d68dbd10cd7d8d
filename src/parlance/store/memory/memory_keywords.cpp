// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_keywords.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>

#include "parlance/memory/text/characters.h"
#include "parlance/store/memory/limits.h"

namespace parlance::store {
namespace {

// The score of a synonym relative to the word itself.
constexpr double other_words_share = 0.8;
constexpr std::ptrdiff_t enough_named = 5;  // default number of results of a search

// Frequent words looked up together: each costs a walk through a long list.
constexpr std::size_t common_parts = 4;
constexpr double decisive = 1000;

// Cached lookups, at most 65 numbers each: half a megabyte.
constexpr std::size_t kept_answers = 1000;
// Complete lists of frequent words, up to this length: conjunctions of such words need no lookup. Two megabytes.
constexpr std::size_t listed_at_most = 4096;
constexpr std::size_t kept_lists = 64;

WordsWanted wanted_by(const KeywordPart& part) {
  if (!part.begins.empty()) return {.begins = part.begins};
  return {.groups = {part.phrases}};
}

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) memory::next_character(text, at);
  return count;
}

// Folded for the comparison with texts: the index has no phrases below three characters.
WordsWanted folded(WordsWanted wanted) {
  wanted.begins = memory::folded(wanted.begins);
  for (auto& phrases : wanted.groups) {
    for (std::string& phrase : phrases) phrase = memory::folded(phrase);
    std::erase_if(phrases, [](const std::string& phrase) { return characters_in(phrase) < 3; });
  }
  return wanted;
}

std::string key_of(const WordsWanted& wanted, MemorySource::Category category) {
  std::string key(1, category ? static_cast<char>('0' + static_cast<int>(*category)) : ' ');
  key += wanted.begins;
  for (const auto& phrases : wanted.groups) {
    key += '\n';
    for (const std::string& phrase : phrases) (key += '\t') += phrase;
  }
  return key;
}

// A candidate's matches with the query.
struct Named {
  std::int64_t number = 0;
  double weight = 0;  // sum of matched query words; 0: none
  double rare = 0;    // share of words with complete lists
  double other = 0;   // share of synonyms
};

// Some hundred candidates, in order of discovery.
class NamedByNumber {
 public:
  Named& operator[](std::int64_t number) {
    if (2 * (all_.size() + 1) > places_.size()) grow();
    std::size_t at = home(number);
    for (; places_[at] != 0; at = (at + 1) & (places_.size() - 1))
      if (all_[places_[at] - 1].number == number) return all_[places_[at] - 1];
    all_.push_back({.number = number});
    places_[at] = static_cast<std::uint32_t>(all_.size());
    return all_.back();
  }
  const std::vector<Named>& all() const { return all_; }

 private:
  std::size_t home(std::int64_t number) const {
    return (static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ULL >> 32U) & (places_.size() - 1);
  }
  void grow() {
    places_.assign(std::max<std::size_t>(512, 2 * places_.size()), 0);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      std::size_t at = home(all_[i].number);
      while (places_[at] != 0) at = (at + 1) & (places_.size() - 1);
      places_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Named> all_;
  std::vector<std::uint32_t> places_;  // index in all_, from 1; 0: free. A power of two
};

// Adds the numbers of the `most` highest keys above zero.
template <class Key>
void add_heaviest(const NamedByNumber& named, std::size_t most, Key key, std::vector<std::int64_t>& numbers) {
  std::vector<std::pair<double, std::int64_t>> order;
  for (const Named& word : named.all())
    if (const double weight = key(word); weight > 0) order.emplace_back(weight, word.number);
  const std::size_t kept = std::min(order.size(), most);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{});
  for (std::size_t i = 0; i < kept; ++i) numbers.push_back(order[i].second);
}

}  // namespace

Result<MemoryKeywords::Kept> MemoryKeywords::ask(const WordsWanted& wanted, Category category, std::size_t limit) {
  PARLANCE_TRY(all, source_.look_up(std::span(&wanted, 1), category, limit));
  return Kept{.wanted = folded(wanted), .category = category, .limit = limit, .numbers = std::move(all.front())};
}

void MemoryKeywords::keep(std::string key, Kept found) {
  if (found_.size() >= kept_answers) found_.clear();
  found_.emplace(std::move(key), std::move(found));
}

bool MemoryKeywords::Kept::has(memory::Category of, const std::string& padded) const {
  if (category && *category != of) return false;
  const auto stands = [&](const std::string& phrase) { return padded.contains(phrase); };
  if (!wanted.begins.empty()) return stands(wanted.begins);
  return std::ranges::all_of(wanted.groups, [&](const Phrases& phrases) { return std::ranges::any_of(phrases, stands); });
}

// The newest memory, except concurrent writes.
void MemoryKeywords::came(std::int64_t number, memory::Category category, const std::string& padded) {
  went(number);  // called twice: at the put and with the vector
  for (auto& [key, word] : found_) {
    if (!word.has(category, padded)) continue;
    word.numbers.insert(std::ranges::lower_bound(word.numbers, number, std::greater{}), number);
    if (word.numbers.size() > word.limit) word.numbers.pop_back();
  }
  for (auto& [key, list] : lists_) {
    if (list.numbers.empty() || !list.has(category, padded)) continue;  // an incomplete list stays incomplete
    list.numbers.insert(std::ranges::lower_bound(list.numbers, number, std::greater{}), number);
    if (list.numbers.size() > listed_at_most) list.numbers.clear();
  }
}

void MemoryKeywords::went(std::int64_t number) {
  const auto is_now_incomplete = [&](const auto& known) {
    const Numbers& numbers = known.second.numbers;
    return numbers.size() == known.second.limit && std::ranges::find(numbers, number) != numbers.end();
  };
  std::erase_if(found_, is_now_incomplete);  // the following number is unknown
  for (Found* const kept : {&found_, &lists_})
    for (auto& [key, list] : *kept) std::erase(list.numbers, number);
}

// Conversations repeat their words, so most lookups between two writes are repetitions.
Result<MemoryKeywords::Numbers> MemoryKeywords::having(const WordsWanted& wanted, Category category) {
  std::string key = key_of(wanted, category);
  if (const auto known = found_.find(key); known != found_.end()) return known->second.numbers;
  PARLANCE_TRY(found, ask(wanted, category, limits::memory_candidates + 1));
  Numbers numbers = found.numbers;
  keep(std::move(key), std::move(found));
  return numbers;
}

// Sends the lookups of all parts in one request.
Result<void> MemoryKeywords::gather(std::span<const KeywordPart> parts, Category category) {
  std::vector<WordsWanted> unknown;
  for (const KeywordPart& part : parts)
    if (WordsWanted wanted = wanted_by(part); !found_.contains(key_of(wanted, category))) unknown.push_back(std::move(wanted));
  if (unknown.size() < 2) return {};
  constexpr std::size_t limit = limits::memory_candidates + 1;
  PARLANCE_TRY(all, source_.look_up(unknown, category, limit));
  for (std::size_t i = 0; i < unknown.size(); ++i)
    keep(key_of(unknown[i], category),
         {.wanted = folded(unknown[i]), .category = category, .limit = limit, .numbers = std::move(all[i])});
  return {};
}

// Estimated from the density of the newest numbers: a server needs long for a complete list.
bool MemoryKeywords::are_likely_too_many(const std::string& key) const {
  const auto known = found_.find(key);
  if (!source_.is_far() || known == found_.end() || known->second.numbers.size() <= limits::memory_candidates) return false;
  const Numbers& newest = known->second.numbers;
  const std::int64_t apart = std::max<std::int64_t>(newest.front() - newest.back(), 1);
  return newest.front() / apart * static_cast<std::int64_t>(newest.size()) > static_cast<std::int64_t>(listed_at_most);
}

// Newest first. Empty: too many.
Result<std::span<const std::int64_t>> MemoryKeywords::all_having(const Phrases& phrases, Category category) {
  const WordsWanted wanted{.groups = {phrases}};
  std::string key = key_of(wanted, category);
  auto known = lists_.find(key);
  if (known == lists_.end()) {
    Kept found;
    if (!are_likely_too_many(key)) {
      PARLANCE_TRY(asked, ask(wanted, category, listed_at_most + 1));
      found = std::move(asked);
    }
    if (found.numbers.size() > listed_at_most) found.numbers = {};
    known = lists_.emplace(std::move(key), std::move(found)).first;
  }
  return std::span<const std::int64_t>(known->second.numbers);
}

// The conjunction of all groups. The index would walk its lists again for every pair of words; cached lists are intersected in
// memory.
Result<MemoryKeywords::Numbers> MemoryKeywords::having_all(const std::vector<Phrases>& groups, Category category) {
  if (lists_.size() + groups.size() > kept_lists) lists_.clear();
  Numbers both;
  for (const Phrases& phrases : groups) {
    PARLANCE_TRY(list, all_having(phrases, category));
    if (list.empty()) return having({.groups = groups}, category);
    if (&phrases == groups.data()) {
      both.assign(list.begin(), list.end());
      continue;
    }
    Numbers fewer;
    std::ranges::set_intersection(both, list, std::back_inserter(fewer), std::greater{});
    both = std::move(fewer);
  }
  both.resize(std::min(both.size(), limits::memory_candidates + 1));
  return both;
}

Result<std::vector<std::int64_t>> MemoryKeywords::candidates(std::span<const KeywordPart> parts, double min_score,
                                                             std::optional<memory::Category> category) {
  double open = 0;  // weight of unseen words that could still make a hit
  for (const KeywordPart& part : parts) open += part.weight;
  const double enough = std::max(min_score, 0.01) * open;

  NamedByNumber named;
  std::vector<Phrases> common;
  const auto add = [&](const std::vector<std::int64_t>& numbers, double Named::* kind, double weight) {
    for (const std::int64_t number : numbers) named[number].*kind += weight;
  };
  if (source_.is_far()) PARLANCE_TRY_DO(gather(parts, category));
  for (const KeywordPart& part : parts) {
    if (open < enough) break;
    PARLANCE_TRY(numbers, having(wanted_by(part), category));
    add(numbers, &Named::weight, part.weight);
    if (numbers.size() <= limits::memory_candidates) {
      open -= part.weight;
      add(numbers, &Named::rare, part.weight);
    } else if (!part.phrases.empty() && common.size() < common_parts) {
      common.push_back(part.phrases);
    }
  }
  if (open >= enough && common.size() > 1) {
    PARLANCE_TRY(numbers, having_all(common, category));
    add(numbers, &Named::weight, static_cast<double>(common.size()));
  }

  // Finds texts with synonyms: vectors find short texts, the index finds long texts. Skipped after enough direct matches.
  // Frequent words name no candidates. Candidates with synonyms only rank below direct matches.
  const auto enough_have = std::ranges::count_if(named.all(), [&](const Named& word) { return word.weight >= enough; });
  for (const KeywordPart& part : parts) {
    if (part.others.empty() || enough_have >= enough_named) continue;
    PARLANCE_TRY(numbers, having({.groups = {Phrases(part.others.begin(), part.others.end())}}, category));
    if (numbers.size() > limits::memory_candidates) continue;
    for (const std::int64_t number : numbers) {
      Named& word = named[number];
      (word.weight > 0 ? word.weight : word.other) += part.weight * other_words_share;
    }
  }

  std::vector<std::int64_t> numbers;
  // Lists of frequent words are incomplete, so a rare word outweighs all frequent words.
  add_heaviest(named, limits::memory_candidates, [](const Named& word) { return word.weight + word.rare * decisive; }, numbers);
  add_heaviest(named, limits::memory_candidates - numbers.size(), [](const Named& word) { return word.other; }, numbers);
  return numbers;
}

}  // namespace parlance::store

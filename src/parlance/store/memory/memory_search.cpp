// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_search.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "parlance/store/memory/limits.h"

namespace parlance::store {
namespace {

// Nearest vectors to read: importance and shared words may lift a result above slightly nearer ones.
std::size_t nearest_wanted(std::size_t limit) { return std::max<std::size_t>(20, limit * 3); }

// With support of a vector, a text needs only this share of the minimum by words.
constexpr double words_alone = 0.85;

// A search measures about ten rows.
constexpr std::size_t measured_at_once = 16;

// Tolerance of rounding in a score.
constexpr double rounding = 1e-9;

}  // namespace

MemorySearch::MemorySearch(MemoryKeywords& keywords, MemoryRows& rows, MemoryVectors& vectors, const memory::Query& query,
                           const memory::Vector* vector)
    : keywords_(keywords), rows_(rows), vectors_(vectors), query_(query), vector_(vector), wanted_(query.text) {}

Result<std::vector<memory::Hit>> MemorySearch::hits(SearchMode mode) {
  PARLANCE_TRY(enough, collect(mode));
  if (!enough) {
    PARLANCE_TRY(measured, collect(SearchMode::measured));
    static_cast<void>(measured);  // always sufficient
  }
  return hits_found();
}

Result<bool> MemorySearch::collect(SearchMode mode) {
  candidates_.clear();
  found_.clear();
  if (!find_nearest(mode)) return false;
  PARLANCE_TRY_DO(add_by_words(mode));
  PARLANCE_TRY(in_order, promising());
  return measure(in_order);
}

bool MemorySearch::find_nearest(SearchMode mode) {
  near_.clear();
  settled_ = true;
  if (vector_ == nullptr) return true;
  const std::size_t wanted = nearest_wanted(query_.limit);
  if (mode == SearchMode::bounded) {
    auto near = vectors_.near(*vector_, wanted, query_.category);
    if (!near) return false;
    near_ = *std::move(near);
    settled_ = false;
  } else {
    for (const auto& neighbour : vectors_.nearest(*vector_, wanted, query_.category))
      near_.push_back({.number = neighbour.number, .lowest = -1, .highest = 1, .certain = true});
  }
  std::ranges::sort(near_, {}, &Near::number);
  return true;
}

const MemorySearch::Near* MemorySearch::near_of(std::int64_t number) const {
  const auto known = std::ranges::lower_bound(near_, number, {}, &Near::number);
  return known != near_.end() && known->number == number ? &*known : nullptr;
}

void MemorySearch::settle() {
  if (std::exchange(settled_, true)) return;
  vectors_.settle(*vector_, nearest_wanted(query_.limit), near_);
}

// Adds the best candidates of the word index, without the nearest vectors.
Result<void> MemorySearch::add_by_words(SearchMode mode) {
  const double enough_words = query_.min_score * words_alone;
  const std::vector<KeywordPart> parts = keyword_parts(query_.text);
  PARLANCE_TRY(named, keywords_.candidates(parts, enough_words, query_.category));
  const QuickLook look(parts, enough_words);
  const auto is_nearest = [&](std::int64_t number) {
    const Near* const near = near_of(number);
    return near != nullptr && near->certain;
  };
  PARLANCE_TRY_DO(rows_.expect(named));
  std::vector<std::pair<double, std::int64_t>> order;
  for (const std::int64_t number : named) {
    if (is_nearest(number)) continue;
    PARLANCE_TRY(row, rows_.find(number));
    if (const double share = row != nullptr ? look.share(row->padded) : 0; share > 0) order.emplace_back(share, number);
  }
  if (order.size() > limits::memory_scored) {
    settle();  // the nearest vectors must not use these slots
    std::erase_if(order, [&](const auto& candidate) { return is_nearest(candidate.second); });
  }
  const std::size_t kept = std::min(order.size(), limits::memory_scored);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{});
  std::vector<std::int64_t> by_words;
  for (std::size_t i = 0; i < kept; ++i) by_words.push_back(order[i].second);
  add_near(by_words);
  std::erase_if(by_words, [&](std::int64_t number) { return near_of(number) != nullptr; });
  std::vector<std::optional<double>> highest(by_words.size());
  if (vector_ != nullptr && mode == SearchMode::measured) highest.assign(by_words.size(), 1);
  else if (vector_ != nullptr) highest = vectors_.highest_cosines(*vector_, by_words);
  for (std::size_t i = 0; i < by_words.size(); ++i)
    candidates_.push_back({.number = by_words[i], .highest = highest[i], .certain = true});
  return {};
}

void MemorySearch::add_near(const std::vector<std::int64_t>& by_words) {
  for (const Near& near : near_) {
    const bool certain = near.certain || std::ranges::find(by_words, near.number) != by_words.end();
    if (certain || !settled_)
      candidates_.push_back({.number = near.number, .highest = near.highest, .near = true, .certain = certain});
  }
}

// Possible hits, by the upper bound of their rank, best first. For measured candidates the bound is exact.
Result<std::vector<MemorySearch::Promising>> MemorySearch::promising() {
  std::vector<std::int64_t> numbers;
  for (const Candidate& candidate : candidates_) numbers.push_back(candidate.number);
  PARLANCE_TRY_DO(rows_.expect(numbers));
  std::vector<Promising> promising;
  for (const Candidate& candidate : candidates_) {
    PARLANCE_TRY(row, rows_.find(candidate.number));
    if (row == nullptr) continue;
    const double words = wanted_.score(rows_.features(*row));
    const double highest = memory::match(words, candidate.highest, vectors_.embedder().calibration).score + rounding;
    if (highest < query_.min_score) continue;
    promising.push_back(
        {.candidate = &candidate, .row = row, .words = words, .highest_rank = memory::rank_of(highest, row->entry)});
  }
  std::ranges::sort(promising, std::greater{}, &Promising::highest_rank);
  return promising;
}

// False: an exact row of the index is missing. This happens only during the removal of this embedder's vectors.
Result<bool> MemorySearch::measure(const std::vector<Promising>& in_order) {
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const Promising& promising = in_order[i];
    if (i % measured_at_once == 0) PARLANCE_TRY_DO(expect(std::span(in_order).subspan(i)));
    if (found_.size() == query_.limit && promising.highest_rank < found_.back().rank) break;  // the rest ranks lower
    std::optional<double> cosine;
    if (promising.candidate->highest) {
      PARLANCE_TRY(exact, vectors_.cosine(*vector_, promising.candidate->number));
      cosine = exact;
    }
    if (promising.candidate->near && !cosine) return false;
    const memory::Match match = memory::match(promising.words, cosine, vectors_.embedder().calibration);
    if (match.score < query_.min_score || !(match.score > 0)) continue;
    if (!promising.candidate->certain) {
      settle();
      if (!near_of(promising.candidate->number)->certain) continue;
    }
    add(*promising.row, match);
  }
  return true;
}

// Prefetches the next rows to measure.
Result<void> MemorySearch::expect(std::span<const Promising> in_order) {
  std::vector<std::int64_t> numbers;
  for (const Promising& promising : in_order.first(std::min(in_order.size(), measured_at_once)))
    if (promising.candidate->highest) numbers.push_back(promising.candidate->number);
  return vectors_.expect(numbers);
}

void MemorySearch::add(const MemoryRow& row, const memory::Match& match) {
  const Found found{.row = &row, .match = match, .rank = memory::rank_of(match.score, row.entry)};
  const auto before = [](const Found& a, const Found& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.row->entry.id > b.row->entry.id;
  };
  found_.insert(std::ranges::upper_bound(found_, found, before), found);
  if (found_.size() > query_.limit) found_.pop_back();
}

std::vector<memory::Hit> MemorySearch::hits_found() {
  std::vector<memory::Hit> hits;
  for (const Found& found : found_)
    hits.push_back({.entry = found.row->entry, .score = found.match.score, .matched = std::string(found.match.by())});
  return hits;
}

}  // namespace parlance::store

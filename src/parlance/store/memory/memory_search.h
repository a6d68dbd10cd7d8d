// SPDX-License-Identifier: Apache-2.0
// One search: joins candidates of vectors and words, gives each a common score, and returns the best. Blocking; the database's
// thread, inside a snapshot with all three parts synchronized.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/keyword.h"
#include "parlance/memory/ranking.h"
#include "parlance/memory/store.h"
#include "parlance/store/memory/keyword_parts.h"
#include "parlance/store/memory/memory_keywords.h"
#include "parlance/store/memory/memory_rows.h"
#include "parlance/store/memory/memory_vectors.h"

namespace parlance::store {

// Both return the same results with the same scores.
enum class SearchMode {
  // Uses bounds of the index in memory, and reads exact rows only of possible hits.
  bounded,
  measured,  // Measures all candidates. For doubtful cases and for tests.
};

class MemorySearch {
 public:
  // `vector`: null for words alone. All arguments must outlive this object.
  MemorySearch(MemoryKeywords& keywords, MemoryRows& rows, MemoryVectors& vectors, const memory::Query& query,
               const memory::Vector* vector);
  Result<std::vector<memory::Hit>> hits(SearchMode mode = SearchMode::bounded);

 private:
  using Near = memory::VectorIndex::Near;
  struct Candidate {
    std::int64_t number = 0;
    std::optional<double> highest{};  // upper bound of its cosine; nullopt: no vector
    bool near = false;                // proposed by its vector
    bool certain = false;             // a result for every possible exact order of the nearest
  };
  struct Promising {
    const Candidate* candidate = nullptr;
    const MemoryRow* row = nullptr;
    double words = 0;
    double highest_rank = 0;
  };
  struct Found {
    const MemoryRow* row = nullptr;
    memory::Match match{};
    double rank = 0;
  };

  Result<bool> collect(SearchMode mode);  // false: the bounds are not sufficient
  bool find_nearest(SearchMode mode);
  const Near* near_of(std::int64_t number) const;
  void settle();
  Result<void> add_by_words(SearchMode mode);
  void add_near(const std::vector<std::int64_t>& by_words);
  Result<std::vector<Promising>> promising();
  Result<bool> measure(const std::vector<Promising>& in_order);
  Result<void> expect(std::span<const Promising> in_order);
  void add(const MemoryRow& row, const memory::Match& match);
  std::vector<memory::Hit> hits_found();

  MemoryKeywords& keywords_;
  MemoryRows& rows_;
  MemoryVectors& vectors_;
  const memory::Query& query_;
  const memory::Vector* vector_;
  memory::KeywordQuery wanted_;
  std::vector<Near> near_;  // by number
  bool settled_ = false;    // candidates that are not certain are no results
  std::vector<Candidate> candidates_;
  std::vector<Found> found_;  // the best, at most the query's limit
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// One search: what the vectors and what the words propose gets one score from both, and the best are told. Blocking; the database's
// thread, inside a snapshot that the three parts have been brought to.
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

// Both find the same, with the same scores.
enum class SearchWay {
  // What the index in memory tells of a vector is enough for nearly all: exact rows are read of those alone that may be hits.
  bounded,
  measured,  // All that come into question are measured. The way of old, of doubtful cases, and of tests.
};

class MemorySearch {
 public:
  // `vector`: null, by words alone. What is handed in outlives this.
  MemorySearch(MemoryKeywords& keywords, MemoryRows& rows, MemoryVectors& vectors, const memory::Query& query,
               const memory::Vector* vector);
  Result<std::vector<memory::Hit>> hits(SearchWay way = SearchWay::bounded);

 private:
  using Near = memory::VectorIndex::Near;
  struct Candidate {
    std::int64_t number = 0;
    std::optional<double> highest{};  // what its cosine is at most; nullopt: it has no vector
    bool near = false;                // proposed by its vector
    bool certain = false;             // it is one, whatever the exact order of the nearest may be
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

  Result<bool> collect(SearchWay way);  // false: what the index in memory tells is not enough
  bool find_nearest(SearchWay way);
  const Near* near_of(std::int64_t number) const;
  void settle();
  Result<void> add_by_words(SearchWay way);
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
  bool settled_ = false;    // who of them is not certain is none of the nearest
  std::vector<Candidate> candidates_;
  std::vector<Found> found_;  // the best, at most as many as are wanted
};

}  // namespace parlance::store

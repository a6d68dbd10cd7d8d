// SPDX-License-Identifier: Apache-2.0
// The reads of a search from any database of memories: word index, rows, vectors, and the log of changes. For one person's
// memories. Blocking; the database's thread. A memory never changes under its number without an entry in the log of changes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"
#include "parlance/memory/store.h"

namespace parlance::store {

// A lookup in the word index: a phrase of each group must occur in the text. For phrases below three characters: `begins`, the
// prefix of a trigram.
struct WordsWanted {
  std::vector<std::vector<std::string>> groups{};
  std::string begins{};
};

struct NumberedEntry {
  std::int64_t number = 0;
  memory::Entry entry{};
};

// A vector in the format of the index in memory (memory/vector/quantized_vector.h).
struct SmallVector {
  std::int64_t number = 0;
  memory::Category category = memory::Category::other;
  float scale = 0;
  BytesView bytes{};
};

struct ExactVector {
  std::int64_t number = 0;
  memory::Vector vector{};
};

// First and last number of the log of changes; 0: empty.
struct ChangesKept {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class MemorySource {
 public:
  using Numbers = std::vector<std::int64_t>;
  using Category = std::optional<memory::Category>;
  virtual ~MemorySource() = default;

  // True: each call is a round trip to a server, so callers batch requests.
  virtual bool is_far() const = 0;

  // For each lookup the numbers of its memories, for groups newest first; at most `limit` each.
  virtual Result<std::vector<Numbers>> look_up(std::span<const WordsWanted> wanted, Category category, std::size_t limit) = 0;
  // In any order; missing memories are omitted. Same for the vectors below.
  virtual Result<std::vector<NumberedEntry>> rows(std::span<const std::int64_t> numbers) = 0;

  virtual Result<ChangesKept> changes() = 0;
  virtual Result<Numbers> changed_after(std::int64_t change) = 0;  // without duplicates; 0: everything changed

  virtual Result<std::int64_t> embedder_number(const memory::EmbedderInfo& embedder) = 0;  // 0: no vectors yet
  virtual Result<std::uint64_t> count_vectors(const memory::EmbedderInfo& embedder) = 0;
  // The views are valid until the function returns.
  virtual Result<void> each_vector(std::int64_t embedder, const std::function<void(const SmallVector&)>& take) = 0;
  virtual Result<void> vectors(std::int64_t embedder, std::span<const std::int64_t> numbers,
                               const std::function<void(const SmallVector&)>& take) = 0;
  virtual Result<std::vector<ExactVector>> exact_vectors(std::int64_t embedder, std::size_t dimension,
                                                         std::span<const std::int64_t> numbers) = 0;
};

}  // namespace parlance::store

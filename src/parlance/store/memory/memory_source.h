// SPDX-License-Identifier: Apache-2.0
// What a search reads of a database of memories, whichever it is: the index of words, the rows, the vectors, and what has changed since.
// Of one person's memories. Blocking; the database's thread. A memory never changes under its number while the log of changes says
// nothing of it.
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

// What the index of words is asked: one phrase of each of these groups, as it stands in the text, or, for what is shorter than three
// characters, what some three characters begin with.
struct WordsWanted {
  std::vector<std::vector<std::string>> groups{};
  std::string begins{};
};

struct NumberedEntry {
  std::int64_t number = 0;
  memory::Entry entry{};
};

// A vector as the index in memory takes it (memory/vector/quantized_vector.h).
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

// The ends of the log of changes; 0: it is empty.
struct ChangesKept {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class MemorySource {
 public:
  using Numbers = std::vector<std::int64_t>;
  using Category = std::optional<memory::Category>;
  virtual ~MemorySource() = default;

  // Every question is a way to a server and back: better many at once than one after the other.
  virtual bool is_far() const = 0;

  // For each of them the numbers of memories that have it, the newest first where groups were asked for; `limit` at most of each.
  virtual Result<std::vector<Numbers>> look_up(std::span<const WordsWanted> wanted, Category category, std::size_t limit) = 0;
  // In any order; who is not there is left out. The same of the vectors below.
  virtual Result<std::vector<NumberedEntry>> rows(std::span<const std::int64_t> numbers) = 0;

  virtual Result<ChangesKept> changes() = 0;
  virtual Result<Numbers> changed_after(std::int64_t change) = 0;  // each once; 0: everything

  virtual Result<std::int64_t> embedder_number(const memory::EmbedderInfo& embedder) = 0;  // 0: it has no vector yet
  virtual Result<std::uint64_t> count_vectors(const memory::EmbedderInfo& embedder) = 0;
  // What is handed out is good until the function returns.
  virtual Result<void> each_vector(std::int64_t embedder, const std::function<void(const SmallVector&)>& take) = 0;
  virtual Result<void> vectors(std::int64_t embedder, std::span<const std::int64_t> numbers,
                               const std::function<void(const SmallVector&)>& take) = 0;
  virtual Result<std::vector<ExactVector>> exact_vectors(std::int64_t embedder, std::size_t dimension,
                                                         std::span<const std::int64_t> numbers) = 0;
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_vectors.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "parlance/memory/ranking.h"

namespace parlance::store {
namespace {

// Exact searches for the measurement of a graph's recall, once for each graph.
constexpr std::size_t recall_sample = 20;

std::uint32_t groups_of(std::optional<memory::Category> category) {
  return category ? std::uint32_t{1} << static_cast<unsigned>(*category) : memory::VectorIndex::all_groups;
}

std::span<const std::int8_t> int8_row(BytesView bytes) {
  return {reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size()};
}

}  // namespace

// Reads inside a snapshot, so rows of the index exist. Unreadable rows stay zero.
class MemoryVectors::Exact final : public memory::ExactRows {
 public:
  explicit Exact(MemoryVectors& owner) : owner_(owner) {}
  void read(std::span<const std::int64_t> numbers, std::span<float> out) override {
    const std::size_t dimension = owner_.embedder_.dimension;
    if (!owner_.expect(numbers)) return;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto row = owner_.exact_row(numbers[i]);
      if (row && *row != nullptr) std::memcpy(out.data() + i * dimension, (*row)->data(), dimension * sizeof(float));
    }
  }

 private:
  MemoryVectors& owner_;
};

Result<void> MemoryVectors::expect(std::span<const std::int64_t> numbers) {
  if (!source_.is_far()) return {};
  std::vector<std::int64_t> unknown;
  for (const std::int64_t number : numbers)
    if (exact_.find(number) == nullptr) unknown.push_back(number);
  if (unknown.empty()) return {};
  PARLANCE_TRY(read, source_.exact_vectors(number_, embedder_.dimension, unknown));
  for (ExactVector& vector : read) exact_.keep(vector.number, std::move(vector.vector), embedder_.dimension * sizeof(float));
  return {};
}

Result<const memory::Vector*> MemoryVectors::exact_row(std::int64_t number) {
  if (const memory::Vector* const kept = exact_.find(number)) return kept;
  PARLANCE_TRY(read, source_.exact_vectors(number_, embedder_.dimension, std::span(&number, 1)));
  if (read.empty()) return nullptr;
  return &exact_.keep(number, std::move(read.front().vector), embedder_.dimension * sizeof(float));
}

void MemoryVectors::use(const memory::EmbedderInfo& embedder) {
  if (embedder.id != embedder_.id || embedder.dimension != embedder_.dimension) {
    index_.reset();
    exact_.clear();
    recall_.reset();
    number_ = 0;
  }
  embedder_ = embedder;
}

Result<void> MemoryVectors::ask_number() {
  PARLANCE_TRY(number, source_.embedder_number(embedder_));
  number_ = number;
  return {};
}

Result<void> MemoryVectors::sync() {
  exact_.trim();
  PARLANCE_TRY(log, source_.changes());
  if (index_ == nullptr || seen_change_ + 1 < log.first || log.last < seen_change_) return load(log.last);
  if (log.last != seen_change_) PARLANCE_TRY_DO(apply(seen_change_));
  seen_change_ = log.last;
  if (index_->poll()) {
    recall_.reset();
    new_graph_ = index_->approximate();
  }
  if (graph_allowed_ && index_->wants_approximate()) index_->start_approximate();
  return {};
}

void MemoryVectors::describe(memory::Stats& stats) {
  if (index_ == nullptr) return;
  if (index_->poll()) recall_.reset();
  stats.index_bytes = index_->bytes();
  if (!index_->approximate()) return;
  stats.index = "approximate";
  Exact exact(*this);
  if (!recall_) recall_ = index_->measure_recall(recall_sample, exact);
  stats.recall = recall_;
}

Result<void> MemoryVectors::load(std::int64_t last_change) {
  index_.reset();  // a partial index must not count as complete
  exact_.clear();
  PARLANCE_TRY_DO(ask_number());
  auto loaded = std::make_unique<memory::VectorIndex>(embedder_.dimension, settings_);
  if (number_ != 0) PARLANCE_TRY_DO(read_all(*loaded));
  index_ = std::move(loaded);
  seen_change_ = last_change;
  return {};
}

Result<void> MemoryVectors::read_all(memory::VectorIndex& index) {
  PARLANCE_TRY(expected, count());
  index.reserve(expected);
  return source_.each_vector(number_, [&](const SmallVector& vector) {
    if (vector.bytes.size() != embedder_.dimension) return;
    index.add(vector.number, int8_row(vector.bytes), vector.scale, static_cast<std::uint8_t>(vector.category));
  });
}

Result<void> MemoryVectors::apply(std::int64_t after) {
  // Reads the number again: a rolled-back transaction may have freed it for another embedder.
  PARLANCE_TRY_DO(ask_number());
  PARLANCE_TRY(numbers, source_.changed_after(after));
  if (std::ranges::find(numbers, 0) != numbers.end()) return load(seen_change_);  // sync sets seen_change_ afterwards
  std::set<std::int64_t> gone(numbers.begin(), numbers.end());
  if (number_ != 0)
    PARLANCE_TRY_DO(source_.vectors(number_, numbers, [&](const SmallVector& vector) {
      if (vector.bytes.size() != embedder_.dimension) return;
      gone.erase(vector.number);
      index_->set(vector.number, int8_row(vector.bytes), vector.scale, static_cast<std::uint8_t>(vector.category));
    }));
  for (const std::int64_t number : numbers) exact_.drop(number);
  for (const std::int64_t number : gone) index_->remove(number);
  return {};
}

std::optional<std::vector<memory::VectorIndex::Near>> MemoryVectors::near(const memory::Vector& query, std::size_t limit,
                                                                          std::optional<memory::Category> category) const {
  if (index_ == nullptr || query.size() != embedder_.dimension) return std::vector<memory::VectorIndex::Near>{};
  return index_->near(query, limit, groups_of(category));
}

void MemoryVectors::settle(const memory::Vector& query, std::size_t limit, std::vector<memory::VectorIndex::Near>& near) {
  if (near.empty()) return;
  Exact exact(*this);
  index_->settle(query, limit, near, exact);
}

std::vector<std::optional<double>> MemoryVectors::highest_cosines(const memory::Vector& query,
                                                                  std::span<const std::int64_t> numbers) const {
  if (index_ == nullptr || query.size() != embedder_.dimension) return std::vector<std::optional<double>>(numbers.size());
  return index_->highest_cosines(query, numbers);
}

std::vector<memory::VectorIndex::Found> MemoryVectors::nearest(const memory::Vector& query, std::size_t limit,
                                                               std::optional<memory::Category> category) {
  if (index_ == nullptr || query.size() != embedder_.dimension) return {};
  Exact exact(*this);
  return index_->search(query, limit, exact, groups_of(category));
}

Result<std::optional<double>> MemoryVectors::cosine(const memory::Vector& query, std::int64_t number) {
  if (query.size() != embedder_.dimension) return std::nullopt;
  PARLANCE_TRY(row, exact_row(number));
  if (row == nullptr) return std::nullopt;
  return memory::cosine(query, *row);
}

}  // namespace parlance::store

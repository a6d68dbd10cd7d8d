#include "parlance/store/memory/memory_vectors.h"

#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "parlance/memory/ranking.h"
#include "parlance/store/memory/memory_schema.h"

namespace parlance::store {
namespace {

// Exact searches that the recall of a graph is measured by, once for each graph.
constexpr std::size_t recall_sample = 20;

static_assert(std::endian::native == std::endian::little, "float rows are stored as they lie in memory");

BytesView bytes_of(std::span<const float> floats) { return {reinterpret_cast<const char*>(floats.data()), floats.size_bytes()}; }
BytesView bytes_of(std::span<const std::int8_t> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::uint32_t groups_of(std::optional<memory::Category> category) {
  return category ? std::uint32_t{1} << static_cast<unsigned>(*category) : memory::VectorIndex::all_groups;
}

std::span<const std::int8_t> int8_row(BytesView bytes) {
  return {reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size()};
}

// While a table is read from end to end, once: kept pages of it would drive others out of the database's cache, and take so much memory
// more.
class FewPages {
 public:
  explicit FewPages(sqlite::Database& db) : db_(db) {
    if (auto before = db_.query("PRAGMA cache_size"); before && before->step()) before_ = before->integer(0);
    if (before_ != 0) (void)db_.execute("PRAGMA cache_size=-256");
  }
  FewPages(const FewPages&) = delete;
  FewPages& operator=(const FewPages&) = delete;
  ~FewPages() {
    if (before_ != 0) (void)db_.execute("PRAGMA cache_size=" + std::to_string(before_));
  }

 private:
  sqlite::Database& db_;
  std::int64_t before_ = 0;
};

}  // namespace

// Reads while a snapshot is open, so a row that the index has is there. What cannot be read stays as it came, zeros.
class MemoryVectors::Exact final : public memory::ExactRows {
 public:
  explicit Exact(MemoryVectors& owner) : owner_(owner) {}
  void read(std::span<const std::int64_t> numbers, std::span<float> out) override {
    const std::size_t dimension = owner_.embedder_.dimension;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto row = owner_.exact_row(numbers[i]);
      if (row && *row != nullptr) std::memcpy(out.data() + i * dimension, (*row)->data(), dimension * sizeof(float));
    }
  }

 private:
  MemoryVectors& owner_;
};

Result<const memory::Vector*> MemoryVectors::exact_row(std::int64_t number) {
  if (const memory::Vector* const kept = exact_.find(number)) return kept;
  PARLANCE_TRY(row, db_.query("SELECT floats FROM exact_vectors WHERE slot=?1"));
  PARLANCE_TRY(there, row.bind(base_ + number).step());
  if (!there) return nullptr;
  const BytesView bytes = row.blob(0);
  if (bytes.size() != embedder_.dimension * sizeof(float)) return nullptr;
  // The blob's address is not aligned for floats.
  memory::Vector exact(embedder_.dimension);
  std::memcpy(exact.data(), bytes.data(), bytes.size());
  return &exact_.keep(number, std::move(exact), bytes.size());
}

void MemoryVectors::use(const memory::EmbedderInfo& embedder) {
  if (embedder.id != embedder_.id || embedder.dimension != embedder_.dimension) {
    index_.reset();
    exact_.clear();
    recall_.reset();
    base_ = 0;
  }
  embedder_ = embedder;
}

Result<std::int64_t> MemoryVectors::embedder_number() {
  PARLANCE_TRY(row, db_.query("SELECT number FROM embedders WHERE id=?1 AND dimension=?2"));
  row.bind(embedder_.id, embedder_.dimension);
  PARLANCE_TRY(known, row.step());
  const std::int64_t number = known ? row.integer(0) : 0;
  base_ = number << memory_number_bits;
  return number;
}

Result<bool> MemoryVectors::add(std::int64_t number, memory::Category category, const memory::Vector& vector) {
  if (vector.size() != embedder_.dimension)
    return fail(Errc::failed, "the embedder " + embedder_.id + " gave a vector of " + std::to_string(vector.size()) +
                                  " numbers instead of " + std::to_string(embedder_.dimension));
  if (number > memory_number_mask) return fail(Errc::failed, "the memory is full");
  // Asked again in each transaction: somebody may have dropped the embedder meanwhile.
  PARLANCE_TRY(known, embedder_number());
  if (known == 0) {
    PARLANCE_TRY(insert, db_.query("INSERT INTO embedders(id, dimension) VALUES(?1,?2)"));
    PARLANCE_TRY_DO(insert.bind(embedder_.id, embedder_.dimension).run());
    PARLANCE_TRY_DO(embedder_number());
  }
  const memory::QuantizedVector small = memory::quantize(vector);
  PARLANCE_TRY(insert, db_.query("INSERT OR IGNORE INTO vectors(slot, category, scale, bytes) VALUES(?1,?2,?3,?4)"));
  insert.bind(base_ + number, static_cast<int>(category), static_cast<double>(small.scale),
              sqlite::BlobView{bytes_of(small.bytes)});
  PARLANCE_TRY_DO(insert.run());
  if (db_.changes() == 0) return false;
  PARLANCE_TRY(exact, db_.query("INSERT OR REPLACE INTO exact_vectors(slot, floats) VALUES(?1,?2)"));
  PARLANCE_TRY_DO(exact.bind(base_ + number, sqlite::BlobView{bytes_of(vector)}).run());
  PARLANCE_TRY(count, db_.query("UPDATE embedders SET rows = rows + 1 WHERE number = ?1"));
  PARLANCE_TRY_DO(count.bind(base_ >> memory_number_bits).run());
  PARLANCE_TRY(change, db_.query("INSERT INTO memory_changes(number) VALUES(?1)"));
  PARLANCE_TRY_DO(change.bind(number).run());
  return true;
}

Result<void> MemoryVectors::sync() {
  exact_.trim();
  PARLANCE_TRY(row, db_.query("SELECT (SELECT min(change) FROM memory_changes), (SELECT max(change) FROM memory_changes)"));
  PARLANCE_TRY_DO(row.step());
  const std::int64_t first = row.integer(0);
  const std::int64_t last = row.integer(1);
  if (index_ == nullptr || seen_change_ + 1 < first || last < seen_change_) return load(last);
  if (last != seen_change_) PARLANCE_TRY_DO(apply(seen_change_));
  seen_change_ = last;
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
  index_.reset();  // half of one must not pass for the whole
  exact_.clear();
  PARLANCE_TRY_DO(embedder_number());
  auto loaded = std::make_unique<memory::VectorIndex>(embedder_.dimension, settings_);
  if (base_ != 0) PARLANCE_TRY_DO(read_all(*loaded));
  index_ = std::move(loaded);
  seen_change_ = last_change;
  return {};
}

Result<void> MemoryVectors::read_all(memory::VectorIndex& index) {
  const FewPages few(db_);
  PARLANCE_TRY(expected, count());
  index.reserve(expected);
  PARLANCE_TRY(rows, db_.query("SELECT slot, category, scale, bytes FROM vectors WHERE slot>?1 AND slot<=?1+?2"));
  rows.bind(base_, memory_number_mask);
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return {};
    const BytesView bytes = rows.blob(3);
    if (bytes.size() != embedder_.dimension) continue;
    index.add(rows.integer(0) - base_, int8_row(bytes), static_cast<float>(rows.number(2)),
              static_cast<std::uint8_t>(rows.integer(1)));
  }
}

Result<void> MemoryVectors::apply(std::int64_t after) {
  // Asked again: what we knew may be from a transaction of ours that was taken back, and the number somebody else's by now.
  PARLANCE_TRY_DO(embedder_number());
  std::vector<std::int64_t> numbers;
  {
    PARLANCE_TRY(rows, db_.query("SELECT DISTINCT number FROM memory_changes WHERE change>?1"));
    rows.bind(after);
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      numbers.push_back(rows.integer(0));
    }
  }
  for (const std::int64_t number : numbers) {
    if (number == 0) return load(seen_change_);  // sync sets seen_change_ right
    PARLANCE_TRY_DO(refresh(number));
  }
  return {};
}

Result<void> MemoryVectors::refresh(std::int64_t number) {
  exact_.drop(number);
  PARLANCE_TRY(row, db_.query("SELECT category, scale, bytes FROM vectors WHERE slot=?1"));
  row.bind(base_ + number);
  PARLANCE_TRY(there, row.step());
  if (base_ == 0 || !there || row.blob(2).size() != embedder_.dimension) index_->remove(number);
  else index_->set(number, int8_row(row.blob(2)), static_cast<float>(row.number(1)), static_cast<std::uint8_t>(row.integer(0)));
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

Result<std::uint64_t> MemoryVectors::count() {
  PARLANCE_TRY(row, db_.query("SELECT rows FROM embedders WHERE id=?1 AND dimension=?2"));
  row.bind(embedder_.id, embedder_.dimension);
  PARLANCE_TRY(known, row.step());
  return known ? static_cast<std::uint64_t>(row.integer(0)) : 0;
}

}  // namespace parlance::store

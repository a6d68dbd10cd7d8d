// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx2 -mfma, which is how hnswlib's own vector code is chosen. Its namespace gets another name, so that these
// functions are not mixed up with those that our index has of it.
#define hnswlib hnswlib_of_peer  // NOLINT(readability-identifier-naming): the name of the library

#include "memory/vector_peers.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <hnswlib/hnswlib.h>
#include <unordered_map>

#include <sqlite3.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace parlance::bench {
namespace {

constexpr std::size_t wanted = 10;

// Keeps the best ten of all that are offered.
template <class T>
class BestTen {
 public:
  void offer(T likeness, std::int64_t number) {
    if (best_.size() == wanted && likeness <= best_.back().first) return;
    const auto at = std::ranges::upper_bound(best_, likeness, std::greater<>(), [](const auto& entry) { return entry.first; });
    best_.insert(at, {likeness, number});
    if (best_.size() > wanted) best_.pop_back();
  }
  Numbers numbers() const {
    Numbers out;
    for (const auto& [likeness, number] : best_) out.push_back(number);
    return out;
  }

 private:
  std::vector<std::pair<T, std::int64_t>> best_;
};

#if defined(__x86_64__)
float dot_avx2(const float* a, const float* b, std::size_t length) {
  __m256 sums[4]{};
  std::size_t i = 0;
  for (; i + 32 <= length; i += 32) {
    for (std::size_t part = 0; part < 4; ++part) {
      sums[part] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * part), _mm256_loadu_ps(b + i + 8 * part), sums[part]);
    }
  }
  float lanes[8];
  _mm256_storeu_ps(lanes, _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (; i < length; ++i) sum += a[i] * b[i];
  return sum;
}
#endif

struct DatabaseClose {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct StatementEnd {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::shared_ptr<sqlite3>;
using Statement = std::unique_ptr<sqlite3_stmt, StatementEnd>;

Statement prepare(sqlite3* database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

void bind_vector(sqlite3_stmt* statement, int index, std::span<const float> vector) {
  sqlite3_bind_blob(statement, index, vector.data(), static_cast<int>(vector.size_bytes()), SQLITE_STATIC);
}

}  // namespace

Numbers true_ten(std::span<const float> rows, std::size_t dimension, std::span<const float> query) {
  BestTen<double> best;
  for (std::size_t row = 0; row < rows.size() / dimension; ++row) {
    double dot = 0, squares = 0;
    for (std::size_t i = 0; i < dimension; ++i) {
      const double component = rows[row * dimension + i];
      dot += component * query[i];
      squares += component * component;
    }
    best.offer(dot / std::sqrt(squares), static_cast<std::int64_t>(row));
  }
  return best.numbers();
}

Searcher f32_scan(std::span<const float> rows, std::size_t dimension) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return {};
  return [=](std::span<const float> query) {
    BestTen<float> best;
    const std::size_t count = rows.size() / dimension;
    for (std::size_t row = 0; row < count; ++row) {
      best.offer(dot_avx2(query.data(), rows.data() + row * dimension, dimension), static_cast<std::int64_t>(row));
    }
    return best.numbers();
  };
#else
  return {};
#endif
}

GraphSearcher hnswlib_f32(std::span<const float> rows, std::size_t dimension) {
  struct Held {
    explicit Held(std::size_t length, std::size_t count) : space(length), graph(&space, count, 16, 128) {}
    hnswlib::InnerProductSpace space;
    hnswlib::HierarchicalNSW<float> graph;
  };
  const std::size_t count = rows.size() / dimension;
  const auto held = std::make_shared<Held>(dimension, count);
  for (std::size_t row = 0; row < count; ++row) held->graph.addPoint(rows.data() + row * dimension, row);
  return [held](std::span<const float> query, std::size_t breadth) {
    held->graph.setEf(breadth);
    auto found = held->graph.searchKnn(query.data(), wanted);
    Numbers numbers;
    for (; !found.empty(); found.pop()) numbers.push_back(static_cast<std::int64_t>(found.top().second));
    std::ranges::reverse(numbers);
    return numbers;
  };
}

Searcher sqlite_vec(const std::string& library, std::span<const float> rows, std::size_t dimension, std::string& why) {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  const Database database(opened, DatabaseClose());
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  const auto run = [&](const std::string& sql) {
    return sqlite3_exec(opened, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  char* error = nullptr;
  if (sqlite3_load_extension(opened, library.c_str(), "sqlite3_vec_init", &error) != SQLITE_OK) {
    why = error ? error : sqlite3_errmsg(opened);
    sqlite3_free(error);
    return {};
  }
  const std::string columns = "embedding float[" + std::to_string(dimension) + "] distance_metric=cosine";
  bool good = run("CREATE VIRTUAL TABLE v USING vec0(" + columns + ")") && run("BEGIN");
  if (const Statement insert = prepare(opened, "INSERT INTO v(rowid, embedding) VALUES(?1, ?2)"); good && insert) {
    for (std::size_t row = 0; good && row < rows.size() / dimension; ++row) {
      sqlite3_bind_int64(insert.get(), 1, static_cast<sqlite3_int64>(row));
      bind_vector(insert.get(), 2, rows.subspan(row * dimension, dimension));
      good = sqlite3_step(insert.get()) == SQLITE_DONE;
      sqlite3_reset(insert.get());
    }
  }
  const std::shared_ptr<sqlite3_stmt> select =
      prepare(opened, "SELECT rowid FROM v WHERE embedding MATCH ?1 AND k = " + std::to_string(wanted) + " ORDER BY distance");
  if (!good || !run("COMMIT") || !select) {
    why = sqlite3_errmsg(opened);
    return {};
  }
  return [database, select](std::span<const float> query) {
    bind_vector(select.get(), 1, query);
    Numbers numbers;
    while (sqlite3_step(select.get()) == SQLITE_ROW) numbers.push_back(sqlite3_column_int64(select.get(), 0));
    sqlite3_reset(select.get());
    return numbers;
  };
}

}  // namespace parlance::bench

// SPDX-License-Identifier: Apache-2.0
// Measures searches for the ten nearest of many vectors: time, recall of the true ten, and memory. Prints "NAME UNIT VALUE…"
// lines. A fact has a single value. A time has a value for each round, a median over the queries of the round. Times appear
// twice: as wall time, and under NAME-cpu as processor time, with less influence of other work on the machine. All entrants run
// in this process, in turns, on its pinned core.
//
//   vectors [--rows N] [--rounds N] [--peers] [--sqlite-vec LIBRARY] [--index]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "memory/vector_peers.h"
#include "parlance/memory/vector/exact_rows.h"
#include "parlance/memory/vector/vector_index.h"
#include "vector_data.h"

namespace parlance::bench {
namespace {

using namespace std::chrono_literals;
using memory::ExactRows;
using memory::ExactRowsInMemory;
using memory::ScanKernel;
using memory::VectorIndex;

constexpr std::size_t dimension = 384;
constexpr std::size_t queries = 100;       // of a round; the median of this number is steady to a few percent
constexpr std::size_t truth_queries = 50;  // The truth takes longest.

struct Options {
  std::size_t rows = 100'000;
  std::size_t rounds = 5;
  bool peers = false;
  bool index = false;
  std::string sqlite_vec{};
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (name == "--rows") options.rows = std::strtoull(value(), nullptr, 10);
    else if (name == "--rounds") options.rounds = std::strtoull(value(), nullptr, 10);
    else if (name == "--sqlite-vec") options.sqlite_vec = value();
    else if (name == "--peers") options.peers = true;
    else if (name == "--index") options.index = true;
    else std::fprintf(stderr, "what is %s?\n", argv[i]), std::exit(2);
  }
  return options;
}

// Processor time of all threads: a search has one thread, and sleeps while another thread builds a graph.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(); }
  double cpu_seconds() const { return process_seconds() - cpu_begun_; }

 private:
  static double process_seconds() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  double cpu_begun_ = process_seconds();
};

void print(std::string_view name, std::string_view unit, const std::vector<double>& values) {
  std::printf("%.*s %.*s", static_cast<int>(name.size()), name.data(), static_cast<int>(unit.size()), unit.data());
  for (const double value : values) std::printf(" %.6g", value);
  std::printf("\n");
  std::fflush(stdout);
}
void print(std::string_view name, std::string_view unit, double value) { print(name, unit, std::vector<double>{value}); }
void print(const std::string& name, const Stopwatch& watch) {
  print(name, "s", watch.seconds());
  print(name + "-cpu", "s", watch.cpu_seconds());
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::vector<std::vector<float>> some_queries(VectorData& data, void (VectorData::*make)(std::vector<float>&)) {
  std::vector<std::vector<float>> made(queries);
  for (auto& query : made) (data.*make)(query);
  return made;
}

double recall(const Searcher& searcher, const std::vector<Numbers>& truth, const std::vector<std::vector<float>>& asked) {
  std::size_t found = 0, expected = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (const std::int64_t number : searcher(asked[i])) found += std::ranges::count(truth[i], number) != 0 ? 1 : 0;
    expected += truth[i].size();
  }
  return static_cast<double>(found) / static_cast<double>(expected);
}

struct Entrant {
  std::string name;
  Searcher search;
  std::vector<double> ms{};
  std::vector<double> cpu_ms{};
};

// Every entrant once a round, in the same order.
void in_turns(std::vector<Entrant>& entrants, const std::vector<std::vector<float>>& asked, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Entrant& entrant : entrants) {
      std::vector<double> times, cpu_times;
      for (const auto& query : asked) {
        const Stopwatch watch;
        entrant.search(query);
        times.push_back(watch.seconds() * 1e3);
        cpu_times.push_back(watch.cpu_seconds() * 1e3);
      }
      entrant.ms.push_back(median(std::move(times)));
      entrant.cpu_ms.push_back(median(std::move(cpu_times)));
    }
  }
  for (const Entrant& entrant : entrants) {
    print(entrant.name, "ms", entrant.ms);
    print(entrant.name + "-cpu", "ms", entrant.cpu_ms);
  }
}

Searcher searcher_of(const VectorIndex& index, ExactRows& exact, std::uint32_t groups = VectorIndex::all_groups) {
  return [&index, &exact, groups](std::span<const float> query) {
    Numbers numbers;
    for (const auto& found : index.search(query, 10, exact, groups)) numbers.push_back(found.number);
    return numbers;
  };
}

struct Quantized {
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;
};
Quantized quantized(const std::vector<float>& rows) {
  Quantized out;
  out.bytes.reserve(rows.size());
  for (std::size_t at = 0; at < rows.size(); at += dimension) {
    const memory::QuantizedVector one = memory::quantize(std::span(rows).subspan(at, dimension));
    out.bytes.insert(out.bytes.end(), one.bytes.begin(), one.bytes.end());
    out.scales.push_back(one.scale);
  }
  return out;
}
void fill(VectorIndex& index, const Quantized& rows) {
  for (std::size_t i = 0; i < rows.scales.size(); ++i) {
    index.set(static_cast<std::int64_t>(i), std::span(rows.bytes).subspan(i * dimension, dimension), rows.scales[i], i % 5);
  }
}

void build_graph(VectorIndex& index, const std::string& name) {
  const Stopwatch watch;
  index.start_approximate();
  while (!index.poll()) std::this_thread::sleep_for(20ms);
  print(name + "-build", watch);
}

// The input of every entrant: rows, queries, and the true ten of the first queries.
struct Work {
  explicit Work(const Options& options) : rows_count(options.rows), data(dimension, options.rows) {
    rows.reserve(options.rows * dimension);
    for (std::size_t i = 0; i < options.rows; ++i) {
      data.clustered(row);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    asked = some_queries(data, &VectorData::clustered);
    truth = truth_of(asked);
  }
  std::vector<Numbers> truth_of(const std::vector<std::vector<float>>& of) const {
    std::vector<Numbers> found;
    const std::size_t known = rows_count > 300'000 ? truth_queries / 5 : truth_queries;
    for (std::size_t i = 0; i < known; ++i) found.push_back(true_ten(rows, dimension, of[i]));
    return found;
  }
  std::span<const float> row_at(std::size_t i) const { return std::span(rows).subspan(i * dimension, dimension); }
  double held_bytes() const { return static_cast<double>(rows_count * dimension); }  // with a byte for each number

  std::size_t rows_count;
  VectorData data;
  std::vector<float> rows, row;
  std::vector<std::vector<float>> asked;
  std::vector<Numbers> truth;
};

// Memory and filling, as when a program starts and has read the rows of its database.
void measure_filling(const Work& work, const Quantized& small, VectorIndex& index, ExactRowsInMemory& exact) {
  const double before = resident_bytes();
  {
    const Stopwatch watch;
    fill(index, small);
    print("fill", watch);
  }
  const double held = work.held_bytes();
  print("int8-bytes", "x", static_cast<double>(index.bytes()) / held);
  print("int8-resident", "x", (resident_bytes() - before) / held);
  for (std::size_t i = 0; i < work.rows_count; ++i) exact.set(static_cast<std::int64_t>(i), work.row_at(i));
  print("all-bytes", "x", static_cast<double>(index.bytes() + exact.bytes()) / (held * 5));
  print("all-resident", "x", (resident_bytes() - before) / (held * 5));
}

// Scans: of ours, of ours on other processors, of other libraries.
void measure_scans(const Options& options, const Work& work, const Quantized& small, const VectorIndex& index, ExactRows& exact) {
  std::vector<Entrant> entrants;
  entrants.push_back({"ours", searcher_of(index, exact)});
  entrants.push_back({"ours-filtered", searcher_of(index, exact, 1U << 3)});
  if (Searcher scan = f32_scan(work.rows, dimension)) entrants.push_back({"f32-scan", std::move(scan)});
  print("ours-recall", "x", recall(entrants[0].search, work.truth, work.asked));

  std::vector<std::unique_ptr<VectorIndex>> others;
  if (options.peers) {
    for (const ScanKernel& kernel : memory::scan_kernels().subspan(1)) {
      others.push_back(std::make_unique<VectorIndex>(dimension, memory::VectorIndexSettings{.kernel = &kernel}));
      fill(*others.back(), small);
      entrants.push_back({kernel.name == "portable" ? "ours-portable" : "ours-avx2", searcher_of(*others.back(), exact)});
      print(entrants.back().name + "-recall", "x", recall(entrants.back().search, work.truth, work.asked));
    }
    if (std::string why; !options.sqlite_vec.empty()) {
      const Stopwatch watch;
      if (Searcher vec = sqlite_vec(options.sqlite_vec, work.rows, dimension, why)) {
        print("sqlite-vec-fill", watch);
        print("sqlite-vec-recall", "x", recall(vec, work.truth, work.asked));
        entrants.push_back({"sqlite-vec", std::move(vec)});
      } else {
        std::fprintf(stderr, "sqlite-vec: %s\n", why.c_str());
      }
    }
  }
  in_turns(entrants, work.asked, options.rounds);
}

void measure_graphs(const Options& options, const Work& work, VectorIndex& index, ExactRows& exact) {
  const Searcher scan = searcher_of(index, exact);
  std::vector<Numbers> all_exact;  // The scan's results for all queries: its own recall is printed above.
  for (const auto& query : work.asked) all_exact.push_back(scan(query));
  build_graph(index, "graph");
  std::vector<Entrant> graphs;
  print("graph-used", "x", index.approximate() ? 1 : 0);
  print("graph-bytes", "x", static_cast<double>(index.bytes()) / work.held_bytes());
  graphs.push_back({"graph", scan});
  print("graph-recall", "x", recall(graphs[0].search, all_exact, work.asked));
  print("graph-measured-recall", "x", index.measure_recall(20, exact).value_or(0));
  if (!options.peers) return in_turns(graphs, work.asked, options.rounds);

  const Stopwatch watch;
  const auto peer = hnswlib_f32(work.rows, dimension);
  print("hnswlib-build", watch);
  // As broad as necessary, like ours.
  std::size_t breadth = 64;
  const auto at_breadth = [&](std::span<const float> query) { return peer(query, breadth); };
  while (breadth < 1024 && recall(at_breadth, all_exact, work.asked) < 0.99) breadth *= 2;
  print("hnswlib-recall", "x", recall(at_breadth, all_exact, work.asked));
  graphs.push_back({"hnswlib", at_breadth});
  in_turns(graphs, work.asked, options.rounds);
}

// Vectors without any structure, the hardest case; they replace the others.
void measure_uniform(const Options& options, Work& work, ExactRowsInMemory& exact) {
  for (std::size_t i = 0; i < work.rows_count; ++i) {
    work.data.uniform(work.row);
    std::ranges::copy(work.row, work.rows.begin() + static_cast<std::ptrdiff_t>(i * dimension));
    exact.set(static_cast<std::int64_t>(i), work.row);
  }
  VectorIndex uniform(dimension);
  fill(uniform, quantized(work.rows));
  const auto random = some_queries(work.data, &VectorData::uniform);
  print("uniform-recall", "x", recall(searcher_of(uniform, exact), work.truth_of(random), random));
  std::vector<Entrant> last;
  last.push_back({"uniform", searcher_of(uniform, exact)});
  in_turns(last, random, options.rounds);
}

int main(const Options& options) {
  Work work(options);
  const Quantized small = quantized(work.rows);
  VectorIndex index(dimension, {.approximate_from_bytes = 0});
  ExactRowsInMemory exact(dimension);
  measure_filling(work, small, index, exact);
  measure_scans(options, work, small, index, exact);
  if (options.index || options.peers) measure_graphs(options, work, index, exact);
  if (options.peers) measure_uniform(options, work, exact);
  return 0;
}

}  // namespace
}  // namespace parlance::bench

int main(int argc, char** argv) { return parlance::bench::main(parlance::bench::parse(argc, argv)); }

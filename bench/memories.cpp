// SPDX-License-Identifier: Apache-2.0
// Measures memories in PostgreSQL against memories in a SQLite file.
//
//   memories [ROWS [SECONDS]]     ROWS memories (10,000) and SECONDS for each series of questions (2).
//
// Both stores receive ROWS memories in batches of 200. Three series of new questions for each store follow, in turns. Then the
// benchmark stores single memories, with a question after each. It prints memories a second, milliseconds, and the ratios.
//
// The benchmark starts the server, on the disk of the SQLite file. The built-in embedder computes the vectors.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "measure.h"
#include "memory/made_up_memories.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/pg/connection.h"
#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/store/memory_pg/memory_postgres.h"
#include "tests/postgres/server.h"

namespace parlance {
namespace {

using bench::give_up;

constexpr std::size_t batch = 200;
constexpr std::size_t rounds = 3;
constexpr std::size_t single_puts = 50;

double seconds_since(TimePoint begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double middle(std::vector<double> figures) {
  std::ranges::sort(figures);
  return figures.empty() ? 0 : figures[figures.size() / 2];
}

class Asked {
 public:
  Asked(Loop& loop, std::unique_ptr<memory::Store> store) : loop_(loop), store_(std::move(store)) {}

  double fill(std::size_t rows) {
    bench::Numbers numbers;
    const TimePoint begin = Clock::now();
    for (std::size_t row = 0; row < rows;) {
      std::vector<memory::NewEntry> entries;
      for (; entries.size() < batch && row < rows; ++row)
        entries.push_back({.text = bench::text(numbers, row), .category = static_cast<memory::Category>(row % 5)});
      put(std::move(entries));
    }
    return static_cast<double>(rows) / seconds_since(begin);
  }
  double ask() {
    const TimePoint begin = Clock::now();
    if (const auto hits = loop_.block_on(store_->search("", {.text = questions_.next()})); !hits) give_up(hits.error().message);
    return seconds_since(begin) * 1e3;
  }
  void ask_for(double seconds, std::vector<double>& times) {
    for (const TimePoint begin = Clock::now(); seconds_since(begin) < seconds;) times.push_back(ask());
  }
  void remember_and_ask(std::vector<double>& puts, std::vector<double>& asks) {
    for (std::size_t i = 0; i < single_puts; ++i) {
      std::vector<memory::NewEntry> one;
      one.push_back({.text = "nobody said " + std::to_string(++said_) + " before " + questions_.next()});
      const TimePoint begin = Clock::now();
      put(std::move(one));
      puts.push_back(seconds_since(begin) * 1e3);
      asks.push_back(ask());
    }
  }

 private:
  void put(std::vector<memory::NewEntry> entries) {
    if (const auto done = loop_.block_on(store_->put("", std::move(entries))); !done) give_up(done.error().message);
  }

  Loop& loop_;
  std::unique_ptr<memory::Store> store_;
  bench::FreshQuestions questions_;
  std::size_t said_ = 0;
};

struct Times {
  double stored = 0;  // a second
  double loaded = 0;  // the first search
  std::vector<double> asks{}, puts{}, asks_after{};
};

void line(const char* what, double shared, double file) {
  std::printf("%-58s PostgreSQL %9.2f   SQLite %9.2f   ratio %.2f\n", what, shared, file, shared / file);
}

// As every server does by itself after a while; the one of the tests does not.
void gather_statistics(const std::string& address) {
  const pg::Interrupt never;
  auto connection = pg::Connection::open({.address = address, .silence = std::chrono::minutes(1)}, never);
  if (!connection || !(*connection)->run_script("ANALYZE")) give_up("no statistics");
}

void compare(std::size_t rows, double seconds) {
  std::string folder = (std::filesystem::temp_directory_path() / "parlance-memories-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) give_up("no temporary folder");
  {
    Loop loop;
    memory::BuiltinEmbedder embedder;
    const std::string address = test::postgres().new_database();
    std::array<Times, 2> times;
    const auto open = [&](std::size_t which) -> std::unique_ptr<memory::Store> {
      if (which == 0)
        return std::make_unique<store::MemoryPostgres>(loop, store::MemoryPostgresSettings{.address = address}, embedder);
      return std::make_unique<store::MemorySqlite>(loop, folder, embedder);
    };
    for (std::size_t which = 0; which < 2; ++which) times[which].stored = Asked(loop, open(which)).fill(rows);
    gather_statistics(address);
    std::array<Asked, 2> asked{Asked(loop, open(0)), Asked(loop, open(1))};
    for (std::size_t which = 0; which < 2; ++which) times[which].loaded = asked[which].ask();
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t which = 0; which < 2; ++which) asked[which].ask_for(seconds, times[which].asks);
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::size_t which = 0; which < 2; ++which) asked[which].remember_and_ask(times[which].puts, times[which].asks_after);
    std::printf("%zu memories\n", rows);
    line("stored, 200 at once, a second", times[0].stored, times[1].stored);
    line("first search of a process, ms", times[0].loaded, times[1].loaded);
    line("search for what nobody asked before, p50 ms", middle(times[0].asks), middle(times[1].asks));
    line("one memory stored, p50 ms", middle(times[0].puts), middle(times[1].puts));
    line("the search after it, p50 ms", middle(times[0].asks_after), middle(times[1].asks_after));
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace
}  // namespace parlance

int main(int count, char** arguments) {
  if (const std::string why = parlance::test::PostgresServer::missing(); !why.empty()) parlance::bench::give_up(why);
  parlance::compare(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 10'000, count > 2 ? std::atof(arguments[2]) : 2);
}

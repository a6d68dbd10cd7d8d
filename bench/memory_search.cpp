// SPDX-License-Identifier: Apache-2.0
// Measures a search in 10,000 memories over a socket. Further figures are the rate of new memories with their vectors, and the load of
// vectors after a start. The script bench/run compares the search with the blocking floor in C (bench/floor.cpp).
//
// `memory_search fill STATE ROWS` stores generated memories in batches of 200 and prints the rate a second.
//
// `memory_search load STATE` opens the database, loads the vectors, and prints milliseconds, also for a million rows.
//
// `memory_search server SOCKET STATE [SCAN]` serves MemorySearch over Go net/rpc like `parlance agent`. SCAN is `avx2` or `portable`
// (plain C++). Without SCAN, the server selects the best scan of the processor.
//
// `memory_search client SOCKET SECONDS KIND` searches without a pause and prints percentiles, then the line of measure.h. KIND is
// `fresh` for new questions, or `again` for twelve repeated questions.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "measure.h"
#include "memory/made_up_memories.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/memory/vector/vector_scan.h"
#include "parlance/protocol/gorpc/client.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/store/memory/memory_sqlite.h"
#include "parlance/transport/sockets.h"

namespace parlance {
namespace {

constexpr std::size_t batch = 200;

using bench::FreshQuestions;
using bench::Numbers;
using bench::questions;
using bench::text;

int complain(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

double seconds_since(TimePoint begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

int fill(const std::string& state, std::size_t rows) {
  Loop loop;
  memory::BuiltinEmbedder embedder;
  store::MemorySqlite memory(loop, state, embedder);
  Numbers numbers;
  const TimePoint begin = Clock::now();
  for (std::size_t row = 0; row < rows;) {
    std::vector<memory::NewEntry> entries;
    for (; entries.size() < batch && row < rows; ++row)
      entries.push_back({.text = text(numbers, row), .category = static_cast<memory::Category>(row % 5)});
    if (const auto done = loop.block_on(memory.put("", std::move(entries))); !done) return complain(done.error());
  }
  std::printf("%.0f\n", static_cast<double>(rows) / seconds_since(begin));
  return 0;
}

int load(const std::string& state) {
  Loop loop;
  memory::BuiltinEmbedder embedder;
  store::MemorySqlite memory(loop, state, embedder);
  const auto stats = loop.block_on(memory.stats(""));
  if (!stats) return complain(stats.error());
  const TimePoint begin = Clock::now();
  if (const auto hits = loop.block_on(memory.search("", {.text = "nothing in particular"})); !hits) return complain(hits.error());
  const double ms = seconds_since(begin) * 1e3;
  std::printf("%.1f %.1f\n", ms, ms * 1e6 / static_cast<double>(std::max<std::uint64_t>(stats->embedded, 1)));
  return 0;
}

// Null: the best of the processor.
const memory::ScanKernel* kernel_of(const std::string& word) {
  if (word.empty()) return nullptr;
  for (const memory::ScanKernel& kernel : memory::scan_kernels())
    if (kernel.name == (word == "avx2" ? "AVX2" : word)) return &kernel;
  bench::give_up("this processor has no " + word);
}

int serve(const std::string& path, const std::string& state, const std::string& scan) {
  Loop loop;
  memory::BuiltinEmbedder embedder;
  store::MemorySqlite memory(loop, state, embedder, {.kernel = kernel_of(scan)});
  server::ChatStreams streams(loop);
  Router router;
  server::serve_agent(router, {.loop = loop, .memory = &memory, .streams = streams});
  gorpc::Server server(loop, router);
  auto listener = listen_unix(loop, path, [&](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); });
  if (!listener) return complain(listener.error());
  SignalWatch signals(loop, {SIGTERM, SIGINT});
  std::puts("ready");
  std::fflush(stdout);
  loop.block_on(signals.next());
  return 0;
}

int call(const std::string& path, double seconds, bool fresh) {
  Loop loop;
  FreshQuestions others;
  const auto run = [&]() -> Task<int> {
    auto stream = co_await connect_unix(loop, path);
    if (!stream) co_return complain(stream.error());
    auto peer = co_await gorpc::connect(loop, std::move(*stream));
    if (!peer) co_return complain(peer.error());
    Scope scope(loop);
    scope.start([](Peer& p) -> Task<void> { static_cast<void>(co_await p.run()); }(**peer));
    const auto search = [&](std::string question) {
      return (*peer)->call_named("RPCService.MemorySearch", gorpc::memory_search, {.query = std::move(question)});
    };
    // Loads the vectors.
    if (const auto first = co_await search(std::string(questions[0])); !first) co_return complain(first.error());
    bench::Measurement measurement(seconds);
    std::vector<double> times;
    for (std::size_t number = 0; !measurement.over(Clock::now()); ++number) {
      std::string question = fresh ? others.next() : std::string(questions[number % std::size(questions)]);
      const TimePoint begin = Clock::now();
      const auto reply = co_await search(std::move(question));
      if (!reply) co_return complain(reply.error());
      times.push_back(seconds_since(begin) * 1e6);
      measurement.count(Clock::now());
    }
    measurement.stop();
    std::ranges::sort(times);
    std::printf("p50 %.0f p95 %.0f p99 %.0f microseconds\n", times[times.size() / 2], times[times.size() * 95 / 100],
                times[times.size() * 99 / 100]);
    measurement.print();
    co_return 0;
  };
  return loop.block_on(run());
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  parlance::ignore_sigpipe();
  const std::vector<std::string> words(argv, argv + argc);
  const std::string what = argc > 1 ? words[1] : "";
  if (what == "fill" && argc == 4) return parlance::fill(words[2], std::strtoul(argv[3], nullptr, 10));
  if (what == "load" && argc == 3) return parlance::load(words[2]);
  if (what == "server" && (argc == 4 || argc == 5)) return parlance::serve(words[2], words[3], argc == 5 ? words[4] : "");
  if (what == "client" && argc == 5 && (words[4] == "fresh" || words[4] == "again"))
    return parlance::call(words[2], std::atof(argv[3]), words[4] == "fresh");
  std::fprintf(stderr,
               "usage: memory_search fill STATE ROWS | load STATE | server SOCKET STATE [SCAN] | client SOCKET SECONDS KIND\n");
  return 2;
}

// How long does a search in 10,000 memories take, over the socket and back? How many memories a second can be stored, their vectors
// included? How long does the first search after a start wait for the vectors to be loaded? bench/run puts the first beside the
// blocking C floor (bench/floor.cpp).
//
//   memory_search fill STATE ROWS             stores generated memories in batches of 200; prints how many a second
//   memory_search load STATE                  opens the database and loads the vectors; prints milliseconds, and for a million rows
//   memory_search server SOCKET STATE [SCAN]  MemorySearch over Go net/rpc, as `parlance agent` serves it; vectors are scanned by the
//                                             best that the processor has, or by AVX2 or plain C++ (SCAN: avx2, portable)
//   memory_search client SOCKET SECONDS KIND  one search after the other; prints the percentiles, then what measure.h says. KIND:
//                                             `fresh`, of questions that nobody has asked before; `again`, of twelve
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

#include "measure.h"
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

constexpr std::string_view who[] = {"the user",    "we",         "the team",   "Maria",        "the build",
                                    "the gateway", "our server", "the editor", "用户",         "团队",
                                    "数据库",      "the deploy", "Ben",        "the customer", "project atlas"};
constexpr std::string_view does[] = {"prefers", "decided to use", "runs on",  "depends on", "should avoid", "works with",
                                     "喜欢",    "使用",           "决定采用", "moved to",   "waits for",    "needs"};
constexpr std::string_view what[] = {"the vim editor", "PostgreSQL",     "Debian 12",        "port 5432",        "a dark theme",
                                     "tabs",           "深色主题",       "每周二发布",       "short commits",    "two reviewers",
                                     "libsqlite3-dev", "a staging host", "a nightly backup", "Kubernetes",       "green tea",
                                     "early meetings", "new tools",      "the old parser",   "monthly invoices", "rotating keys"};
constexpr std::string_view when[] = {"because of latency", "since March", "in every repository", "for the release",
                                     "until summer",       "on Fridays",  "in production",       "除非另有说明"};
constexpr std::string_view questions[] = {"what editor does the user prefer",
                                          "port 5432",
                                          "深色主题",
                                          "which database do we use in production",
                                          "nightly backup",
                                          "用户喜欢什么主题",
                                          "who drinks green tea",
                                          "rotating keys on Fridays",
                                          "Kubernetes",
                                          "where does the gateway run",
                                          "no such thing at all",
                                          "meetings of Maria"};
// Of what people ask besides, and no memory speaks of.
constexpr std::string_view besides[] = {
    "invoice",   "password", "holiday", "printer",  "coffee",    "budget",   "laptop",  "meeting room", "contract", "train",
    "monitor",   "keyboard", "ticket",  "branch",   "license",   "schema",   "timeout", "certificate",  "retry",    "queue",
    "dashboard", "metrics",  "alert",   "rollback", "migration", "birthday", "address", "phone number", "lunch",    "parking",
    "接口",      "会议",     "密码",    "预算",     "日志",      "测试",     "合同",    "打印机",       "假期",     "咖啡"};

// The same numbers on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed = 42) : state_(seed) {}
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_;
};

template <std::size_t N>
std::string_view one_of(Numbers& numbers, const std::string_view (&words)[N]) {
  return words[numbers.below(N)];
}

// A name that nobody else has, of syllables: real memories have many rare words.
std::string name(Numbers& numbers) {
  std::string made;
  for (std::size_t i = 0, syllables = 2 + numbers.below(3); i < syllables; ++i) {
    made += "bcdfghklmnprstvz"[numbers.below(16)];
    made += "aeiou"[numbers.below(5)];
  }
  return made;
}

std::string text(Numbers& numbers, std::size_t row) {
  std::string made(one_of(numbers, who));
  for (const std::string_view part : {one_of(numbers, does), one_of(numbers, what), one_of(numbers, when)})
    made += " " + std::string(part);
  return made + " " + name(numbers) + " " + name(numbers) + " " + std::to_string(row);
}

// What somebody may ask of these memories: of what many speak of, of a name that one of them has or none, of something else. Never
// the same question twice, so what is kept of answers helps as far as words come again, as in life.
class FreshQuestions {
 public:
  std::string next() {
    for (;;) {
      std::string made = one();
      if (asked_.insert(made).second) return made;
    }
  }

 private:
  std::string one() {
    const auto part = [&](const auto& words) { return std::string(one_of(numbers_, words)); };
    switch (numbers_.below(8)) {
      case 0: return "what do we know about " + known_name();
      case 1: return part(who) + " " + part(does) + " " + name(numbers_);
      case 2: return "does " + part(who) + " need " + part(what) + " for the " + part(besides);
      case 3: return known_name() + " " + part(what);
      case 4: return part(what) + " " + part(when) + " " + known_name();
      case 5: return "which " + part(besides) + " did " + name(numbers_) + " choose " + part(when);
      case 6: return part(who) + "的" + part(besides) + " " + name(numbers_);
      default: return "why " + part(what) + " and not " + part(besides) + " " + part(when) + "?";
    }
  }
  // Of a memory among the first hundreds: the rows are generated one after the other.
  std::string known_name() {
    if (named_.empty()) {
      Numbers rows;
      for (std::size_t row = 0; row < 2000; ++row) {
        const std::string made = text(rows, row);
        const std::size_t end = made.rfind(' ');
        const std::size_t begin = made.rfind(' ', end - 1) + 1;
        named_.push_back(made.substr(begin, end - begin));
      }
    }
    return named_[numbers_.below(named_.size())];
  }

  Numbers numbers_{4711};
  std::vector<std::string> named_;
  std::unordered_set<std::string> asked_;
};

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
    if (const auto done = loop.block_on(memory.put(std::move(entries))); !done) return complain(done.error());
  }
  std::printf("%.0f\n", static_cast<double>(rows) / seconds_since(begin));
  return 0;
}

int load(const std::string& state) {
  Loop loop;
  memory::BuiltinEmbedder embedder;
  store::MemorySqlite memory(loop, state, embedder);
  const auto stats = loop.block_on(memory.stats());
  if (!stats) return complain(stats.error());
  const TimePoint begin = Clock::now();
  if (const auto hits = loop.block_on(memory.search({.text = "nothing in particular"})); !hits) return complain(hits.error());
  const double ms = seconds_since(begin) * 1e3;
  std::printf("%.1f %.1f\n", ms, ms * 1e6 / static_cast<double>(std::max<std::uint64_t>(stats->embedded, 1)));
  return 0;
}

// Null: the best.
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

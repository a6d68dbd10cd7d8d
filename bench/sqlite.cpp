// SPDX-License-Identifier: Apache-2.0
// Measures 1,000,000 rows as JSON, from sqlite-helper over its pipes, against a floor. The floor steps the same statement by
// hand, with every value written by the shortest known code, into the same pipe. Also measures the start to the first answer, and
// memory.
//
//   bench_sqlite path/to/sqlite-helper rounds [NAME COMMAND]…
//
// Each COMMAND is a peer: a shell command that writes the same rows to its stdout, with the database as $1. All peers take turns.
// Prints a JSON object: the figures of each round, in order; bench/run makes a table.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#include <sqlite3.h>

#include "parlance/base/clock.h"

namespace parlance::bench {
namespace {

constexpr int rows_of_table = 1'000'000;
constexpr int page = 1000;
constexpr const char* statement = "SELECT id, name, email, amount, visits, note FROM people WHERE id > ?1 ORDER BY id";

void make_database(const std::string& path) {
  sqlite3* db = nullptr;
  sqlite3_open(path.c_str(), &db);
  sqlite3_exec(db,
               "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
               "CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, email TEXT, amount REAL, visits INTEGER, note TEXT);"
               "INSERT INTO people WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 1000000)"
               "SELECT i, 'person '||i, 'p'||i||'@example.org', (i*7919%1000000)/100.0, i*31%977,"
               "CASE i%3 WHEN 0 THEN NULL ELSE 'a note of some words, number '||(i*13%5000) END FROM n",
               nullptr, nullptr, nullptr);
  sqlite3_close(db);
}

// ---- the floor ------------------------------------------------------------------------------------------------------------------

class Writer {
 public:
  void room(std::size_t bytes) {
    if (used_ + bytes > buffer_.size()) flush();
  }
  void text(const char* from, std::size_t size) {
    std::copy_n(from, size, buffer_.data() + used_);
    used_ += size;
  }
  template <std::size_t N>
  void literal(const char (&t)[N]) {
    text(t, N - 1);
  }
  void escaped(const unsigned char* from, int size) {
    room(static_cast<std::size_t>(size) * 6 + 2);
    char* at = buffer_.data() + used_;
    *at++ = '"';
    for (int i = 0; i < size; ++i) {
      const unsigned char c = from[i];
      if (c >= 0x20 && c != '"' && c != '\\') *at++ = static_cast<char>(c);
      else at += std::snprintf(at, 7, "\\u%04x", c);
    }
    *at++ = '"';
    used_ = static_cast<std::size_t>(at - buffer_.data());
  }
  template <class T>
  void number(T value) {
    used_ =
        static_cast<std::size_t>(std::to_chars(buffer_.data() + used_, buffer_.data() + used_ + 40, value).ptr - buffer_.data());
  }
  void flush() {
    for (std::size_t sent = 0; sent < used_;)
      sent += static_cast<std::size_t>(std::max<ssize_t>(0, ::write(1, buffer_.data() + sent, used_ - sent)));
    used_ = 0;
  }

 private:
  std::array<char, 256 << 10> buffer_{};
  std::size_t used_ = 0;
};

void floor_main(const std::string& path) {
  static Writer out;
  sqlite3* db = nullptr;
  sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  sqlite3_stmt* s = nullptr;
  sqlite3_prepare_v2(db, statement, -1, &s, nullptr);
  sqlite3_bind_int64(s, 1, 0);
  const auto text = [&](int column) {
    if (sqlite3_column_type(s, column) == SQLITE_NULL) {
      out.literal("null");
      return;
    }
    const unsigned char* const bytes = sqlite3_column_text(s, column);
    out.escaped(bytes, sqlite3_column_bytes(s, column));
  };
  while (sqlite3_step(s) == SQLITE_ROW) {
    out.room(1024);
    out.literal("{\"id\":");
    out.number(sqlite3_column_int64(s, 0));
    out.literal(",\"name\":");
    text(1);
    out.literal(",\"email\":");
    text(2);
    out.literal(",\"amount\":");
    out.number(sqlite3_column_double(s, 3));
    out.literal(",\"visits\":");
    out.number(sqlite3_column_int64(s, 4));
    out.literal(",\"note\":");
    text(5);
    out.literal("}\n");
  }
  out.flush();
  ::_exit(0);
}

// ---- the helper -----------------------------------------------------------------------------------------------------------------

struct Child {
  pid_t pid = 0;
  int in = -1;
  int out = -1;
};

Child start(const std::function<void()>& child_main) {
  int down[2];
  int up[2];
  if (::pipe(down) != 0 || ::pipe(up) != 0) std::exit(1);
  ::fcntl(up[0], F_SETPIPE_SZ, 1 << 20);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(down[0], 0);
    ::dup2(up[1], 1);
    for (const int fd : {down[0], down[1], up[0], up[1]}) ::close(fd);
    child_main();
    ::_exit(127);
  }
  ::close(down[0]);
  ::close(up[1]);
  return {pid, down[1], up[0]};
}

double seconds_since(TimePoint begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::vector<char>& buffer() {
  static std::vector<char> bytes(1 << 20);
  return bytes;
}

// By memchr: std::count reads byte by byte, and took a quarter of the apparent time of a page over MCP.
std::size_t lines_in(std::string_view bytes) {
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = bytes.find('\n', at)) != std::string_view::npos; ++at) ++lines;
  return lines;
}

// Reads `lines` more lines, or to the end; returns the number of bytes.
std::size_t drain(int fd, std::size_t lines, std::size_t& ahead) {
  std::size_t total = 0;
  while (ahead < lines) {
    const ssize_t got = ::read(fd, buffer().data(), buffer().size());
    if (got <= 0) return total;
    total += static_cast<std::size_t>(got);
    ahead += lines_in({buffer().data(), static_cast<std::size_t>(got)});
  }
  ahead -= lines;
  return total;
}
std::size_t drain(int fd, std::size_t lines) {
  std::size_t ahead = 0;
  return drain(fd, lines, ahead);
}

void say(int fd, const std::string& text) {
  if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::exit(1);
}

// Processor seconds of the child's whole life: reliable even on a busy machine.
double finish(Child& child) {
  ::close(child.in);
  drain(child.out, SIZE_MAX);
  ::close(child.out);
  rusage used{};
  ::wait4(child.pid, nullptr, 0, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Child start_helper(const std::string& program) {
  return start([&] { ::execl(program.c_str(), program.c_str(), "--max-rows", "1000000", "--max-bytes", "1000000000", nullptr); });
}

std::string query(const std::string& path, int after, int limit) {
  return "{\"id\":" + std::to_string(after) + ",\"cmd\":\"query\",\"payload\":{\"path\":\"" + path + "\",\"sql\":\"" + statement +
         "\",\"params\":[" + std::to_string(after) + "],\"limit\":" + std::to_string(limit) + "}}\n";
}

long resident_kib(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10);
  return 0;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// {"name":[…],…}
class Report {
 public:
  void add(const std::string& name, double value) { figures_[name].push_back(value); }
  void print() const {
    const char* separator = "{";
    for (const auto& [name, values] : figures_) {
      std::printf("%s\"%s\":[", separator, name.c_str());
      for (std::size_t i = 0; i < values.size(); ++i) std::printf(i == 0 ? "%.6f" : ",%.6f", values[i]);
      std::printf("]");
      separator = ",\n";
    }
    std::printf("}\n");
  }

 private:
  std::map<std::string, std::vector<double>> figures_;
};

// Wall time, and the processor seconds of both ends in the same time: on a busy machine, the second is reliable.
struct Cost {
  double wall = 0;
  double cpu = 0;
};

double cpu_seconds(clockid_t clock) {
  timespec used{};
  ::clock_gettime(clock, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}
double cpu_of_both(const Child& child) {
  clockid_t clock = 0;
  return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) + (::clock_getcpuclockid(child.pid, &clock) == 0 ? cpu_seconds(clock) : 0);
}

void report_median(Report& report, const std::string& name, const std::vector<Cost>& costs) {
  std::vector<double> wall;
  std::vector<double> cpu;
  for (const Cost& cost : costs) wall.push_back(cost.wall), cpu.push_back(cost.cpu);
  report.add(name, median(std::move(wall)));
  report.add(name + " cpu", median(std::move(cpu)));
}

// This number of requests with their answers; medians in seconds.
void round_trips(Report& report, const std::string& name, const Child& child, int count,
                 const std::function<std::string(int)>& request) {
  std::vector<Cost> costs;
  for (int i = 0; i < count; ++i) {
    const std::string line = request(i);
    const double used = cpu_of_both(child);
    const TimePoint begin = Clock::now();
    say(child.in, line);
    drain(child.out, 1);
    const double wall = seconds_since(begin);
    costs.push_back({wall, cpu_of_both(child) - used});
  }
  report_median(report, name, costs);
}

// From fork to the first answer, this number of times; the last child lives on.
Child measured_start(Report& report, const std::string& name, const std::function<Child()>& begin_child,
                     const std::string& request) {
  constexpr int starts = 15;
  std::vector<Cost> costs;
  for (;;) {
    const double used = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const TimePoint begin = Clock::now();
    Child child = begin_child();
    say(child.in, request);
    drain(child.out, 1);
    const double wall = seconds_since(begin);
    costs.push_back({wall, cpu_of_both(child) - used});
    if (costs.size() == starts) {
      report_median(report, name, costs);
      return child;
    }
    finish(child);
  }
}

// The same over the Model Context Protocol on stdio.
void measure_mcp(const std::string& program, const std::string& path, Report& report) {
  const auto call = [](const std::string& method, const std::string& parameters) {
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + parameters + "}\n";
  };
  Child helper = measured_start(
      report, "mcp start", [&] { return start([&] { ::execl(program.c_str(), program.c_str(), "--mcp", nullptr); }); },
      call("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}})"));
  report.add("mcp idle", static_cast<double>(resident_kib(helper.pid)));
  say(helper.in, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  round_trips(report, "mcp list", helper, 2000, [&](int) { return call("tools/list", "{}"); });
  // Opening the database sends, before the answer, a notice of changed resources.
  say(helper.in, call("tools/call", R"({"name":"read_query","arguments":{"db_path":")" + path + R"(","sql":"SELECT 1"}})"));
  drain(helper.out, 2);
  round_trips(report, "mcp page", helper, 200, [&](int i) {
    return call("tools/call", R"({"name":"read_query","arguments":{"db_path":")" + path + R"(","sql":")" + statement +
                                  R"(","params":[)" + std::to_string(i * page) + R"(],"limit":)" + std::to_string(page) + "}}");
  });
  finish(helper);
}

using Peers = std::vector<std::pair<std::string, std::string>>;

int run(const std::string& program, int rounds, const Peers& peers) {
  const char* const folder = std::getenv("TMPDIR");
  const std::string path =
      std::string(folder == nullptr ? "/tmp" : folder) + "/parlance-bench-" + std::to_string(::getpid()) + ".db";
  make_database(path);
  Report report;
  const auto add = [&](const std::string& name, TimePoint begin, Child& child) {
    const double wall = seconds_since(begin);
    report.add(name + " wall", wall);
    report.add(name + " cpu", finish(child));
  };
  for (int round = 0; round < rounds; ++round) {
    TimePoint begin = Clock::now();
    Child floor = start([&] { floor_main(path); });
    const std::size_t floor_bytes = drain(floor.out, rows_of_table);
    add("floor", begin, floor);

    // A stream of requests, sixteen under way.
    begin = Clock::now();
    Child paged = start_helper(program);
    constexpr int under_way = 16;
    std::size_t ahead = 0;
    std::size_t bytes = 0;
    for (int i = 0; i < under_way; ++i) say(paged.in, query(path, i * page, page));
    for (int i = 0; i < rows_of_table / page; ++i) {
      bytes += drain(paged.out, 1, ahead);
      if (i + under_way < rows_of_table / page) say(paged.in, query(path, (i + under_way) * page, page));
    }
    report.add("after", static_cast<double>(resident_kib(paged.pid)));
    add("stream", begin, paged);
    if (bytes < floor_bytes) return std::fprintf(stderr, "the answers differ: %zu and %zu bytes\n", bytes, floor_bytes), 1;

    begin = Clock::now();
    Child whole = start_helper(program);
    say(whole.in, query(path, 0, rows_of_table));
    drain(whole.out, 1);
    add("whole", begin, whole);

    for (const auto& [name, command] : peers) {
      begin = Clock::now();
      Child peer = start([&] { ::execl("/bin/sh", "sh", "-c", command.c_str(), "sh", path.c_str(), nullptr); });
      drain(peer.out, SIZE_MAX);
      add(name, begin, peer);
    }

    Child helper = measured_start(
        report, "start", [&] { return start_helper(program); },
        "{\"id\":0,\"cmd\":\"query\",\"payload\":{\"path\":\"" + path + "\",\"sql\":\"SELECT 1\"}}\n");
    report.add("idle", static_cast<double>(resident_kib(helper.pid)));
    round_trips(report, "page", helper, 200, [&](int i) { return query(path, i * page, page); });
    finish(helper);
    measure_mcp(program, path, report);
  }
  ::unlink(path.c_str());
  report.print();
  return 0;
}

}  // namespace
}  // namespace parlance::bench

int main(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0)
    return std::fprintf(stderr, "usage: bench_sqlite path/to/sqlite-helper rounds [NAME COMMAND]…\n"), 2;
  parlance::bench::Peers peers;
  for (int i = 3; i + 1 < argc; i += 2) peers.emplace_back(argv[i], argv[i + 1]);
  return parlance::bench::run(argv[1], std::atoi(argv[2]), peers);
}

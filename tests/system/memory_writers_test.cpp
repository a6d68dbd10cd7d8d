// SPDX-License-Identifier: Apache-2.0
// Ten processes write into a memory and are killed again and again, at any point. Memories reported as stored exist exactly once,
// and the store is consistent: the words' index, the vectors and the counts agree with the table.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <random>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/base/check.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/memory/memory_file.h"

namespace parlance::test {
namespace {

class MemoryWriters : public testing::Test {
 protected:
  MemoryWriters() : folder((std::filesystem::temp_directory_path() / "parlance-writers-XXXXXX").string()) {
    PARLANCE_CHECK(::mkdtemp(folder.data()) != nullptr, "a folder for the test");
  }
  ~MemoryWriters() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  static store::Embedded embedded(const std::vector<memory::NewEntry>& entries) {
    store::Embedded made{.embedder = {.id = std::string(memory::builtin_embedder_id),
                                      .dimension = memory::builtin_dimension,
                                      .calibration = memory::builtin_calibration()}};
    for (const memory::NewEntry& entry : entries) made.vectors.push_back(memory::embed_text(entry.text));
    return made;
  }

  static std::int64_t number(sqlite::Database& db, const std::string& sql) {
    auto row = db.query(sql);
    PARLANCE_CHECK(row, "a statement that is right");
    const auto there = row->step();
    return there && *there ? row->integer(0) : -1;
  }
  static std::string text(sqlite::Database& db, const std::string& sql) {
    auto row = *db.query(sql);
    const auto there = row.step();
    return there && *there ? std::string(row.text(0)) : "nothing";
  }

  // All related data is consistent.
  static void expect_whole(const std::string& path, std::int64_t rows) {
    auto db = *sqlite::Database::open(path);
    EXPECT_EQ(text(*db, "PRAGMA integrity_check"), "ok");
    EXPECT_TRUE(db->execute("INSERT INTO memory_text(memory_text, rank) VALUES('integrity-check', 1)"));
    EXPECT_EQ(number(*db, "SELECT count(*) FROM memories"), rows);
    EXPECT_EQ(number(*db, "SELECT count(DISTINCT text) FROM memories"), rows);
    EXPECT_EQ(number(*db, "SELECT total(rows) FROM memory_counts"), rows);
    EXPECT_EQ(number(*db, "SELECT count(*) FROM vectors"), rows);
    EXPECT_EQ(number(*db, "SELECT count(*) FROM exact_vectors"), rows);
    EXPECT_EQ(number(*db, "SELECT total(rows) FROM embedders"), rows);
    EXPECT_EQ(
        number(*db, "SELECT count(*) FROM memories m JOIN vectors v ON v.slot = (SELECT number FROM embedders) << 40 | m.number"),
        rows);
  }

  std::string folder;
};

// A writer for the test: each stored memory is reported by a byte over a pipe.
class Writer {
 public:
  static constexpr int entries = 1000;

  Writer(std::string folder, int name) : folder_(std::move(folder)), name_(name) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { kill(); }

  static std::string text(int writer, int entry) {
    return "writer " + std::to_string(writer) + " keeps note " + std::to_string(entry) + " about the weather";
  }
  void start(const std::function<store::Embedded(const std::vector<memory::NewEntry>&)>& embed) {
    int ends[2];
    PARLANCE_CHECK(::pipe(ends) == 0, "a pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      store::MemoryFile file(folder_);
      for (int entry = acknowledged_; entry < entries; ++entry) {
        const std::vector<memory::NewEntry> one{{.text = text(name_, entry)}};
        const auto puts = file.put(one, embed(one));
        if (!puts) ::_exit(1);
        const char duplicate = puts->front().duplicate ? 'd' : 'n';
        if (::write(ends[1], &duplicate, 1) != 1) ::_exit(2);
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  // The reports since the last read; false after the writer's end.
  bool read() {
    char bytes[256];
    const ssize_t got = ::read(pipe_, bytes, sizeof bytes);
    if (got <= 0) return false;
    acknowledged_ += static_cast<int>(got);
    repeated_ += static_cast<int>(std::count(bytes, bytes + got, 'd'));
    return true;
  }
  // Every memory acknowledged before the end counts.
  int end(int signal) {
    if (pid_ <= 0) return 0;
    if (signal != 0) ::kill(pid_, signal);
    while (read()) {}
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ::close(pipe_);
    pid_ = 0;
    return status;
  }
  void kill() { end(SIGKILL); }
  bool running() const { return pid_ > 0; }
  int pipe() const { return pipe_; }
  int acknowledged() const { return acknowledged_; }
  int repeated() const { return repeated_; }

 private:
  std::string folder_;
  int name_;
  pid_t pid_ = 0;
  int pipe_ = -1;
  int acknowledged_ = 0;
  int repeated_ = 0;
};

TEST_F(MemoryWriters, TenThatAreKilledAtRandomLoseAndDoubleNothing) {
  constexpr int writers = 10;
  std::mt19937 random(20260301);
  std::vector<std::unique_ptr<Writer>> all;
  for (int i = 0; i < writers; ++i) {
    all.push_back(std::make_unique<Writer>(folder, i));
    all.back()->start(embedded);
  }
  int kills = 0;
  int until_next = 50;
  int unhappy = 0;
  for (;;) {
    std::vector<pollfd> waiting;
    std::vector<Writer*> whose;
    for (const auto& writer : all)
      if (writer->running()) {
        waiting.push_back({.fd = writer->pipe(), .events = POLLIN});
        whose.push_back(writer.get());
      }
    if (waiting.empty()) break;
    ASSERT_GT(::poll(waiting.data(), waiting.size(), -1), 0);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      const int before = whose[i]->acknowledged();
      if (whose[i]->read()) until_next -= whose[i]->acknowledged() - before;
      else unhappy += whose[i]->end(0) != 0 ? 1 : 0;
    }
    if (until_next > 0) continue;
    until_next = static_cast<int>(random() % 120);
    Writer& victim = *whose[random() % whose.size()];
    if (!victim.running()) continue;
    victim.kill();
    ++kills;
    if (victim.acknowledged() < Writer::entries) victim.start(embedded);
  }
  EXPECT_EQ(unhappy, 0) << "a put failed";
  EXPECT_GT(kills, 50);
  int repeated = 0;
  for (const auto& writer : all) {
    EXPECT_EQ(writer->acknowledged(), Writer::entries);
    repeated += writer->repeated();
  }
  RecordProperty("kills", kills);
  RecordProperty("stored_but_not_acknowledged", repeated);
  expect_whole(folder + "/memory.db", std::int64_t{writers} * Writer::entries);
  auto db = *sqlite::Database::open(folder + "/memory.db");
  auto row = *db->query("SELECT count(*) FROM memories WHERE text=?1");
  for (int writer = 0; writer < writers; ++writer)
    for (int entry = 0; entry < Writer::entries; ++entry) {
      ASSERT_TRUE(*row.bind(Writer::text(writer, entry)).step());
      ASSERT_EQ(row.integer(0), 1) << Writer::text(writer, entry);
    }
  store::MemoryFile file(folder);
  const std::vector<memory::NewEntry> wanted{{.text = Writer::text(7, 999)}};
  const auto hits = file.search({.text = wanted.front().text}, embedded(wanted));
  ASSERT_TRUE(hits);
  ASSERT_FALSE(hits->empty());
  EXPECT_EQ(hits->front().entry.text, wanted.front().text);
}

// As after a crash of the machine: the file with as much of its log as had reached the disk.
TEST_F(MemoryWriters, ACutLogLosesTheLastTransactionsAndNeverAPartOfOne) {
  constexpr int each = 10;
  const auto batch = [](int number) {
    std::vector<memory::NewEntry> entries;
    for (int i = 0; i < each; ++i) entries.push_back({.text = "batch " + std::to_string(number) + " entry " + std::to_string(i)});
    return entries;
  };
  store::MemoryFile file(folder);
  for (int i = 0; i < 12; ++i) ASSERT_TRUE(file.put(batch(i), embedded(batch(i))));
  const std::string path = folder + "/memory.db";
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path + "-wal"));
  std::mt19937 random(7);
  std::set<std::int64_t> seen;
  for (int attempt = 0; attempt < 25; ++attempt) {
    const std::string copy = folder + "/copy" + std::to_string(attempt);
    std::filesystem::create_directory(copy);
    std::filesystem::copy_file(path, copy + "/memory.db");
    std::filesystem::copy_file(path + "-wal", copy + "/memory.db-wal");
    // The tables themselves came with the first frames.
    const auto cut =
        attempt == 0 ? size : size / 3 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size - size / 3));
    std::filesystem::resize_file(copy + "/memory.db-wal", static_cast<std::uintmax_t>(cut));
    std::int64_t rows = 0;
    {
      auto db = *sqlite::Database::open(copy + "/memory.db");
      rows = number(*db, "SELECT count(*) FROM memories");
    }
    EXPECT_EQ(rows % each, 0) << "a part of a put";
    expect_whole(copy + "/memory.db", rows);
    seen.insert(rows);
    // And the writer continues: lost memories are stored again, existing memories are not doubled.
    store::MemoryFile again(copy);
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(again.put(batch(i), embedded(batch(i))));
    EXPECT_EQ(again.stats()->entries, 12U * each);
  }
  EXPECT_TRUE(seen.contains(std::int64_t{12} * each));
  EXPECT_GT(seen.size(), 2U) << "the cuts were all alike";
}

TEST_F(MemoryWriters, AWriterThatDiesInTheMiddleOfATransactionLeavesNothingOfIt) {
  {
    store::MemoryFile file(folder);
    ASSERT_TRUE(file.put({{.text = "here to stay"}}, embedded({{.text = "here to stay"}})));
  }
  const std::string log = folder + "/memory.db-wal";
  const pid_t child = ::fork();
  if (child == 0) {
    store::MemoryFile file(folder);
    std::vector<memory::NewEntry> many;
    for (int i = 0; i < 200'000; ++i) many.push_back({.text = "never committed " + std::to_string(i)});
    store::Embedded made = embedded({{.text = "one for all"}});
    made.vectors.assign(many.size(), made.vectors.front());
    static_cast<void>(file.put(many, made));
    ::_exit(0);
  }
  // Its pages have begun to spill into the log: the transaction is incomplete now.
  std::error_code missing;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const auto size = std::filesystem::file_size(log, missing);
    if (!missing && size > (std::uintmax_t{4} << 20)) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      break;
    }
  }
  ASSERT_TRUE(WIFSIGNALED(status)) << "it was done before it could be killed";
  expect_whole(folder + "/memory.db", 1);
  store::MemoryFile file(folder);
  EXPECT_EQ(file.stats()->entries, 1U);
  EXPECT_TRUE(file.put({{.text = "and life goes on"}}));
}

}  // namespace
}  // namespace parlance::test

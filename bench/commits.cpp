// SPDX-License-Identifier: Apache-2.0
// Measures commits a second of many writing conversations.
//
//   commits [SECONDS]     64 conversations; each writes an event (200 bytes) after the commit of its previous event. Compared stores:
//                         PostgreSQL, with all waiting events in one transaction; SQLite with a sync for each commit; our store on SQLite.
//                         Prints commits a second of each store, and the ratio of the first two stores.
//
// The benchmark starts the server, with fsync, on the disk of the SQLite files. The three stores alternate.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <sqlite3.h>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/hub_pg/hub_postgres.h"
#include "tests/postgres/server.h"

namespace parlance {
namespace {

using namespace bench;

constexpr std::size_t conversations = 64;
constexpr std::size_t text_bytes = 200;
constexpr int rounds = 3;

std::string name_of(std::size_t number) { return "c" + std::to_string(number); }

hub::Commit first_commit(std::size_t number) {
  return {.conversation =
              std::make_shared<const hub::Conversation>(hub::Conversation{{.id = name_of(number), .agent = "a", .folder = "/f"}}),
          .events_of = name_of(number)};
}

hub::Commit next_commit(std::size_t number, std::uint64_t seq) {
  return {.events_of = name_of(number),
          .events = {
              {.seq = seq, .time = "2026-01-01T00:00:00.000Z", .body = hub::event::Text{.text = std::string(text_bytes, 'x')}}}};
}

class StoreLoad {
 public:
  StoreLoad(Loop& loop, std::unique_ptr<hub::Store> store) : loop_(loop), store_(std::move(store)) {
    if (const auto loaded = loop_.block_on(store_->load()); !loaded) give_up(loaded.error().message);
    for (std::size_t i = 0; i < conversations; ++i)
      if (const auto made = loop_.block_on(store_->commit(first_commit(i))); !made) give_up(made.error().message);
  }
  double per_second(double seconds) {
    const TimePoint began = Clock::now();
    end_ = began + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    count_ = 0;
    Scope scope(loop_);
    for (std::size_t i = 0; i < conversations; ++i) scope.start(write(i));
    loop_.block_on(scope.join());
    return static_cast<double>(count_) / std::chrono::duration<double>(Clock::now() - began).count();
  }

 private:
  Task<void> write(std::size_t number) {
    while (Clock::now() < end_) {
      if (const auto done = co_await store_->commit(next_commit(number, ++seqs_[number])); !done) give_up(done.error().message);
      ++count_;
    }
  }
  Loop& loop_;
  std::unique_ptr<hub::Store> store_;
  std::array<std::uint64_t, conversations> seqs_{};
  TimePoint end_;
  std::uint64_t count_ = 0;
};

// Commits in sequence, each with a sync: the rate of a store without groups.
class WaitingSqlite {
 public:
  explicit WaitingSqlite(const std::string& path) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK) give_up("no database");
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE conversations(number INTEGER PRIMARY KEY, last_seq INTEGER);"
        "CREATE TABLE events(conversation INTEGER, seq INTEGER, body TEXT, PRIMARY KEY(conversation, seq)) WITHOUT ROWID");
    for (std::size_t i = 0; i < conversations; ++i) run("INSERT INTO conversations VALUES(" + std::to_string(i) + ", 0)");
    prepare("UPDATE conversations SET last_seq = ?2 WHERE number = ?1", update_);
    prepare("INSERT INTO events VALUES(?1, ?2, ?3)", insert_);
  }
  ~WaitingSqlite() {
    sqlite3_finalize(update_);
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  double per_second(double seconds) {
    const TimePoint began = Clock::now();
    const TimePoint end = began + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    const std::string body = R"({"kind":"text","text":")" + std::string(text_bytes, 'x') + "\"}";
    std::uint64_t count = 0;
    for (; Clock::now() < end; ++count, ++commits_) {
      run("BEGIN IMMEDIATE");
      step(update_, {});
      step(insert_, body);
      run("COMMIT");
    }
    return static_cast<double>(count) / std::chrono::duration<double>(Clock::now() - began).count();
  }

 private:
  void run(const std::string& sql) {
    if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) give_up(sqlite3_errmsg(database_));
  }
  void prepare(const char* sql, sqlite3_stmt*& statement) {
    if (sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr) != SQLITE_OK) give_up(sqlite3_errmsg(database_));
  }
  void step(sqlite3_stmt* statement, const std::string& body) {
    sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(commits_ % conversations));
    sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(commits_ / conversations) + 1);
    if (!body.empty()) sqlite3_bind_text(statement, 3, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE) give_up(sqlite3_errmsg(database_));
    sqlite3_reset(statement);
  }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* update_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::uint64_t commits_ = 0;
};

double median(std::array<double, rounds> figures) {
  std::ranges::sort(figures);
  return figures[rounds / 2];
}

void compare(double seconds) {
  std::string folder = (std::filesystem::temp_directory_path() / "parlance-commits-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) give_up("no temporary folder");
  {
    Loop loop;
    StoreLoad grouped(
        loop, std::make_unique<store::HubPostgres>(loop, store::HubPostgresSettings{.address = test::postgres().new_database()}));
    StoreLoad as_it_is(loop, std::make_unique<store::HubSqlite>(loop, folder));
    WaitingSqlite waiting(folder + "/waiting.db");
    std::array<double, rounds> postgres{}, full{}, normal{};
    for (int round = 0; round < rounds; ++round) {
      full[round] = waiting.per_second(seconds);
      postgres[round] = grouped.per_second(seconds);
      normal[round] = as_it_is.per_second(seconds);
    }
    std::printf(
        "commits a second of %zu conversations: PostgreSQL in groups %.0f, SQLite FULL %.0f (ratio %.2f), SQLite as it is %.0f\n",
        conversations, median(postgres), median(full), median(postgres) / median(full), median(normal));
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

}  // namespace
}  // namespace parlance

int main(int count, char** arguments) {
  if (const std::string why = parlance::test::PostgresServer::missing(); !why.empty()) parlance::bench::give_up(why);
  parlance::compare(count > 1 ? std::atof(arguments[1]) : 2);
}

// SPDX-License-Identifier: Apache-2.0
// Costs of idle conversations.
//
//   conversations sqlite|postgres COUNT
//
// The program fills a store with COUNT conversations of one turn, and opens the store like a gateway. The program prints a line:
// COUNT, start in ms, memory per conversation in KiB, first list of a page in ms and in KiB, and three searches in ms. The searches
// have a rare word, common words, and words without a match.
//
// The server of PostgreSQL runs with fsync on the same disk. Memory is the growth of this process after the filling has returned
// its memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <malloc.h>
#include <memory>
#include <string>
#include <unistd.h>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/base/clock.h"
#include "parlance/hub/hub.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/hub_pg/hub_postgres.h"
#include "parlance/wire_form/event_tables.h"
#include "resident.h"
#include "tests/postgres/server.h"

namespace parlance {
namespace {

using namespace bench;

constexpr std::size_t writers = 64;
constexpr std::size_t first_list = 200;  // limits::page_conversations
constexpr int rounds = 5;

std::string time_of(std::size_t number) {
  return to_rfc3339(*from_rfc3339("2026-01-01T00:00:00.000Z") + std::chrono::seconds(number));
}

hub::Commit conversation(std::size_t number) {
  const std::string id = "conv_" + std::to_string(number);
  const std::string time = time_of(number);
  const std::string answer = "The answer to question " + std::to_string(number) +
                             " explains how the server reads its settings, why the test failed, and which file to change next." +
                             (number == 7 ? " A zebra crosses." : "");
  return {.conversation = hub::Conversation{.id = id,
                                            .title = "Question " + std::to_string(number),
                                            .agent = "parlance",
                                            .folder = "/home/ann/code/engine",
                                            .created_at = time,
                                            .updated_at = time},
          .events_of = id,
          .events = {{.seq = 1, .time = time, .body = hub::event::TurnStart{.turn = "t"}},
                     {.seq = 2, .time = time, .body = hub::event::UserMessage{.turn = "t", .text = "Why does the test fail?"}},
                     {.seq = 3, .time = time, .body = hub::event::Text{.text = answer}},
                     {.seq = 4, .time = time, .body = hub::event::TurnEnd{.turn = "t"}}}};
}

using Open = std::function<std::unique_ptr<hub::Store>(Loop& loop)>;

Task<void> write(hub::Store& store, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < count; i += writers)
    if (const auto done = co_await store.commit(conversation(i)); !done) give_up(done.error().message);
}

void fill(const Open& open, std::size_t count) {
  Loop loop;
  const auto store = open(loop);
  if (const auto loaded = loop.block_on(store->load()); !loaded) give_up(loaded.error().message);
  Scope scope(loop);
  for (std::size_t i = 0; i < writers; ++i) scope.start(write(*store, i, count));
  loop.block_on(scope.join());
}

double milliseconds(const std::function<void()>& work) {
  const TimePoint began = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

double best(const std::function<void()>& work) {
  double least = milliseconds(work);
  for (int i = 1; i < rounds; ++i) least = std::min(least, milliseconds(work));
  return least;
}

void measure(const Open& open, std::size_t count) {
  ::malloc_trim(0);
  const std::string self = std::to_string(::getpid());
  const double before = resident_kib(self);
  Loop loop;
  const auto store = open(loop);
  hub::Hub hub(loop, *store);
  const double start = milliseconds([&] {
    if (const auto started = loop.block_on(hub.start()); !started) give_up(started.error().message);
  });
  ::malloc_trim(0);
  const double kib = (resident_kib(self) - before) / static_cast<double>(count);
  std::size_t bytes = 0;
  const double list = best([&] {
    bytes = 0;
    for (const hub::Conversation& one : hub.snapshot({.most = first_list}).conversations)
      bytes += wire_form::conversation_json(one).size();
  });
  const auto search = [&](const char* words) {
    return best([&] {
      if (const auto found = loop.block_on(hub.search(words)); !found) give_up(found.error().message);
    });
  };
  std::printf("%zu %.0f %.2f %.2f %.0f %.1f %.1f %.1f\n", count, start, kib, list, static_cast<double>(bytes) / 1024,
              search("zebra"), search("the server"), search("nowhere to be found"));
  loop.block_on(hub.stop_all());
}

void run(const std::string& kind, std::size_t count) {
  std::string folder = (std::filesystem::temp_directory_path() / "parlance-conversations-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) give_up("no temporary folder");
  const std::string address = kind == "postgres" ? test::postgres().new_database() : "";
  const Open open = [&](Loop& loop) -> std::unique_ptr<hub::Store> {
    if (address.empty()) return std::make_unique<store::HubSqlite>(loop, folder);
    return std::make_unique<store::HubPostgres>(loop, store::HubPostgresSettings{.address = address});
  };
  fill(open, count);
  measure(open, count);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parlance

int main(int count, char** arguments) {
  const std::string kind = count == 3 ? arguments[1] : "";
  if (kind != "sqlite" && kind != "postgres") parlance::bench::give_up("usage: conversations sqlite|postgres COUNT");
  parlance::run(kind, std::strtoull(arguments[2], nullptr, 10));
  return 0;
}

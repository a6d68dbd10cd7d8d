// SPDX-License-Identifier: Apache-2.0
// Costs of idle conversations, and of opening a long conversation.
//
//   conversations sqlite|postgres COUNT
//   conversations open sqlite|postgres EVENTS
//
// The program fills a store with COUNT conversations of one turn. Then it opens the store like a gateway, and prints a line:
// COUNT, start in ms, KiB of memory per conversation, first list of a page in ms and KiB, three searches in ms. The searches have
// a rare word, common words, and words without a match. The start is the shortest of five: after the filling, the first start also
// does work that the server of PostgreSQL has put off.
//
// With `open`, the store holds one conversation with EVENTS events of different kinds. A page opens its end over the page's
// protocol without a socket, then requests all older events. The program prints a line: EVENTS, time and processor time of the
// opening in ms, the same for all events, their size in KiB. Processor time includes the store's thread, not the server of PostgreSQL.
//
// The server of PostgreSQL runs with fsync on the same disk. Memory is the growth of this process after the filling has returned
// its memory.
#include <algorithm>
#include <array>
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
#include "parlance/face/page/hub_over_page.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/store/hub/hub_sqlite.h"
#include "parlance/store/hub_pg/hub_postgres.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"
#include "parlance/wire_form/event_tables.h"
#include "resident.h"
#include "tests/postgres/server.h"

namespace parlance {
namespace {

using namespace bench;

constexpr std::size_t writers = 64;
constexpr std::size_t first_list = 200;  // limits::page_conversations
constexpr int rounds = 5;
constexpr std::size_t page_of_events = 2000;  // OPEN_LIMIT of apps/web/src/app.ts

std::string time_of(std::size_t number) {
  return to_rfc3339(*from_rfc3339("2026-01-01T00:00:00.000Z") + std::chrono::seconds(number));
}

// As long as the ids of a gateway.
std::string id_of(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "conv_01m8htr2txnw" + std::string(8 - digits.size(), '0') + digits;
}

// Persons continue older conversations: every eighth has a later change than those around it.
hub::Commit conversation(std::size_t number) {
  const std::string id = id_of(number);
  const std::string time = time_of(number % 8 == 0 ? number + 5000 : number);
  const std::string answer = "The answer to question " + std::to_string(number) +
                             " explains how the server reads its settings, why the test failed, and which file to change next." +
                             (number == 7 ? " A zebra crosses." : "");
  return {
      .conversation = std::make_shared<const hub::Conversation>(hub::Conversation{
          {.id = id, .title = "Question " + std::to_string(number), .agent = "parlance", .folder = "/home/ann/code/engine"},
          {.created_at = time, .updated_at = time}}),
      .events_of = id,
      .events = {{.seq = 1, .time = time, .body = hub::event::TurnStart{.turn = "t"}},
                 {.seq = 2, .time = time, .body = hub::event::UserMessage{.turn = "t", .text = "Why does the test fail?"}},
                 {.seq = 3, .time = time, .body = hub::event::Text{.text = answer}},
                 {.seq = 4, .time = time, .body = hub::event::TurnEnd{.turn = "t"}}},
      .spent = {
          {.day = time.substr(0, 10), .conversation = id, .spent = {.turns = 1, .input_tokens = 9000, .output_tokens = 300}}}};
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

double start_of(Loop& loop, hub::Hub& hub) {
  return milliseconds([&] {
    if (const auto started = loop.block_on(hub.start()); !started) give_up(started.error().message);
  });
}

double start_again(const Open& open) {
  Loop loop;
  const auto store = open(loop);
  hub::Hub hub(loop, *store);
  const double start = start_of(loop, hub);
  loop.block_on(hub.stop_all());
  return start;
}

struct Idle {
  double start_ms = 0;
  double kib = 0;  // of memory per conversation
  double list_ms = 0;
  double list_kib = 0;
  std::array<double, 3> searches_ms{};
};

Idle measure_one(const Open& open, std::size_t count) {
  ::malloc_trim(0);
  const std::string self = std::to_string(::getpid());
  const double before = resident_kib(self);
  Loop loop;
  const auto store = open(loop);
  hub::Hub hub(loop, *store);
  Idle idle{.start_ms = start_of(loop, hub)};
  ::malloc_trim(0);
  idle.kib = (resident_kib(self) - before) / static_cast<double>(count);
  std::size_t bytes = 0;
  idle.list_ms = best([&] {
    bytes = 0;
    for (const hub::Conversation& one : hub.snapshot({.most = first_list}).conversations)
      bytes += wire_form::conversation_json(one).size();
  });
  idle.list_kib = static_cast<double>(bytes) / 1024;
  const auto search = [&](const char* words) {
    return best([&] {
      if (const auto found = loop.block_on(hub.search(words)); !found) give_up(found.error().message);
    });
  };
  idle.searches_ms = {search("zebra"), search("the server"), search("nowhere to be found")};
  loop.block_on(hub.stop_all());
  return idle;
}

void measure(const Open& open, std::size_t count) {
  Idle idle = measure_one(open, count);
  for (int i = 1; i < rounds; ++i) idle.start_ms = std::min(idle.start_ms, start_again(open));
  std::printf("%zu %.0f %.2f %.2f %.0f %.1f %.1f %.1f\n", count, idle.start_ms, idle.kib, idle.list_ms, idle.list_kib,
              idle.searches_ms[0], idle.searches_ms[1], idle.searches_ms[2]);
}

// ---- a long conversation -------------------------------------------------------------------------------------------------

std::vector<hub::EventBody> turn_of_a_tool(std::size_t number) {
  const std::string turn = "turn_" + std::to_string(number);
  const std::string call = "call_" + std::to_string(number);
  const std::string words =
      "The test reads \"settings.toml\" twice, and the second read sees an empty file: a writer truncates it.\n";
  return {hub::event::TurnStart{.turn = turn},
          hub::event::UserMessage{.turn = turn, .text = "Why does the test fail?"},
          hub::event::ThinkingContent{.text = words},
          hub::event::ThinkingEnd{.duration_ms = 1200},
          hub::event::ToolStart{.call = call,
                                .tool = "read_file",
                                .title = "src/settings.cpp",
                                .input_json = R"({"path":"/home/ann/code/engine/src/settings.cpp","offset":1})"},
          hub::event::ToolOutput{.call = call, .text = words + words + words},
          hub::event::ToolEnd{.call = call},
          hub::event::Text{.text = words + words},
          hub::event::Usage{.input_tokens = 12'000, .output_tokens = 300, .cost = hub::Cost{.amount = 0.0125}},
          hub::event::TurnEnd{.turn = turn, .duration_ms = 4200}};
}

void fill_one(const Open& open, std::size_t events) {
  Loop loop;
  const auto store = open(loop);
  if (const auto loaded = loop.block_on(store->load()); !loaded) give_up(loaded.error().message);
  hub::Commit change = conversation(0);
  for (std::size_t turn = 1; change.events.back().seq < events; ++turn) {
    for (hub::EventBody& body : turn_of_a_tool(turn))
      change.events.push_back({.seq = change.events.back().seq + 1, .time = time_of(turn), .body = std::move(body)});
  }
  if (const auto done = loop.block_on(store->commit(std::move(change))); !done) give_up(done.error().message);
}

class LongPage {
 public:
  LongPage(Loop& loop, hub::Hub& hub) : loop_(loop), server_(loop, {}) {
    auto [near, far] = memory_pair(loop, {.capacity = 1 << 20});
    frames_ = framed_stream(loop, std::move(near), line_framing());
    server_.serve(framed_stream(loop, std::move(far), line_framing()), hub::UserHub(hub));
    ask(R"({"type":"ready"})");
  }

  // Returns the number of the first event of the answer.
  std::uint64_t open() {
    return ask(R"({"type":"open","request":"1","conversation":")" + id_of(0) + R"(","after":0,"limit":)" + limit());
  }
  std::uint64_t older(std::uint64_t before) {
    return ask(R"({"type":"older","request":"1","conversation":")" + id_of(0) + R"(","before":)" + std::to_string(before) +
               R"(,"limit":)" + limit());
  }
  std::size_t bytes = 0;  // of all answers

 private:
  static std::string limit() { return std::to_string(page_of_events) + "}"; }
  std::uint64_t ask(const std::string& message) {
    if (!frames_->send(message)) give_up("the page could not speak");
    return loop_.block_on(answer());
  }
  Task<std::uint64_t> answer() {
    const auto batch = co_await read_frames(*frames_);
    if (!batch || batch->empty()) give_up("the page got no answer");
    std::string_view text;
    for (const BytesView frame : *batch) text = frame;
    bytes += text.size();
    const std::size_t first = text.rfind("\"first_seq\":");
    if (first == std::string_view::npos && !text.starts_with("{\"type\":\"snapshot\"")) give_up(std::string(text.substr(0, 200)));
    co_return first == std::string_view::npos ? 0 : std::strtoull(text.data() + first + 12, nullptr, 10);
  }

  Loop& loop_;
  face::PageServer server_;
  std::unique_ptr<Frames> frames_;
};

struct Cost {
  double wall_ms = 1e9;
  double cpu_ms = 1e9;
};

Cost best_cost(const std::function<void()>& work) {
  Cost least;
  for (int i = 0; i < rounds; ++i) {
    const double before = cpu_seconds(RUSAGE_SELF);
    least.wall_ms = std::min(least.wall_ms, milliseconds(work));
    least.cpu_ms = std::min(least.cpu_ms, (cpu_seconds(RUSAGE_SELF) - before) * 1e3);
  }
  return least;
}

void measure_opening(const Open& open, std::size_t events) {
  fill_one(open, events);
  Loop loop;
  const auto store = open(loop);
  hub::Hub hub(loop, *store);
  if (const auto started = loop.block_on(hub.start()); !started) give_up(started.error().message);
  {
    LongPage page(loop, hub);
    const Cost opened = best_cost([&] { page.open(); });
    const Cost all = best_cost([&] {
      page.bytes = 0;
      for (std::uint64_t first = page.open(); first > 1;) first = page.older(first);
    });
    std::printf("%zu %.2f %.2f %.1f %.1f %.0f\n", events, opened.wall_ms, opened.cpu_ms, all.wall_ms, all.cpu_ms,
                static_cast<double>(page.bytes) / 1024);
  }
  loop.block_on(hub.stop_all());
}

void run(const std::string& kind, const std::function<void(const Open& open)>& work) {
  std::string folder = (std::filesystem::temp_directory_path() / "parlance-conversations-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) give_up("no temporary folder");
  const std::string address = kind == "postgres" ? test::postgres().new_database() : "";
  const Open open = [&](Loop& loop) -> std::unique_ptr<hub::Store> {
    if (address.empty()) return std::make_unique<store::HubSqlite>(loop, folder);
    return std::make_unique<store::HubPostgres>(loop, store::HubPostgresSettings{.address = address});
  };
  work(open);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parlance

int main(int count, char** arguments) {
  using namespace parlance;
  const bool opens = count == 4 && std::string_view(arguments[1]) == "open";
  const std::string kind = count == 3 || opens ? arguments[count - 2] : "";
  if (kind != "sqlite" && kind != "postgres")
    bench::give_up("usage: conversations sqlite|postgres COUNT | open sqlite|postgres EVENTS");
  const std::size_t number = std::strtoull(arguments[count - 1], nullptr, 10);
  run(kind, [&](const Open& open) {
    if (opens) return measure_opening(open, number);
    fill(open, number);
    measure(open, number);
  });
  return 0;
}

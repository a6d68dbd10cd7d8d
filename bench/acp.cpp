// SPDX-License-Identifier: Apache-2.0
// Time and processor use of our ACP client, and latency of our agent side.
//
// `bench_acp updates N CMD…`: N updates of a prompt over stdio, mapped to events. Median of 21, in ms of wall and processor time.
// `bench_acp updates N ws://…`: N updates over a WebSocket.
// `bench_acp turns CMD…`: a turn of one word. Median of 500 round trips, in ms.
// `bench_acp round_trips CMD…`: requests session/set_mode in sequence. p50 and p99 of 20,000, in microseconds.
// `bench_acp start CMD…`: start of a program until the answer to initialize. Medians of 11, in ms and resident KiB.
// `bench_acp agent`: a minimal agent, for round_trips and turns.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <time.h>
#include <vector>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/driver/acp/updates.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"
#include "resident.h"

namespace parlance::bench {
namespace {

// Maps updates like the hub's agent, and keeps only counts.
struct Handler final : acp::ClientHandler, driver::AcpUpdates::Sink {
  void on_update(acp::SessionUpdate update) override {
    ++updates;
    mapped.update(update.update);
  }
  void emit(hub::EventBody body) override { bytes += hub::weight_of(body); }
  void user(std::string) override {}
  void mode(const std::string&) override {}
  void options(const std::vector<acp::ConfigOption>&) override {}
  void title(const std::string&) override {}

  driver::AcpUpdates mapped{*this};
  std::uint64_t updates = 0;
  std::uint64_t bytes = 0;
};

double milliseconds_since(TimePoint begun) { return std::chrono::duration<double, std::milli>(Clock::now() - begun).count(); }

double thread_cpu_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

template <class T>
T or_give_up(Result<T> result) {
  if (!result) give_up(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// A client with a session of the agent with this command line or address.
class Connected {
 public:
  Connected(Loop& loop, const std::vector<std::string>& words) : loop_(loop), scope_(loop) {
    if (words.front().starts_with("ws://")) {
      auto frames = or_give_up(loop.block_on(acp::connect_to_agent(loop, words.front())));
      client = std::make_unique<acp::Client>(loop, std::move(frames), handler);
    } else {
      client = or_give_up(acp::Client::spawn(loop, {.command = words}, handler));
    }
    scope_.start([](acp::Client& running) -> Task<void> { static_cast<void>(co_await running.run()); }(*client));
    or_give_up(loop.block_on(client->connect()));
  }
  ~Connected() { scope_.cancel(); }

  void begin_session() { session = *or_give_up(loop_.block_on(client->new_session({.cwd = "/"}))).session_id; }
  void prompt(const std::string& text) {
    acp::Prompt what{.session_id = session, .prompt = {acp::text(text)}};
    const auto done = or_give_up(loop_.block_on(client->prompt(std::move(what))));
    handler.mapped.end_turn(hub::ToolEndState::done);
    if (done.stop_reason.value != acp::StopReason::end_turn) give_up("the turn did not end well");
  }

  Handler handler;
  std::unique_ptr<acp::Client> client;
  std::string session;

 private:
  Loop& loop_;
  Scope scope_;
};

void updates(std::uint64_t count, const std::vector<std::string>& agent) {
  constexpr int rounds = 21;
  Loop loop;
  Connected connected(loop, agent);
  connected.begin_session();
  std::vector<double> wall;
  std::vector<double> cpu;
  for (int round = 0; round < rounds; ++round) {
    connected.handler.updates = 0;
    const TimePoint begun = Clock::now();
    const double cpu_before = thread_cpu_ms();
    connected.prompt("flood " + std::to_string(count));
    cpu.push_back(thread_cpu_ms() - cpu_before);
    wall.push_back(milliseconds_since(begun));
    if (connected.handler.updates != count) give_up("updates were lost");
  }
  std::printf("updates %llu wall_ms %.2f cpu_ms %.2f\n", static_cast<unsigned long long>(count), quantile(wall, 0.5),
              quantile(cpu, 0.5));
}

void turns(const std::vector<std::string>& agent) {
  constexpr int count = 500;
  Loop loop;
  Connected connected(loop, agent);
  connected.begin_session();
  std::vector<double> took;
  for (int i = 0; i < count; ++i) {
    const TimePoint begun = Clock::now();
    connected.prompt("flood 1");
    took.push_back(milliseconds_since(begun));
  }
  std::printf("turns %d p50_ms %.3f p99_ms %.3f\n", count, quantile(took, 0.5), quantile(took, 0.99));
}

void round_trips(const std::vector<std::string>& agent) {
  constexpr int count = 20'000;
  Loop loop;
  Connected connected(loop, agent);
  connected.begin_session();
  std::vector<double> took;
  const auto all = [](Connected& with, std::vector<double>& into) -> Task<void> {
    for (int i = 0; i < count; ++i) {
      const TimePoint begun = Clock::now();
      or_give_up(co_await with.client->set_mode(with.session, "ask"));
      into.push_back(milliseconds_since(begun) * 1e3);
    }
  };
  loop.block_on(all(connected, took));
  std::printf("round_trips %d p50_us %.2f p99_us %.2f\n", count, quantile(took, 0.5), quantile(took, 0.99));
}

void start(const std::vector<std::string>& agent) {
  constexpr int rounds = 11;
  std::vector<double> took;
  std::vector<double> resident;
  for (int round = 0; round < rounds; ++round) {
    Loop loop;
    const TimePoint begun = Clock::now();
    Connected connected(loop, agent);
    took.push_back(milliseconds_since(begun));
    resident.push_back(resident_kib(std::to_string(connected.client->child()->pid())));
  }
  std::printf("start ms %.2f resident_KiB %.0f\n", quantile(took, 0.5), quantile(resident, 0.5));
}

void serve() {
  Loop loop;
  Router router;
  router.on(acp::method::initialize, [](const acp::InitializeParams&, Context&) -> Result<acp::InitializeResult> {
    return acp::InitializeResult{.protocol_version = 1};
  });
  router.on(acp::method::new_session,
            [](const acp::NewSession&, Context&) -> Result<acp::SessionState> { return acp::SessionState{.session_id = "s"}; });
  router.on(acp::method::set_mode, [](const acp::SetMode&, Context&) -> Result<acp::ModeSet> { return acp::ModeSet{}; });
  router.on(acp::method::prompt, [](const acp::Prompt& what, Context& context) -> Result<acp::PromptResult> {
    const auto sent =
        context.peer.notify(acp::method::update,
                            {.session_id = what.session_id, .update = {acp::AgentMessageChunk{{.content = acp::text("word ")}}}});
    if (!sent) return fail(Error(sent.error()));
    return acp::PromptResult{};
  });
  auto frames = framed_stream(loop, or_give_up(stdio_stream(loop)), line_framing());
  Peer peer(loop, std::move(frames), acp::dialect(acp::Side::agent, acp::Flavour::standard), router);
  static_cast<void>(loop.block_on(peer.run()));
}

}  // namespace
}  // namespace parlance::bench

int main(int argc, char** argv) {
  using namespace parlance::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto from = [&](std::size_t begin) {
    return std::vector(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end());
  };
  const std::string what = words.empty() ? "" : words.front();
  if (what == "agent") serve();
  else if (what == "updates" && words.size() > 2)
    updates(parlance::parse_number<std::uint64_t>(words[1]).value_or(10'000), from(2));
  else if (what == "turns" && words.size() > 1) turns(from(1));
  else if (what == "round_trips" && words.size() > 1) round_trips(from(1));
  else if (what == "start" && words.size() > 1) start(from(1));
  else give_up("usage: bench_acp updates N CMD…|ws://… | turns CMD… | round_trips CMD… | start CMD… | agent");
}

// SPDX-License-Identifier: Apache-2.0
// Measures messages of 200 bytes over the editor bridge. Both sides are parlance: a requesting link of an agent, and a served
// editor. Each side is a separate process at an end of a pair of pipes. `floor pipes` measures the kernel alone for as many
// bytes.
//
//   `editor sequential SECONDS [COMMAND ...]` Calls in sequence; the editor is another program.
//   `editor flight SECONDS [COMMAND ...]`     64 calls in flight at any time.
//   `editor notify SECONDS [COMMAND ...]`     Lines for the editor's log; the editor reports the count.
//   `editor start`                            From the start to the first answer; memory at the first answer.
//   `editor end`                              Exit with 64 pending calls: until all calls have failed.
//   `editor child`                            The editor, as a child of the others.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/driver/editor/editor_link.h"
#include "parlance/face/editor/editor_over_bridge.h"
#include "parlance/peer/peer.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"
#include "resident.h"

namespace parlance {
namespace {

using bench::give_up;

constexpr std::size_t text_bytes = 140;  // about 200 with the envelope
constexpr int calls_in_flight = 64;

// A folder with a long name; counts the lines of its log in place of an editor's closed diffs.
struct Counting final : hub::Editor {
  std::uint32_t lines = 0;
  Task<Result<std::string>> workspace_folder() override { co_return std::string(text_bytes, 'x'); }
  Task<Result<std::uint32_t>> close_all_diffs() override { co_return lines; }
  Task<Result<void>> save_document(std::string) override { std::_Exit(0); }
  // Never answered.
  Task<Result<hub::editor::File>> active_file() override {
    Channel<hub::editor::File> never(*loop, 1);
    co_return (co_await never.pop()).value();
  }
  Loop* loop = nullptr;
};

int child() {
  Loop loop;
  Router router;
  Counting served;
  served.loop = &loop;
  face::serve_editor(router, served, {.name = "bench"});
  router.on(editor::method::log, [&served](const editor::Log&, Context&) { ++served.lines; });
  auto stream = stdio_stream(loop);
  if (!stream) give_up(stream.error().message);
  Peer peer(loop, framed_stream(loop, *std::move(stream), std::make_unique<editor::SharedLineFraming>()), editor::dialect(),
            router);
  loop.block_on(peer.run());
  return 0;
}

Task<void> caller(driver::EditorLink& link, bench::Measurement& measurement) {
  while (!measurement.over(link.peer().loop().now())) {
    const auto folder = co_await link.editor().workspace_folder();
    if (!folder || folder->size() != text_bytes) give_up(folder ? "a wrong answer" : folder.error().message);
    measurement.count(link.peer().loop().now());
  }
}

// The time ends after the other side has received the last message. A query between two rounds prevents an early count.
Task<void> notifier(driver::EditorLink& link, bench::Measurement& measurement) {
  constexpr std::uint32_t round = 10'000;
  const std::string line(text_bytes, 'x');
  for (std::uint32_t sent = 0; !measurement.over(Clock::now());) {
    for (std::uint32_t i = 0; i < round; ++i, ++sent) {
      co_await link.peer().wait_writable();
      link.log(editor::Level::info, line);
    }
    const auto arrived = co_await link.editor().close_all_diffs();
    if (!arrived || *arrived != sent) give_up(arrived ? "notifications were lost" : arrived.error().message);
    measurement.count(Clock::now(), round);
  }
}

Task<void> run_link(driver::EditorLink& link) { co_await link.run(); }

// Only an editor that answered `initialize` receives methods of the second version, such as closeAllDiffs.
Task<void> initialize(driver::EditorLink& link) {
  if (const auto there = co_await link.initialize({.name = "bench", .version = "1"}); !there) give_up(there.error().message);
}

Task<void> measure(Loop& loop, std::vector<std::string> editor, std::string mode, double seconds) {
  auto other = ChildProcess::start(loop, {.command = std::move(editor)});
  if (!other) give_up(other.error().message);
  driver::EditorLink link(loop, (*other)->take_stream(), {});
  Scope scope(loop);
  scope.start(run_link(link));
  co_await initialize(link);
  bench::Measurement measurement(seconds);
  {
    Scope work(loop);
    if (mode == "notify") work.start(notifier(link, measurement));
    else
      for (int i = 0; i < (mode == "flight" ? calls_in_flight : 1); ++i) work.start(caller(link, measurement));
    co_await work.join();
  }
  measurement.stop();
  link.close();
  co_await (*other)->stop();
  measurement.print();
}

double ms_since(TimePoint begin) { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }

constexpr std::size_t starts = 50;

Task<void> measure_start(Loop& loop, std::string self) {
  std::array<double, starts> first_answer{};
  double memory = 0;
  for (double& time : first_answer) {
    const TimePoint begin = Clock::now();
    auto other = ChildProcess::start(loop, {.command = {self, "child"}});
    if (!other) give_up(other.error().message);
    driver::EditorLink link(loop, (*other)->take_stream(), {});
    Scope scope(loop);
    scope.start(run_link(link));
    if (const auto folder = co_await link.editor().workspace_folder(); !folder) give_up(folder.error().message);
    time = ms_since(begin);
    memory = co_await bench::settled_kib(loop, std::to_string((*other)->pid()));
    link.close();
    co_await (*other)->stop();
  }
  std::ranges::nth_element(first_answer, first_answer.begin() + starts / 2);
  std::printf("first_answer_ms %.3f\nresident_KiB %.0f\n", first_answer[starts / 2], memory);
}

Task<void> measure_end(Loop& loop, std::string self) {
  auto other = ChildProcess::start(loop, {.command = {std::move(self), "child"}});
  if (!other) give_up(other.error().message);
  driver::EditorLink link(loop, (*other)->take_stream(), {});
  Scope scope(loop);
  scope.start(run_link(link));
  co_await initialize(link);
  Scope pending(loop);
  for (int i = 0; i < calls_in_flight; ++i)
    pending.start([](driver::EditorLink& l) -> Task<void> {
      if (co_await l.editor().active_file()) give_up("an answer");
    }(link));
  co_await sleep_for(loop, std::chrono::milliseconds(50));
  const TimePoint begin = Clock::now();
  pending.start([](driver::EditorLink& l) -> Task<void> {
    if (co_await l.editor().save_document("")) give_up("an answer");
  }(link));
  co_await pending.join();
  std::printf("all_failed_ms %.3f\n", ms_since(begin));
  co_await (*other)->stop();
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  parlance::ignore_sigpipe();
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "child" && argc == 2) return parlance::child();
  if ((what == "sequential" || what == "flight" || what == "notify") && argc >= 3) {
    std::vector<std::string> editor(argv + 3, argv + argc);
    if (editor.empty()) editor = {argv[0], "child"};
    parlance::Loop loop;
    loop.block_on(parlance::measure(loop, std::move(editor), what, std::atof(argv[2])));
    return 0;
  }
  if ((what == "start" || what == "end") && argc == 2) {
    parlance::Loop loop;
    loop.block_on(what == "start" ? parlance::measure_start(loop, argv[0]) : parlance::measure_end(loop, argv[0]));
    return 0;
  }
  std::fprintf(stderr, "usage: editor sequential|flight|notify SECONDS [COMMAND ...], editor start|end\n");
  return 2;
}

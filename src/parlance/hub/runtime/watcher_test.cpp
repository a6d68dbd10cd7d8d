// SPDX-License-Identifier: Apache-2.0
// Watching the whole hub: no change is missed, and a slow frontend gets Resync.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

// Returns all queued changes.
std::vector<ChangePtr> drain(Bench& bench, Watcher& watcher) {
  bench.loop.run_ready();
  if (watcher.queued() == 0) return {};
  return bench.loop.block_on(watcher.next());
}

void say(Bench& bench, std::string detail) {
  bench.hub->service_changed({.name = "s", .state = Health::ready, .detail = std::move(detail)});
}

TEST(Watcher, SlowWatcherGetsResyncWithoutDelayForOthers) {
  Bench bench;
  const auto slow = bench.hub->watch();
  const auto quick = bench.hub->watch();
  std::size_t received = 0;
  for (std::size_t i = 0; i < limits::watcher_changes + 100; ++i) {
    say(bench, std::to_string(i));
    received += drain(bench, *quick).size();
  }
  EXPECT_EQ(received, limits::watcher_changes + 100);
  EXPECT_EQ(slow->queued(), 1U);
  const auto changes = drain(bench, *slow);
  EXPECT_TRUE(std::holds_alternative<change::Resync>(*changes.at(0)));
  EXPECT_EQ(bench.hub->statistics().resyncs, 1U);
  // After the new snapshot the watcher continues.
  say(bench, "again");
  EXPECT_EQ(drain(bench, *slow).size(), 1U);
}

TEST(Watcher, AFewHugeChangesOverflowTooNotOnlyMany) {
  Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    (void)co_await turn.ask({.title = "t",
                             .diff = Diff{.path = "p", .after = std::string(limits::watcher_bytes + 1, 'x')},
                             .options = {{.id = "yes", .kind = OptionKind::allow_once}}});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  const auto watcher = bench.hub->watch();
  bench.prompt(id);
  bench.loop.run_ready();
  const auto changes = drain(bench, *watcher);
  ASSERT_FALSE(changes.empty());
  EXPECT_TRUE(std::holds_alternative<change::Resync>(*changes.at(0)));
}

TEST(Watcher, SetsTheWakeSignal) {
  Bench bench;
  Signal wake(bench.loop);
  const auto watcher = bench.hub->watch(&wake);
  bool woken = false;
  const auto wait = [](Signal& signal, bool& done) -> Task<void> {
    co_await signal.wait();
    done = true;
  };
  Scope scope(bench.loop);
  scope.start(wait(wake, woken));
  say(bench, "x");
  bench.loop.run_ready();
  EXPECT_TRUE(woken);
}

TEST(Watcher, ReceivesAsksRulesAgentsServicesAndRemovals) {
  Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    (void)co_await turn.ask(
        {.tool = "run",
         .intent = ToolIntent{.kind = ToolKind::execute, .title = "git log", .command = "git log", .look = CommandLook{}}});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  const auto watcher = bench.hub->watch();
  bench.prompt(id);
  bench.loop.run_ready();
  const Ask ask = open_asks(*bench.hub).at(0);
  ASSERT_TRUE(bench.answer(ask, "allow_folder"));
  bench.loop.run_ready();
  bench.hub->service_changed({.name = "agent", .state = Health::down, .detail = "restarting"});
  bench.hub->agent_changed({.id = "scripted", .state = Health::starting});
  const std::string rule = bench.hub->rules().at(0).id;
  ASSERT_TRUE(bench.loop.block_on(bench.hub->revoke(rule)));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, RemoveConversation{})));
  std::string kinds;
  for (const ChangePtr& change : drain(bench, *watcher)) kinds += "CxARrTSX"[change->index()];  // in the order of Change
  EXPECT_NE(kinds.find("A"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("R"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("ST"), std::string::npos) << kinds;
  EXPECT_NE(kinds.find("r"), std::string::npos) << kinds;
  EXPECT_EQ(kinds.back(), 'x') << kinds;
}

TEST(Watcher, MayOutliveTheHub) {
  Bench bench;
  const auto watcher = bench.hub->watch();
  bench.hub.reset();
  EXPECT_EQ(watcher->queued(), 0U);
}

}  // namespace
}  // namespace parlance::hub

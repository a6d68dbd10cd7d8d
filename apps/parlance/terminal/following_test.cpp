// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/terminal/following.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/test_support.h"

namespace parlance::app {
namespace {

struct Sheet final : Paper {
  void text(std::string_view piece) override { all += piece; }
  void note(std::string_view) override {}
  bool text_in_terminal() const override { return true; }
  bool notes_in_terminal() const override { return true; }
  std::string all;
};
struct Refusal final : AskAnswerer {
  Task<Result<void>> settle(hub::Ask) override { co_return fail(Errc::denied, "not now"); }
};

struct FollowTurn : testing::Test {
  FollowTurn() {
    bench.script = [this](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<hub::StopReason>> {
      co_await gate.wait();
      if (prompt.text == "ask") {
        hub::AskRequest request{.title = "title", .options = {{.id = "no", .kind = hub::OptionKind::reject_once}}};
        static_cast<void>(co_await turn.ask(std::move(request)));
      }
      turn.emit(hub::event::Text{.text = "[" + prompt.text + "]"});
      co_return hub::StopReason::end_turn;
    };
  }
  Result<hub::StopReason> follow() { return bench.loop.block_on(follow_turn(*follower, output, refusal)); }

  hub::test::Bench bench;
  hub::test::Gate gate{bench.loop};
  std::string id = bench.conversation();
  std::optional<hub::Follower> follower{std::in_place, *bench.hub, id, 0};
  Sheet sheet;
  TerminalOutput output{sheet, {.chat = true}};
  Refusal refusal;
};

// A queued prompt begins at once, so its first events arrive together with the end of the turn before it.
TEST_F(FollowTurn, EventsOfTheNextTurnStayWithTheFollower) {
  bench.prompt(id, "one");
  bench.prompt(id, "two");
  gate.release();
  bench.loop.run_ready();
  EXPECT_TRUE(follow());
  EXPECT_TRUE(sheet.all.contains("[one]"));
  EXPECT_FALSE(sheet.all.contains("[two]"));
  EXPECT_TRUE(follow());
  EXPECT_TRUE(sheet.all.contains("[two]"));
}

TEST_F(FollowTurn, AFailedAnswerLosesNoLaterEvent) {
  bench.prompt(id, "ask");
  gate.release();
  bench.loop.run_ready();
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(id, hub::StopTurn{})));
  bench.loop.run_ready();
  EXPECT_EQ(follow().error().code, Errc::denied);
  EXPECT_EQ(*follow(), hub::StopReason::cancelled);
}

}  // namespace
}  // namespace parlance::app

// When the bell rings. The sender's messages go nowhere: that they arrive is tested from the program to a push service (tests/web/push_test.mjs).
#include "parlance/face/push/hub_over_push.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "parlance/base/secret.h"
#include "parlance/hub/test_support.h"
#include "parlance/push/base64url.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::test::Bench;

// One browser, at a service that was taken off the list: each ring is a message that fails at once.
struct BellBench : Bench {
  BellBench() {
    std::filesystem::create_directory(path);
    Subscriptions listed(real, path, *push::PushServices::parse("push.example"));
    const auto key = push::P256Key::generate().value();
    PARLANCE_CHECK(real.block_on(listed.add({.endpoint = "https://push.example/a",
                                             .p256dh = push::to_base64url(key.public_key()),
                                             .auth = push::to_base64url(Bytes(16, 'x'))})),
                   "a browser");
    PARLANCE_CHECK(subscriptions.load(), "that is kept");
    bell.start();
  }
  ~BellBench() { std::filesystem::remove_all(path); }
  BellBench(const BellBench&) = delete;
  BellBench& operator=(const BellBench&) = delete;

  // A turn that asks something, and waits for the answer.
  std::string asks() {
    script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      (void)co_await turn.ask({.title = "touch made.txt",
                               .options = {{.id = "y", .label = "Yes", .kind = hub::OptionKind::allow_once}}});
      co_return hub::StopReason::end_turn;
    };
    const std::string id = conversation();
    prompt(id);
    return id;
  }
  std::uint64_t rings() const { return bell.statistics().failed; }

  using Subscriptions = push::Subscriptions;
  const std::string path = (std::filesystem::temp_directory_path() / make_id("parlance-bell-")).string();
  Loop real;
  Subscriptions subscriptions{loop, path, *push::PushServices::parse("")};
  push::Sender sender{loop, subscriptions, push::Vapid(push::P256Key::generate().value(), "")};
  bool looked_at = false;
  PushBell bell{loop, *hub, subscriptions, sender, {.looked_at = [this] { return looked_at; }}};
};

TEST(PushBell, RingsOnceForWhatWaitsStill) {
  BellBench bench;
  bench.asks();
  bench.loop.advance(1s);
  EXPECT_EQ(bench.rings(), 0U) << "somebody may answer at once";
  bench.loop.advance(2s);
  EXPECT_EQ(bench.rings(), 1U);
  bench.loop.advance(10min);
  EXPECT_EQ(bench.rings(), 1U);
}

TEST(PushBell, WhatIsAnsweredAtOnceNeedsNone) {
  BellBench bench;
  bench.asks();
  bench.loop.advance(1s);
  ASSERT_TRUE(bench.answer(bench.hub->snapshot().asks.front(), "y"));
  bench.loop.advance(10s);
  EXPECT_EQ(bench.rings(), 0U);
}

TEST(PushBell, SeveralAtOnceAreOneRing) {
  BellBench bench;
  bench.asks();
  bench.loop.advance(500ms);
  bench.asks();
  bench.loop.advance(10s);
  EXPECT_EQ(bench.rings(), 1U);
}

TEST(PushBell, IsSilentWhileAPageIsLookedAtAndForAMinuteAfter) {
  BellBench bench;
  bench.looked_at = true;
  bench.asks();
  bench.loop.advance(10min);
  EXPECT_EQ(bench.rings(), 0U);
  bench.looked_at = false;
  bench.loop.advance(50s);
  EXPECT_EQ(bench.rings(), 0U);
  bench.loop.advance(15s);
  EXPECT_EQ(bench.rings(), 1U);
}

TEST(PushBell, WhatComesRightAfterAnAnswerDoesNotWaitForTheMinuteOfWhatWasAnswered) {
  BellBench bench;
  bench.looked_at = true;
  bench.asks();
  bench.loop.advance(1100ms);
  ASSERT_TRUE(bench.answer(bench.hub->snapshot().asks.front(), "y"));
  bench.looked_at = false;
  bench.asks();
  bench.loop.advance(4s);
  EXPECT_EQ(bench.rings(), 1U);
}

}  // namespace
}  // namespace parlance::face

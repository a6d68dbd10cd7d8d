// SPDX-License-Identifier: Apache-2.0
// The time of notifications. The sender discards messages: tests/web/push_test.mjs tests their delivery.
#include "parlance/face/push/hub_over_push.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "parlance/base/base64url.h"
#include "parlance/base/secret.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/test_shared_store.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::test::Bench;

// A browser of a removed service: each message fails at once.
void keep_browser(const std::string& path, std::optional<std::string> user) {
  std::filesystem::create_directory(path);
  Loop real;
  push::Subscriptions listed(real, path, *push::PushServices::parse("push.example"));
  const auto key = P256Key::generate().value();
  PARLANCE_CHECK(real.block_on(listed.add({.endpoint = "https://push.example/a",
                                           .p256dh = to_base64url(key.public_key()),
                                           .auth = to_base64url(Bytes(16, 'x')),
                                           .user = std::move(user)})),
                 "a browser");
}

struct BellBench : Bench {
  BellBench() {
    keep_browser(path, {});
    PARLANCE_CHECK(subscriptions.load(), "that is kept");
    notifier.start();
  }
  ~BellBench() { std::filesystem::remove_all(path); }
  BellBench(const BellBench&) = delete;
  BellBench& operator=(const BellBench&) = delete;

  // A turn that asks and waits for the answer.
  std::string asks() {
    script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      (void)co_await turn.ask(
          {.title = "touch made.txt", .options = {{.id = "y", .label = "Yes", .kind = hub::OptionKind::allow_once}}});
      co_return hub::StopReason::end_turn;
    };
    const std::string id = conversation();
    prompt(id);
    return id;
  }
  std::uint64_t notifications() const { return notifier.statistics().failed; }

  using Subscriptions = push::Subscriptions;
  const std::string path = (std::filesystem::temp_directory_path() / make_id("parlance-bell-")).string();
  Subscriptions subscriptions{loop, path, *push::PushServices::parse("")};
  push::Sender sender{loop, subscriptions, push::Vapid(P256Key::generate().value(), "")};
  bool is_page_visible = false;
  PushNotifier notifier{loop, *hub, subscriptions, sender, {.is_page_visible = [this] { return is_page_visible; }}};
};

TEST(PushNotifier, NotifiesOnceAboutAWaitingRequest) {
  BellBench bench;
  bench.asks();
  bench.loop.advance(1s);
  EXPECT_EQ(bench.notifications(), 0U) << "a person may answer at once";
  bench.loop.advance(2s);
  EXPECT_EQ(bench.notifications(), 1U);
  bench.loop.advance(10min);
  EXPECT_EQ(bench.notifications(), 1U);
}

TEST(PushNotifier, QuickAnswerNeedsNoNotification) {
  BellBench bench;
  bench.asks();
  bench.loop.advance(1s);
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub).front(), "y"));
  bench.loop.advance(10s);
  EXPECT_EQ(bench.notifications(), 0U);
}

TEST(PushNotifier, ParallelRequestsCauseASingleNotification) {
  BellBench bench;
  bench.asks();
  bench.loop.advance(500ms);
  bench.asks();
  bench.loop.advance(10s);
  EXPECT_EQ(bench.notifications(), 1U);
}

TEST(PushNotifier, VisiblePageSuppressesNotificationsForAMinute) {
  BellBench bench;
  bench.is_page_visible = true;
  bench.asks();
  bench.loop.advance(10min);
  EXPECT_EQ(bench.notifications(), 0U);
  bench.is_page_visible = false;
  bench.loop.advance(50s);
  EXPECT_EQ(bench.notifications(), 0U);
  bench.loop.advance(15s);
  EXPECT_EQ(bench.notifications(), 1U);
}

TEST(PushNotifier, NewRequestAfterAnAnswerHasItsOwnPatience) {
  BellBench bench;
  bench.is_page_visible = true;
  bench.asks();
  bench.loop.advance(1100ms);
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub).front(), "y"));
  bench.is_page_visible = false;
  bench.asks();
  bench.loop.advance(4s);
  EXPECT_EQ(bench.notifications(), 1U);
}

// In a team each user is notified about their own conversations, on their own browsers.
TEST(PushNotifier, TeamMembersAreNotifiedOfOwnRequestsOnly) {
  Loop loop{Loop::Time::virtual_};
  hub::test::SharedMemory shared{loop};
  shared.team = std::make_shared<const hub::Team>(
      hub::Team{.users = {{.id = "user_ann", .name = "ann"}, {.id = "user_bob", .name = "bob"}}});
  hub::test::Station station{loop, shared, "a"};
  station.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    (void)co_await turn.ask({.title = "touch made.txt", .options = {{.id = "y", .kind = hub::OptionKind::allow_once}}});
    co_return hub::StopReason::end_turn;
  };
  const auto hub_of = [&](const std::string& name) {
    return hub::UserHub(*station.hub, std::make_shared<const hub::Caller>(
                                          hub::Caller{.user = "user_" + name, .name = name, .role = hub::TeamRole::member}));
  };
  const std::string path = (std::filesystem::temp_directory_path() / make_id("parlance-bell-")).string();
  keep_browser(path, "user_bob");
  push::Subscriptions subscriptions{loop, path, *push::PushServices::parse("")};
  ASSERT_TRUE(subscriptions.load());
  push::Sender sender{loop, subscriptions, push::Vapid(P256Key::generate().value(), "")};
  PushNotifier anns{loop, hub_of("ann"), subscriptions, sender, {.is_page_visible = [] { return false; }}};
  PushNotifier bobs{loop, hub_of("bob"), subscriptions, sender, {.is_page_visible = [] { return false; }}};
  anns.start();
  bobs.start();
  const auto asks = [&](hub::UserHub by) {
    const auto made = loop.block_on(by.create({.agent = "scripted", .folder = "/p", .access = hub::Access::team}));
    ASSERT_TRUE(made);
    ASSERT_TRUE(loop.block_on(by.submit(made->id, hub::SendPrompt{.text = "do"})));
    loop.advance(1min);
  };
  asks(hub_of("ann"));
  EXPECT_EQ(anns.statistics().failed, 0U) << "no browser of hers is known";
  EXPECT_EQ(bobs.statistics().failed, 0U) << "it is not his";
  asks(hub_of("bob"));
  EXPECT_EQ(bobs.statistics().failed, 1U);
  EXPECT_EQ(anns.statistics().failed, 0U);
  std::filesystem::remove_all(path);
}

}  // namespace
}  // namespace parlance::face

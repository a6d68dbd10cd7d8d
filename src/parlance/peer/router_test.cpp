// SPDX-License-Identifier: Apache-2.0
#include "parlance/peer/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/wire/describe.h"

namespace parlance {
namespace {

using ::testing::ElementsAre;

struct Ping {
  std::string text{};
  static constexpr auto wire = wire::fields(wire::field<&Ping::text>("text", "Comes back."));
};

inline constexpr auto methods =
    wire::methods(wire::call<Ping, Ping>("ping", "Answers."), wire::call<Ping, Ping>("other", "Answers, too."),
                  wire::notice<Ping>("note", "Has no reply."), wire::notice<wire::Raw>("", "Has no name."));
inline constexpr const auto& ping = wire::method<methods, "ping">;

Result<Ping> echo(const Ping& said, Context&) { return said; }

TEST(Router, FindsOnlyRegisteredMethods) {
  Router router;
  router.on(ping, echo);
  router.on(wire::method<methods, "note">, [](const Ping&, Context&) {});
  ASSERT_NE(router.find("ping"), nullptr);
  EXPECT_FALSE(router.find("ping")->notice);
  ASSERT_NE(router.find("note"), nullptr);
  EXPECT_TRUE(router.find("note")->notice);
  for (const char* other : {"Ping", "pin", "ping ", "other", ""}) EXPECT_EQ(router.find(other), nullptr) << other;
}

TEST(Router, AHandlerMayHaveSeveralNames) {
  Router router;
  router.on(ping, echo);
  router.on("RPCService.Ping", ping, echo);
  EXPECT_NE(router.find("RPCService.Ping"), nullptr);
  EXPECT_THAT(router.methods(), ElementsAre("RPCService.Ping", "ping"));
}

TEST(Router, ItsMethodsComeInTheOrderOfTheirNames) {
  Router router;
  router.on(ping, echo);
  router.on(wire::method<methods, "other">, echo);
  router.on(wire::method<methods, "note">, [](const Ping&, Context&) {});
  EXPECT_THAT(router.methods(), ElementsAre("note", "other", "ping"));
  EXPECT_TRUE(Router().methods().empty());
}

TEST(Router, ARemovedMethodIsUnknownAndCanBeAddedAgain) {
  Router router;
  router.on(ping, echo);
  router.on(wire::method<methods, "">, [](const wire::Raw&, Context&) {});
  EXPECT_TRUE(router.has("ping"));
  EXPECT_TRUE(router.remove("ping"));
  EXPECT_FALSE(router.remove("ping"));
  EXPECT_FALSE(router.has("ping"));
  EXPECT_TRUE(router.remove(""));
  EXPECT_FALSE(router.has(""));
  EXPECT_TRUE(router.methods().empty());
  router.on(ping, echo);
  EXPECT_TRUE(router.has("ping"));
}

TEST(Router, ANamelessNoticeIsFoundAlsoAfterTheRouterWasMoved) {
  Router router;
  EXPECT_EQ(router.find(""), nullptr);
  router.on(wire::method<methods, "">, [](const wire::Raw&, Context&) {});
  router.on(ping, echo);
  const Router moved = std::move(router);
  ASSERT_NE(moved.find(""), nullptr);
  EXPECT_TRUE(moved.find("")->notice);
  EXPECT_NE(moved.find("ping"), nullptr);
}

TEST(Router, AnUnknownMethodIsReportedByItsNameOrByTheProtocol) {
  Router router;
  EXPECT_EQ(router.unknown("nonsense"), (Error{.code = Errc::unknown_method, .message = "unknown method: nonsense"}));
  router.on_unknown([](std::string_view method) {
    return Error{.code = Errc::invalid_request, .message = "rpc: can't find service " + std::string(method)};
  });
  EXPECT_EQ(router.unknown("A.B").message, "rpc: can't find service A.B");
}

TEST(RouterDeathTest, TwoHandlersForAMethodAreABug) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  Router router;
  router.on(ping, echo);
  EXPECT_DEATH(router.on(ping, echo), "one handler for a method");
}

TEST(RequestId, IsWrittenUnchanged) {
  EXPECT_EQ(to_string(RequestId::of(7)), "7");
  EXPECT_EQ(to_string(RequestId::of_raw("\"7\"")), "\"7\"");
  EXPECT_EQ(to_string(RequestId{}), "(none)");
  EXPECT_NE(RequestId::of(1), RequestId::of_raw("\"1\""));
  EXPECT_NE(RequestId::of(0), RequestId{});
}

}  // namespace
}  // namespace parlance

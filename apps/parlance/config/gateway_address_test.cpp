#include "apps/parlance/config/gateway_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::app {
namespace {

using ::testing::HasSubstr;

TEST(GatewayAddress, IsCompletedByItsPath) {
  EXPECT_EQ(GatewayAddress::parse("wss://parlance.example.org")->url, "wss://parlance.example.org/runner");
  EXPECT_EQ(GatewayAddress::parse("ws://127.0.0.1:55003/")->url, "ws://127.0.0.1:55003/runner");
  EXPECT_EQ(GatewayAddress::parse("wss://h:1/behind/a/proxy")->url, "wss://h:1/behind/a/proxy");
  EXPECT_EQ(GatewayAddress::parse("wss://h/runner?key=secret")->shown, "wss://h/runner");
}

TEST(GatewayAddress, SaysWhatWouldGoInClear) {
  EXPECT_FALSE(GatewayAddress::parse("ws://localhost:1/runner")->in_clear);
  EXPECT_FALSE(GatewayAddress::parse("wss://box.lan/runner")->in_clear);
  EXPECT_TRUE(GatewayAddress::parse("ws://box.lan/runner")->in_clear);
}

TEST(GatewayAddress, AnythingElseIsNone) {
  for (const char* text : {"", "box.lan", "http://box.lan", "wss://", "wss:///runner", "ws://?x"})
    EXPECT_THAT(GatewayAddress::parse(text).error().message, HasSubstr("wss://HOST[:PORT]/runner")) << text;
}

}  // namespace
}  // namespace parlance::app

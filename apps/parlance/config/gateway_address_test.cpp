// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/gateway_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::app {
namespace {

using ::testing::HasSubstr;

TEST(GatewayAddress, IsCompletedByItsPath) {
  EXPECT_EQ(GatewayAddress::parse("wss://parlance.example.org", runner_path)->url, "wss://parlance.example.org/runner");
  EXPECT_EQ(GatewayAddress::parse("ws://127.0.0.1:55003/", runner_path)->url, "ws://127.0.0.1:55003/runner");
  EXPECT_EQ(GatewayAddress::parse("wss://h:1/behind/a/proxy", runner_path)->url, "wss://h:1/behind/a/proxy");
  EXPECT_EQ(GatewayAddress::parse("wss://h/runner?key=secret", runner_path)->shown, "wss://h/runner");
}

TEST(GatewayAddress, IsOneForAllPrograms) {
  EXPECT_EQ(GatewayAddress::parse("wss://h", page_path)->url, "wss://h/ws");
  EXPECT_EQ(GatewayAddress::parse("wss://h/runner", page_path)->url, "wss://h/ws");
  EXPECT_EQ(GatewayAddress::parse("wss://h/acp", runner_path)->url, "wss://h/runner");
  EXPECT_EQ(GatewayAddress::parse("wss://h/team/acp", page_path)->url, "wss://h/team/ws");
}

TEST(GatewayAddress, SaysWhatWouldGoInClear) {
  EXPECT_FALSE(GatewayAddress::parse("ws://localhost:1/runner", runner_path)->in_clear);
  EXPECT_FALSE(GatewayAddress::parse("wss://box.lan/runner", runner_path)->in_clear);
  EXPECT_TRUE(GatewayAddress::parse("ws://box.lan/runner", runner_path)->in_clear);
}

TEST(GatewayAddress, AnythingElseIsNone) {
  for (const char* text : {"", "box.lan", "http://box.lan", "wss://", "wss:///runner", "ws://?x"})
    EXPECT_THAT(GatewayAddress::parse(text, runner_path).error().message, HasSubstr("wss://HOST[:PORT]/runner")) << text;
}

}  // namespace
}  // namespace parlance::app

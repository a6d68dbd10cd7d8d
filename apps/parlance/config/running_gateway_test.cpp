// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/running_gateway.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::app {
namespace {

class RunningGatewayTest : public ::parlance::test::ProgramTest {
 protected:
  std::string state() const { return path("state"); }
  void SetUp() override {
    std::filesystem::create_directory(state());
    std::filesystem::permissions(state(), std::filesystem::perms::owner_all);
  }
};

TEST_F(RunningGatewayTest, IsFoundWhileItLives) {
  EXPECT_EQ(RunningGateway::find(state()), "");
  {
    const auto gateway = RunningGateway::announce(state(), "127.0.0.1", 4711);
    ASSERT_TRUE(gateway);
    EXPECT_EQ(RunningGateway::find(state()), "ws://127.0.0.1:4711");
    EXPECT_FALSE(RunningGateway::announce(state(), "127.0.0.1", 4712)) << "a second gateway of the folder";
    EXPECT_EQ(RunningGateway::find(state()), "ws://127.0.0.1:4711");
  }
  EXPECT_EQ(RunningGateway::find(state()), "") << "the port may belong to a stranger now";
  EXPECT_TRUE(RunningGateway::announce(state(), "127.0.0.1", 4712));
}

// The port of 127.0.0.1 may belong to another user's program, which would receive the token.
TEST_F(RunningGatewayTest, AGatewayOfAnotherAddressIsNotFound) {
  for (const char* host : {"", "10.0.0.5", "::1", "::", "localhost", "127.0.0.2", "parlance.example.org"}) {
    EXPECT_FALSE(RunningGateway::announce(state(), host, 4711)) << host;
    EXPECT_EQ(RunningGateway::find(state()), "") << host;
  }
  EXPECT_TRUE(RunningGateway::announce(state(), "0.0.0.0", 4711));
}

TEST_F(RunningGatewayTest, ABrokenPortOrAFolderThatIsAbsentIsNone) {
  EXPECT_EQ(RunningGateway::find(path("absent")), "");
  EXPECT_FALSE(std::filesystem::exists(path("absent")));
  const auto gateway = RunningGateway::announce(state(), "127.0.0.1", 4711);
  for (const char* text : {"", "0", "70000", "-1", "80 80", "evil.example:80"}) {
    ASSERT_TRUE(write_private_file(state() + "/gateway.port", text));
    EXPECT_EQ(RunningGateway::find(state()), "") << text;
  }
  ASSERT_TRUE(write_private_file(state() + "/gateway.port", "4711"));
  std::filesystem::permissions(state() + "/gateway.port", std::filesystem::perms(0644));
  EXPECT_EQ(RunningGateway::find(state()), "") << "other users can read the file, so others may have written it";
}

}  // namespace
}  // namespace parlance::app

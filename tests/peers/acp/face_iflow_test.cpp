// SPDX-License-Identifier: Apache-2.0
// The real iFlow SDK (0.1.2) as the client of `parlance serve-acp --iflow`: fifty turns in one connection, with bursts of text,
// approvals, unknown questions, commands and files. Of several frames in one read, the SDK handles a single frame.
#include <algorithm>
#include <signal.h>

#include "tests/peers/acp/face_fixture.h"

namespace parlance::test {
namespace {

Words iflow_client() { return {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/face_iflow_client.mjs"}; }

TEST_F(AcpFrontendTest, TheIflowSdkCompletesFiftyTurnsOfFifty) {
  if (const std::string why = missing("iflow-sdk"); !why.empty()) GTEST_SKIP() << why;
  std::filesystem::create_directories(path("work"));
  const std::string url = listen({"--iflow"});
  const Finished client = run(iflow_client(), "", variables({{"SDK", packages("iflow-sdk")}, {"URL", url}, {"ROUNDS", "50"}}));
  expect_all_ok(client);
  EXPECT_THAT(client.out, testing::HasSubstr("ok 49\n"));
}

// Requests the SDK's files: refused files are not read. Without files of the SDK, the disk is used.
TEST_F(AcpFrontendTest, FilesAreReadAndWrittenByTheIflowSdk) {
  if (const std::string why = missing("iflow-sdk"); !why.empty()) GTEST_SKIP() << why;
  std::filesystem::create_directories(path("work"));
  const std::string url = listen({"--iflow"});
  const auto play = [&](const std::string& files) {
    return run(iflow_client(), "", variables({{"SDK", packages("iflow-sdk")}, {"URL", url}, {"ROUNDS", "6"}, {"FILES", files}}))
        .out;
  };
  EXPECT_THAT(play("read_only"),
              testing::AllOf(testing::HasSubstr("NOT 1 write note.txt"), testing::HasSubstr("read-only mode")));
  EXPECT_FALSE(std::filesystem::exists(path("work") + "/note.txt"));
  EXPECT_THAT(play("off"), testing::AllOf(testing::HasSubstr("access not configured"), testing::HasSubstr("ok 5\n")));
  EXPECT_TRUE(std::filesystem::exists(path("work") + "/note.txt"));
}

// A busy machine delays the SDK, so separate frames arrive in a single read. Here the SDK is stopped most of the time.
TEST_F(AcpFrontendTest, TheIflowSdkLosesNothingWhenItRunsLate) {
  if (const std::string why = missing("iflow-sdk"); !why.empty()) GTEST_SKIP() << why;
  std::filesystem::create_directories(path("work"));
  const std::string url = listen({"--iflow"});
  const auto client = launch(iflow_client(), variables({{"SDK", packages("iflow-sdk")}, {"URL", url}, {"ROUNDS", "12"}}));
  until([&] { return !client->lines.empty() || client->ended(); }, "the first turn");
  while (!client->ended() && std::ranges::find(client->lines, "end") == client->lines.end()) {
    const std::size_t before = client->lines.size();
    const TimePoint limit = Clock::now() + long_enough;
    while (client->lines.size() == before && !client->ended() && Clock::now() < limit) {
      ::kill(client->child().pid(), SIGSTOP);
      loop.run_for(40ms);
      ::kill(client->child().pid(), SIGCONT);
      loop.run_for(20ms);
    }
    ASSERT_GT(client->lines.size(), before) << "waits for a frame that did not arrive\n" << client->errors;
  }
  EXPECT_THAT(client->lines, testing::SizeIs(13));
  EXPECT_THAT(client->lines, testing::Each(testing::AnyOf(testing::StartsWith("ok "), "end"))) << client->errors;
}

}  // namespace
}  // namespace parlance::test

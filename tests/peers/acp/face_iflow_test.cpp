// The real iFlow SDK (0.1.2) as the client of `parlance serve-acp --iflow`: fifty turns in one connection, with bursts of text, approvals,
// questions that it does not know, commands and files.
#include "tests/peers/acp/face_fixture.h"

namespace parlance::test {
namespace {

TEST_F(AcpFaceTest, TheIflowSdkCompletesFiftyTurnsOfFifty) {
  if (const std::string why = missing("iflow-sdk"); !why.empty()) GTEST_SKIP() << why;
  std::filesystem::create_directories(path("work"));
  const std::string url = listen({"--iflow"});
  const Finished client = run({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/face_iflow_client.mjs"}, "",
                              variables({{"SDK", packages("iflow-sdk")}, {"URL", url}, {"ROUNDS", "50"}}));
  expect_all_ok(client);
  EXPECT_THAT(client.out, testing::HasSubstr("ok 49\n"));
}

}  // namespace
}  // namespace parlance::test

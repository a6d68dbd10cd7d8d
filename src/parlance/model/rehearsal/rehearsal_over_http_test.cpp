// SPDX-License-Identifier: Apache-2.0
// The rehearsal as a program over HTTP sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/model/over_http.h"
#include "parlance/model/rehearsal/rehearsal.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Rehearsed {
  Completion completion;
  test::Chunks chunks;
};

Rehearsed rehearse(std::vector<Message> messages) {
  Loop loop(Loop::Time::virtual_);
  const auto model = *make_rehearsal(loop, {.pace = std::chrono::milliseconds(0)});
  ChatRequest request{.messages = std::move(messages)};
  for (const char* tool : {"update_plan", "list_files", "write_file"}) request.tools.push_back({.name = tool});
  Rehearsed rehearsed;
  auto answer = loop.block_on(model->chat(std::move(request), rehearsed.chunks));
  EXPECT_TRUE(answer) << answer.error().message;
  if (answer) rehearsed.completion = *std::move(answer);
  return rehearsed;
}

TEST(RehearsalOverHttp, FreeTextIsAnsweredWithWordsAlone) {
  const Message hello{.role = Role::user, .content = "hello"};
  EXPECT_FALSE(rehearse({hello}).completion.tool_calls.empty()) << "a person gets the tour";
  const Completion over_http = rehearse({{.role = Role::system, .content = "Working folder: /project"},
                                         {.role = Role::system, .content = std::string(called_over_http)},
                                         hello})
                                   .completion;
  EXPECT_THAT(over_http.tool_calls, IsEmpty());
  EXPECT_EQ(over_http.stop, StopReason::end_turn);
  EXPECT_THAT(over_http.content, HasSubstr("You wrote “hello”."));
}

TEST(Rehearsal, ItsTokensAreNoUsage) {
  const Rehearsed rehearsed = rehearse({{.role = Role::user, .content = "long 100"}});
  EXPECT_EQ(rehearsed.completion.usage, Usage{});
  EXPECT_EQ(rehearsed.chunks.last_usage, Usage{});
}

}  // namespace
}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
// parlance usage from a shell, while a hub works with the same file.
#include <filesystem>

#include <gmock/gmock.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/hub_file.h"
#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class UsageCommand : public ProgramTest {
 protected:
  void SetUp() override { std::filesystem::create_directories(state()); }
  std::string state() const { return path("state"); }
  Finished usage(Words words = {}) {
    words.insert(words.begin(), "usage");
    words.insert(words.end(), {"--state", state()});
    return parlance(std::move(words));
  }
};

hub::SpentOn row(std::string day, std::string conversation, std::uint64_t tokens, double dollars) {
  return {.day = std::move(day),
          .conversation = std::move(conversation),
          .spent = {.turns = 1, .input_tokens = tokens, .costs = {{.amount = dollars, .currency = "USD"}}}};
}

TEST_F(UsageCommand, SaysByDayAndByConversationWhatWasUsedAndTheLimits) {
  store::HubFile hub(state());  // stays open
  ASSERT_TRUE(hub.commit({.conversation = std::make_shared<const hub::Conversation>(
                              hub::Conversation{{.id = "conv_a", .title = "Mend \x1b[31mthe test"}}),
                          .spent = {row("2026-03-08", "conv_a", 12'000, 0.25), row("2026-03-09", "conv_a", 300, 0.5),
                                    row("2026-03-09", "conv_gone", 4, 1)},
                          .limits = hub::SpendingLimits{.day_tokens = 500'000}}));
  const Finished all = usage();
  EXPECT_EQ(all.code, 0) << all.errors;
  EXPECT_THAT(all.out, AllOf(HasSubstr("By day\n            304 tokens  2 turns  1.50 USD  2026-03-09\n"),
                             HasSubstr("\n         12,300 tokens  2 turns  0.75 USD  Mend ␛[31mthe test  (conv_a)\n"),
                             HasSubstr("1.00 USD  conversations that are deleted\n"),
                             HasSubstr("Limits\n  500,000 tokens a day\n"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(usage({"--since", "2026-03-09"}).out, Not(HasSubstr("2026-03-08")));
  const json::Value document = parsed(usage({"--json"}).out);
  EXPECT_EQ(at(document, {"spent"}).array()->size(), 3U);
  EXPECT_EQ(at(document, {"limits", "day_tokens"}), json::Value(500'000));
}

TEST_F(UsageCommand, NothingUsedIsNoError) {
  EXPECT_THAT(usage().out, HasSubstr("No usage was reported"));
  EXPECT_EQ(usage().code, 0);
  const Finished wrong = usage({"--since", "yesterday"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("2026-03-09"));
}

}  // namespace
}  // namespace parlance::test

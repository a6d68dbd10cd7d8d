// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/plan_mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(PlanMode, TheInstructionsNameTheToolThatLeavesIt) {
  for (const Language language : {Language::english, Language::chinese}) {
    EXPECT_THAT(plan_instructions(language), HasSubstr("exit_plan_mode"));
    EXPECT_THAT(plan_execution_order(language), Not(HasSubstr("exit_plan_mode")));
    EXPECT_THAT(plan_instructions(language), Not(HasSubstr("system-reminder")));
  }
  EXPECT_NE(plan_instructions(Language::english), plan_instructions(Language::chinese));
  EXPECT_THAT(plan_execution_order(Language::chinese), HasSubstr("计划已获批准"));
}

TEST(PlanMode, AMessageFollowsTheReminder) {
  const std::string message = in_plan_mode("do it", Language::english);
  EXPECT_THAT(message, StartsWith("<system-reminder>\nPlan mode is active."));
  EXPECT_THAT(message, EndsWith("\n</system-reminder>\n\ndo it"));
  EXPECT_THAT(in_plan_mode("做吧", Language::chinese), StartsWith("<system-reminder>\n当前处于计划模式"));
}

TEST(PlanMode, TheOrderIsAReminderAlone) {
  EXPECT_EQ(execution_message(Language::english),
            "<system-reminder>\n" + std::string(plan_execution_order(Language::english)) + "\n</system-reminder>");
}

TEST(PlanMode, NothingInsideAReminderEndsIt) {
  EXPECT_EQ(system_reminder("a</system-reminder>b<system-reminder>c"),
            "<system-reminder>\na&lt;/system-reminder>b&lt;system-reminder>c\n</system-reminder>");
}

TEST(PlanMode, TheLanguageIsThatOfTheLocale) {
  for (const char* locale : {"zh", "zh_CN.UTF-8", "zh-cn", "ZH_TW", "zh@x"})
    EXPECT_EQ(language_of(locale), Language::chinese) << locale;
  for (const char* locale : {"", "C", "en_US.UTF-8", "zha", "de", "C.zh"})
    EXPECT_EQ(language_of(locale), Language::english) << locale;
}

TEST(PlanMode, AMessageThatIsAReminderAloneIsNoPersons) {
  EXPECT_TRUE(is_reminder(execution_message(Language::english)));
  EXPECT_TRUE(is_reminder(system_reminder("</system-reminder> x")));
  EXPECT_FALSE(is_reminder(in_plan_mode("do it", Language::english)));
  EXPECT_FALSE(is_reminder(system_reminder("a") + "\nmine\n" + system_reminder("b")));
  EXPECT_FALSE(is_reminder("<system-reminder>\n</system-reminder>"));
  EXPECT_FALSE(is_reminder(""));
}

}  // namespace
}  // namespace parlance::adapter

// SPDX-License-Identifier: Apache-2.0
// The log of lines outside the protocol: enough to recognise such lines, and never an entry for each of a million.
#include "parlance/protocol/claude/lost_lines.h"

#include <algorithm>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/protocol/claude/dialect.h"

namespace parlance::claude {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// The log entries at a connection's end after this number of stray lines.
std::string log_of(int lines) {
  testing::internal::CaptureStderr();
  {
    const auto dialect = control_dialect(Side::host);
    for (int i = 0; i < lines; ++i) dialect->decode("Debugger attached " + std::to_string(i));
  }
  return testing::internal::GetCapturedStderr();
}

TEST(LostLines, AFewAreReportedEachWithTheirBeginning) {
  const std::string log = log_of(3);
  EXPECT_EQ(std::ranges::count(log, '\n'), 3);
  EXPECT_THAT(log, HasSubstr("Debugger attached 2"));
  EXPECT_THAT(log, testing::Not(HasSubstr("lines=")));
  EXPECT_EQ(log_of(0), "");
}

TEST(LostLines, AMillionAreTenAndTheirSums) {
  const std::string log = log_of(1'000'003);
  EXPECT_EQ(std::ranges::count(log, '\n'), 10 + 5 + 1) << log;  // 100, 1,000 … 1,000,000, and the end
  EXPECT_THAT(log, HasSubstr("Debugger attached 9"));
  EXPECT_THAT(log, HasSubstr("lines=1000\n"));
  EXPECT_THAT(log, EndsWith("lines=1000003\n"));
}

// … and overlong lines count too; a listener receives every line.
TEST(LostLines, AListenerReceivesAllLines) {
  testing::internal::CaptureStderr();
  int received = 0;
  auto dialect = control_dialect(Side::host, [&](const Error&, BytesView) { ++received; });
  for (int i = 0; i < 15; ++i) dialect->decode("[1]");
  for (int i = 0; i < 15; ++i) dialect->dropped({.message = "too long"}, "{\"type\"");
  dialect.reset();
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(received, 30);
  EXPECT_THAT(log, EndsWith("lines=30\n"));
}

}  // namespace
}  // namespace parlance::claude

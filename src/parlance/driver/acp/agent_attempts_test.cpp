// SPDX-License-Identifier: Apache-2.0
// tests/policy/agents.txt for ACP agents and for runners: each call takes the path of a real call, from the update to the
// decision.
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/permission_asks.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/agent_attempts_test_support.h"

namespace parlance::driver {
namespace {

using toolbox::test::AgentAttempt;
using toolbox::test::AttemptFolder;

struct SilentSink final : AcpUpdates::Sink {
  void emit(hub::EventBody) override {}
  void user(std::string) override {}
  void mode(const std::string&) override {}
  void options(const std::vector<acp::ConfigOption>&) override {}
  void title(const std::string&) override {}
};

AcpUpdates::Call announced(const AgentAttempt& attempt, std::string_view places) {
  std::string locations;
  for (const std::string_view place : split(places, ','))
    if (!place.empty()) locations += (locations.empty() ? "" : ",") + (R"({"path":")" + std::string(place) + "\"}");
  const auto update =
      json::from_text<acp::ToolCallUpdate>(R"({"toolCallId":"c","title":"harmless","kind":")" + attempt.label +
                                           R"(","rawInput":)" + attempt.input + R"(,"locations":[)" + locations + "]}");
  EXPECT_TRUE(update) << attempt.line;
  SilentSink sink;
  AcpUpdates updates(sink);
  return *updates.find(updates.announce(update.value_or(acp::ToolCallUpdate{})));
}

TEST(AgentAttempts, OfAnAgentBehindAcpEndAsTheyAreWritten) {
  const AttemptFolder folder;
  const hub::SessionSetup setup{.folder = folder.work()};
  const auto attempts = folder.attempts("acp");
  EXPECT_GE(attempts.size() * 5, 600U);
  for (const AgentAttempt& attempt : attempts)
    EXPECT_EQ(folder.effects(acp_intent(announced(attempt, attempt.places), setup), folder.work()), attempt.effects)
        << "tests/policy/agents.txt:" << attempt.line << " " << attempt.label << " " << attempt.input << " " << attempt.places;
}

TEST(AgentAttempts, OfARunnerEndAsTheyAreWritten) {
  const AttemptFolder folder;
  const hub::SessionSetup setup{.folder = "/far"};
  const auto attempts = folder.attempts("runner");
  EXPECT_GE(attempts.size(), 15U);
  for (const AgentAttempt& attempt : attempts) {
    const std::string meta = R"({"parlance":{"intent":{"title":"t","memory":"look","askedFor":true,)" + attempt.places + "}}}";
    EXPECT_EQ(folder.effects(reported_intent(announced(attempt, ""), meta, setup), "/far"), attempt.effects)
        << "tests/policy/agents.txt:" << attempt.line << " " << attempt.label << " " << attempt.input << " " << meta;
  }
}

}  // namespace
}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// The reply to an agent's permission request, for each state of the hub's answer.
#include "parlance/driver/acp/permission_asks.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::driver {
namespace {

using hub::AskState;
using hub::OptionKind;

std::string reply(const hub::AskAnswer& answer) {
  return json::to_text(
      permission_reply(answer, {{.option_id = "yes", .name = "Yes", .kind = {.value = acp::PermissionKind::allow_once}},
                                {.option_id = "always", .name = "Always", .kind = {.value = acp::PermissionKind::allow_always}},
                                {.option_id = "no", .name = "No", .kind = {.value = acp::PermissionKind::reject_once}}}));
}

TEST(PermissionReply, WithoutAnAnswerNoOptionIsSelected) {
  const std::string none = json::to_text(acp::not_selected());
  for (const AskState state : {AskState::open, AskState::expired, AskState::cancelled, AskState::orphaned})
    for (const OptionKind kind : {OptionKind::allow_once, OptionKind::allow_always, OptionKind::reject_once})
      for (const char* option : {"", "yes", "always", "other"})
        EXPECT_EQ(reply({.state = state, .option = option, .kind = kind}), none) << static_cast<int>(state) << option;
}

TEST(PermissionReply, AnUnknownOptionIsNoMoreThanItsKind) {
  EXPECT_EQ(reply({}), json::to_text(acp::selected("no"))) << "an empty answer rejects";
  const auto answered = [](OptionKind kind, std::string option) {
    return reply({.state = AskState::answered, .option = std::move(option), .kind = kind});
  };
  EXPECT_EQ(answered(OptionKind::allow_once, "yes"), json::to_text(acp::selected("yes")));
  EXPECT_EQ(answered(OptionKind::allow_always, "other"), json::to_text(acp::selected("yes"))) << "the smallest that allows";
  EXPECT_EQ(answered(OptionKind::reject_once, "other"), json::to_text(acp::selected("no")));
  EXPECT_EQ(answered(OptionKind::reject_and_stop, ""), json::to_text(acp::selected("no")));
  EXPECT_EQ(answered(OptionKind::choice, ""), json::to_text(acp::selected("no"))) << "a kind that permits nothing";
}

}  // namespace
}  // namespace parlance::driver

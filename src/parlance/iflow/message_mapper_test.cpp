// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/message_mapper.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"

namespace parlance::iflow {
namespace {

ToolCallMessage mapped(MessageMapper& mapper, std::string_view update) {
  auto parsed = json::from_text<acp::Update>(update);
  EXPECT_TRUE(parsed) << update;
  return std::get<ToolCallMessage>(*mapper.map({.session_id = "s", .update = *std::move(parsed)}));
}

// OpenCode begins with an empty one.
TEST(MessageMapper, TheArgumentsAreTheLastThatHoldAnything) {
  MessageMapper mapper;
  mapped(mapper, R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"bash","rawInput":{}})");
  EXPECT_EQ(
      json::to_text(mapped(mapper, R"({"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":{"command":"ls"}})").args),
      R"({"command":"ls"})");
  EXPECT_EQ(json::to_text(mapped(mapper, R"({"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":{}})").args),
            R"({"command":"ls"})");
  EXPECT_EQ(json::to_text(mapped(mapper, R"({"sessionUpdate":"tool_call_update","toolCallId":"t",
      "content":[{"type":"content","content":{"type":"text","text":"x"},"args":{"command":"pwd"}}]})")
                              .args),
            R"({"command":"pwd"})");
}

}  // namespace
}  // namespace parlance::iflow

// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/forwarded_message.h"

#include <gtest/gtest.h>

#include "parlance/protocol/claude/messages.h"

namespace parlance::claude {
namespace {

TEST(ForwardedMessage, UndeclaredMembersPassUnchanged) {
  const auto read = read_forwarded<HookCallback>(
      {R"({"subtype":"hook_callback","later":[1.0,12345678901234567890123],"callback_id":"h","input":{"a":1},"tool_use_id":null})"});
  ASSERT_TRUE(read);
  HookCallback changed = *read;
  changed.input.json = R"({"a":2})";
  EXPECT_EQ(write_forwarded(changed).json,
            R"({"later":[1.0,12345678901234567890123],"callback_id":"h","input":{"a":2},"tool_use_id":null})");
}

TEST(ForwardedMessage, OurOwnMessageHasItsDeclaredMembers) {
  EXPECT_EQ(write_forwarded(McpMessage{.server_name = "calc", .message = {R"({"id":1})"}}).json,
            R"({"server_name":"calc","message":{"id":1}})");
}

TEST(ForwardedMessage, AMismatchIsAnError) {
  EXPECT_EQ(read_forwarded<HookCallback>({R"({"callback_id":1})"}).error().code, Errc::invalid_params);
}

}  // namespace
}  // namespace parlance::claude

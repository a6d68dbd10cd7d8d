// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/outline.h"

#include <gtest/gtest.h>

namespace parlance::acp {
namespace {

TEST(OutlineOfAMessage, SaysWhereItGoes) {
  const auto request = outline(R"({"jsonrpc":"2.0","id":0,"method":"session/prompt","params":{"sessionId":"s","x":[1]}})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "session/prompt");
  EXPECT_EQ(request->id_json, "0");
  EXPECT_EQ(request->session, "s");
  EXPECT_EQ(outline(R"({"id":"a","result":{"sessionId":"n"}})")->session, "n");
  EXPECT_EQ(outline(R"({"id":"a","result":null})")->session, "");
  EXPECT_TRUE(outline(R"({"id":"a","error":{}})")->is_error);
  for (const char* bad : {"", "[]", "1", "{", "{}x", "\xff"}) EXPECT_FALSE(outline(bad)) << bad;
}

}  // namespace
}  // namespace parlance::acp

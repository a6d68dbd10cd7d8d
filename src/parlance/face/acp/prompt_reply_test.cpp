// SPDX-License-Identifier: Apache-2.0
// The reply to session/prompt, as strict clients of the stable protocol read it.
#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::face {
namespace {

using testing::HasSubstr;

TEST_F(HubOverAcp, TheUsageOfATurnIsInTheMetaOfItsReply) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Usage{.input_tokens = 10, .output_tokens = 2});
    co_return hub::StopReason::end_turn;
  };
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const auto reply = editor->call(acp::method::prompt, TestClient::words(editor->begin(), "x"));
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->usage) << "the stable schema has no such member";
  EXPECT_THAT(reply->meta.json, HasSubstr(R"("usage":{"totalTokens":12,"inputTokens":10,"outputTokens":2})"));
}

}  // namespace
}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
// Settings of a session from a client of iFlow.
#include "parlance/face/acp/test_support.h"

namespace parlance::face {
namespace {

TEST_F(HubOverAcp, AListOfAllowedToolsNeverRaisesTheMode) {
  const auto editor = client(acp::Flavour::iflow);
  ASSERT_TRUE(editor->initialize());
  for (const auto& [wanted, begun] : {std::pair{"yolo", "default"}, std::pair{"smart", "default"}, std::pair{"plan", "plan"}}) {
    acp::NewSession request{.cwd = "/tmp"};
    request.settings = acp::IflowSettings{.permission_mode = wanted, .allowed_tools = {{"read_file"}}};
    const auto session = editor->call(acp::method::new_session, request);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->modes->current_mode_id, begun) << wanted;
  }
}

}  // namespace
}  // namespace parlance::face

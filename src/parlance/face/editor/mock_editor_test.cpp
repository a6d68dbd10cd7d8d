// SPDX-License-Identifier: Apache-2.0
// The mock editor through the bridge, byte for byte.
#include <string>

#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/face/editor/editor_over_bridge.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/memory.h"

namespace parlance::face {
namespace {

std::string answer(const std::string& request) {
  Loop loop{Loop::Time::virtual_};
  const auto mock = hub::mock_editor();
  Router router;
  serve_editor(router, *mock, {.name = "mock"});
  auto [hand, far] = memory_pair(loop);
  Peer peer(loop, framed_stream(loop, std::move(far), line_framing()), editor::dialect(), router);
  Scope scope(loop);
  scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(peer));
  EXPECT_EQ(hand->try_write(request + "\n"), request.size() + 1);
  std::string buffer(1 << 16, '\0');
  const auto read = [&]() -> Task<Result<std::size_t>> { co_return co_await read_some(*hand, buffer); };
  buffer.resize(loop.block_on(read()).value_or(0));
  scope.cancel();
  return buffer;
}

std::string ask(std::string_view method, std::string_view params = "{}") {
  const std::string line =
      answer(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}");
  const std::string head = R"({"jsonrpc":"2.0","id":1,"result":)";
  EXPECT_TRUE(line.starts_with(head) && line.ends_with("}\n")) << line;
  return line.substr(head.size(), line.size() - head.size() - 2);
}

TEST(MockEditorOverBridge, AnswersByteForByte) {
  EXPECT_EQ(ask("ping"), R"({"pong":true})");
  EXPECT_EQ(ask("getActiveFile"),
            R"({"success":true,"file":{"path":"/path/to/project/src/main.cpp","content":"#include <iostream>\n\nint main() {\n)"
            R"(    std::cout << \"Hello World\" << std::endl;\n    return 0;\n}\n","language":"cpp","lineCount":7}})");
  EXPECT_EQ(
      ask("getSelection"),
      R"({"success":true,"selection":{"text":"std::cout << \"Hello World\" << std::endl;","start":{"line":3,"character":4},)"
      R"("end":{"line":3,"character":49}}})");
  EXPECT_EQ(ask("getWorkspaceFolder"), R"({"success":true,"folder":"/path/to/project"})");
  EXPECT_EQ(ask("showDiff", R"({"title":"TITLE","originalPath":"/p","modifiedContent":""})"),
            R"({"success":true,"message":"Diff shown: TITLE"})");
  EXPECT_EQ(ask("applyChanges", R"({"path":"PATH","oldStr":"a","newStr":"b"})"),
            R"({"success":true,"message":"Applied changes to PATH"})");
  EXPECT_EQ(ask("openFile", R"({"path":"PATH"})"), R"({"success":true,"message":"Opened file: PATH"})");
}

TEST(MockEditorOverBridge, BrokenCallsAreErrors) {
  EXPECT_EQ(answer(R"({"jsonrpc":"2.0","id":"e1","method":"fly"})"),
            "{\"jsonrpc\":\"2.0\",\"id\":\"e1\",\"error\":{\"code\":-32601,\"message\":\"Method not found: fly\"}}\n");
  EXPECT_EQ(
      answer(R"({"jsonrpc":"2.0","id":8,"method":"showDiff","params":{"title":"T","originalPath":"/w"}})"),
      "{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32602,\"message\":\"showDiff: 'modifiedContent' is missing\"}}\n");
}

}  // namespace
}  // namespace parlance::face

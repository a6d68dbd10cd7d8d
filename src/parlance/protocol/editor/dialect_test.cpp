// SPDX-License-Identifier: Apache-2.0
// The distinction of messages and text lines, and the error codes of the bridge.
#include "parlance/protocol/editor/dialect.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/protocol/editor/messages.h"

namespace parlance::editor {
namespace {

struct EditorDialect : ::testing::Test {
  std::vector<std::string> text;
  std::vector<std::string> lines;
  std::unique_ptr<Dialect> bridge = dialect({.text = [this](std::string_view line) { text.emplace_back(line); },
                                             .diagnose = [this](std::string_view line) { lines.emplace_back(line); }});
  std::string error(std::string_view method, const Error& what) const {
    std::string out;
    EXPECT_TRUE(bridge->encode_error(out, RequestId::of(8), method, what));
    return out;
  }
};

TEST_F(EditorDialect, OtherLinesAreText) {
  const std::string nul("{\0}", 3);
  const std::vector<std::string> all{"explain this", "[]",  "{not json", R"({"a":1})", R"({"jsonrpc":"1.0","id":1})", nul,
                                     "{\xff}",       "[{}]"};
  for (const std::string& line : all) EXPECT_EQ(bridge->decode(line).kind, MessageKind::ignored) << line;
  EXPECT_EQ(text, all);
}

TEST_F(EditorDialect, BlanksBeforeAMessageArePassedOver) {
  const Message request = bridge->decode(" \t{\"jsonrpc\":\"2.0\",\"id\":\"e1\",\"method\":\"ping\"}");
  EXPECT_EQ(request.kind, MessageKind::request);
  EXPECT_EQ(request.id, RequestId::of_raw("\"e1\""));
  EXPECT_TRUE(text.empty());
}

TEST_F(EditorDialect, ALineEndOfUnicodeStaysInItsString) {
  const Message input =
      bridge->decode("{\"jsonrpc\":\"2.0\",\"method\":\"userInput\",\"params\":{\"text\":\"a\xe2\x80\xa8{b\"}}");
  ASSERT_EQ(input.kind, MessageKind::notice);
  UserInput typed;
  ASSERT_TRUE(input.body->read(wire::type_of<UserInput>(), &typed));
  EXPECT_EQ(typed.text, "a\xe2\x80\xa8{b");
}

TEST_F(EditorDialect, AMalformedRequestIsRefused) {
  const Message message = bridge->decode(R"({"jsonrpc":"2.0","id":3})");
  ASSERT_EQ(message.kind, MessageKind::reply) << "its call fails";
  EXPECT_TRUE(message.answer && message.error != nullptr);
  EXPECT_NE(error("", *message.error).find("-32600"), std::string::npos);
}

TEST_F(EditorDialect, ErrorsHaveTheCodesOfTheBridge) {
  EXPECT_EQ(error("showDiff", {.code = Errc::invalid_params, .message = "$.modifiedContent: missing"}),
            R"({"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"showDiff: 'modifiedContent' is missing"}})");
  EXPECT_NE(error("x", {.code = Errc::denied, .message = "no"}).find("-32002"), std::string::npos);
  EXPECT_NE(error("x", {.code = Errc::failed, .message = "no"}).find("-32603"), std::string::npos);
  EXPECT_NE(error("x", {.code = Errc::cancelled, .message = "no"}).find("-32800"), std::string::npos);
  EXPECT_NE(error("x", {.code = Errc::unknown_method, .message = "no"}).find("-32601"), std::string::npos);
}

TEST_F(EditorDialect, TheirRejectionIsADenial) {
  const Message reply = bridge->decode(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Rejected by user"}})");
  ASSERT_EQ(reply.kind, MessageKind::reply);
  EXPECT_EQ(reply.error->code, Errc::denied);
}

TEST_F(EditorDialect, CancelNamesTheRequestEitherWay) {
  std::string out;
  ASSERT_TRUE(bridge->encode_cancel(out, RequestId::of(7), "late"));
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","method":"cancel","params":{"id":7}})");
  const Message back = bridge->decode(out);
  EXPECT_EQ(back.kind, MessageKind::cancel);
  EXPECT_EQ(back.id, RequestId::of(7));
}

TEST_F(EditorDialect, DiagnosticsContainNoContents) {
  std::string out;
  const OpenFile open{.path = "/secret"};
  ASSERT_TRUE(bridge->encode_request(out, RequestId::of(1), "openFile", wire::type_of<OpenFile>(), &open));
  bridge->decode(R"({"jsonrpc":"2.0","id":1,"result":{"success":true,"message":"secret"}})");
  EXPECT_EQ(lines,
            (std::vector<std::string>{"[RPC CLIENT] Sent request: openFile", "[RPC CLIENT] Received response for request 1"}));
}

TEST_F(EditorDialect, AnUnexpectedAnswerIsReported) {
  bridge->late(RequestId::of(7));
  EXPECT_EQ(lines, (std::vector<std::string>{"[RPC CLIENT] Dropped a response that nobody waits for: request 7"}));
}

TEST(EditorDialectContents, AreLoggedOnRequestWithoutTheToken) {
  std::vector<std::string> lines;
  const auto bridge = dialect({.diagnose = [&](std::string_view line) { lines.emplace_back(line); }, .contents = true});
  std::string out = "what stands before it";
  const OpenFile open{.path = "/a\"}", .line = 2};
  ASSERT_TRUE(bridge->encode_request(out, RequestId::of(1), "openFile", wire::type_of<OpenFile>(), &open));
  const Initialize begin{.token = "secret"};
  ASSERT_TRUE(bridge->encode_request(out, RequestId::of(2), "initialize", wire::type_of<Initialize>(), &begin));
  bridge->decode(R"({"jsonrpc":"2.0","id":1,"result":{"success":true}})");
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                R"([RPC CLIENT] Sent request: openFile {"path":"/a\"}","line":2})", "[RPC CLIENT] Sent request: initialize",
                R"([RPC CLIENT] Received response for request 1: {"jsonrpc":"2.0","id":1,"result":{"success":true}})"}));
}

TEST_F(EditorDialect, OnlyALongMessageIsAnsweredNotALongText) {
  EXPECT_FALSE(bridge->dropped({.code = Errc::invalid_request, .message = "too long"}, "aaaa").answer);
  EXPECT_TRUE(bridge->dropped({.code = Errc::invalid_request, .message = "too long"}, R"({"jsonrpc")").answer);
}

}  // namespace
}  // namespace parlance::editor

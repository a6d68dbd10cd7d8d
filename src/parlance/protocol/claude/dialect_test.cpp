// SPDX-License-Identifier: Apache-2.0
// Lines into messages and back: order of members, invalid UTF-8, ids, duplicates, and lines without a message.
#include "parlance/protocol/claude/dialect.h"

#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/claude/agent.h"
#include "parlance/protocol/claude/forwarded_message.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::claude {
namespace {

struct Lines {
  void take(const StreamLine& line) {
    seen.push_back(std::string(line.type) + "/" + std::string(line.subtype));
    last = std::string(line.json);
    parent = line.parent;
    event = line.event;
  }
  void lose(const Error& why, BytesView head) { lost.push_back(why.message + "|" + std::string(head)); }
  std::vector<std::string> lost;
  std::vector<std::string> seen;
  std::string last;
  std::string parent;
  std::string event;
};

class ClaudeDialect : public ::testing::Test {
 protected:
  Message decode(std::string line) {
    kept = std::move(line);
    const Message message = dialect->decode(kept);
    if (message.kind == MessageKind::notice) lines.take(dialect->line());
    return message;
  }
  std::string kept;
  Lines lines;
  std::unique_ptr<ControlDialect> dialect =
      control_dialect(Side::host, [this](const Error& why, BytesView head) { lines.lose(why, head); });
};

TEST_F(ClaudeDialect, MembersComeInAnyOrder) {
  const Message message = decode(
      R"({"request":{"tool_name":"Bash","input":{},"subtype":"can_use_tool"},"extra":{"type":"x"},"request_id":"a","type":"control_request"})");
  ASSERT_EQ(message.kind, MessageKind::request);
  EXPECT_EQ(message.method, "can_use_tool");
  EXPECT_EQ(message.id.raw, "\"a\"");
  CanUseTool request;
  EXPECT_TRUE(message.body->read(wire::type_of<CanUseTool>(), &request));
  EXPECT_EQ(request.tool_name, "Bash");
  decode(R"({"duration_api_ms":1,"subtype":"success","type":"result"})");
  EXPECT_EQ(lines.seen, std::vector<std::string>{"result/success"});
}

TEST_F(ClaudeDialect, AnUnservedRequestIsReportedByItsSubtype) {
  const Message message = decode(R"({"type":"control_request","request_id":"a","request":{"subtype":"elicitation","x":1}})");
  ASSERT_EQ(message.kind, MessageKind::request);
  EXPECT_EQ(message.method, other_request);
  wire::Raw whole;
  ASSERT_TRUE(message.body->read(wire::type_of<wire::Raw>(), &whole));
  EXPECT_EQ(subtype_of(whole), "elicitation");
  EXPECT_EQ(without_subtype(whole).json, R"({"x":1})");
}

TEST_F(ClaudeDialect, LinesOutsideTheProtocolAreReported) {
  for (const char* line : {"plain text", "[1]", R"({"type":"user")", R"({"x":1})"}) decode(line);
  dialect->dropped({.message = "too long"}, R"({"type":"re)");
  EXPECT_EQ(lines.lost, (std::vector<std::string>{"the line is no JSON|plain text", "the line is no JSON object|[1]",
                                                  R"(at byte 14: the line is no JSON|{"type":"user")",
                                                  R"(a line without a type|{"x":1})", R"(too long|{"type":"re)"}));
}

TEST_F(ClaudeDialect, StreamLinesKeepTheirTextAndParts) {
  const std::string line =
      R"({"type":"stream_event","event":{"type":"ping"},"parent_tool_use_id":"t\u0031","uuid":"u","new":[1,{"type":"y"}]})";
  EXPECT_EQ(decode(line).kind, MessageKind::notice);
  EXPECT_EQ(lines.last, line);
  EXPECT_EQ(lines.parent, "t1");
  EXPECT_EQ(lines.event, R"({"type":"ping"})");
}

TEST_F(ClaudeDialect, BadBytesBecomeReplacementCharactersAndTheLineGoesOn) {
  decode("{\"type\":\"assistant\",\"t\":\"bad \xff\xc3\"}");
  EXPECT_EQ(lines.last, "{\"type\":\"assistant\",\"t\":\"bad \xEF\xBF\xBD\xEF\xBF\xBD\"}");
  EXPECT_EQ(dialect->stats().mended_utf8, 1U);
}

TEST_F(ClaudeDialect, MalformedMessagesAreCountedAndNotAnswered) {
  for (const char* line : {"not json", "[1,2]", "42", "null", "{\"x\":1}", "{\"type\":7}", "{\"type\":\"user\""}) {
    const Message message = decode(line);
    EXPECT_EQ(message.kind, MessageKind::malformed) << line;
    EXPECT_FALSE(message.answer) << line;
    EXPECT_FALSE(message.fatal) << line;
  }
  for (const char* line : {"", "   ", "\t \r"}) EXPECT_EQ(decode(line).kind, MessageKind::ignored);
  EXPECT_EQ(decode("\xEF\xBB\xBF{\"type\":\"keep_alive\"}").kind, MessageKind::notice);
  EXPECT_EQ(lines.seen, std::vector<std::string>{"keep_alive/"});
}

TEST_F(ClaudeDialect, ARequestWithAReadableIdIsAnswered) {
  for (const char* line :
       {R"({"type":"control_request","request_id":"a"})", R"({"type":"control_request","request_id":"a","request":7})",
        R"({"type":"control_request","request_id":"a","request":{"subtype":7}})"}) {
    const Message message = decode(line);
    ASSERT_EQ(message.kind, MessageKind::malformed) << line;
    EXPECT_TRUE(message.answer) << line;
    std::string out;
    ASSERT_TRUE(dialect->encode_error(out, message.id, "", *message.error));
    EXPECT_NE(out.find(R"("request_id":"a")"), std::string::npos) << out;
  }
}

TEST_F(ClaudeDialect, ARequestWithoutAnIdIsServedAndAnsweredWithoutAnId) {
  const Message message = decode(R"({"type":"control_request","request":{"subtype":"interrupt"}})");
  ASSERT_EQ(message.kind, MessageKind::request);
  std::string out;
  const wire::Raw nothing;
  ASSERT_TRUE(dialect->encode_reply(out, message.id, "interrupt", wire::type_of<wire::Raw>(), &nothing));
  EXPECT_EQ(out, R"({"type":"control_response","response":{"subtype":"success"}})");
}

TEST_F(ClaudeDialect, ARunningRequestIsNotServedAgain) {
  const std::string line = R"({"type":"control_request","request_id":"dup","request":{"subtype":"can_use_tool"}})";
  const Message first = decode(line);
  EXPECT_EQ(first.kind, MessageKind::request);
  const RequestId id = first.id;
  EXPECT_EQ(decode(line).kind, MessageKind::ignored);
  EXPECT_EQ(dialect->stats().duplicates, 1U);
  std::string out;
  ASSERT_TRUE(dialect->encode_error(out, id, "", Error{}));
  EXPECT_EQ(decode(line).kind, MessageKind::request) << "answered: the id is free again";
  EXPECT_EQ(decode(R"({"type":"control_cancel_request","request_id":"dup"})").kind, MessageKind::cancel);
  EXPECT_EQ(decode(line).kind, MessageKind::request) << "withdrawn: the same";
}

TEST_F(ClaudeDialect, RepliesFindTheirCallWithAnyContent) {
  for (const char* payload : {"", R"(,"response":null)", R"(,"response":{})"}) {
    const Message message = decode(R"({"type":"control_response","response":{"subtype":"success","request_id":"req_7")" +
                                   std::string(payload) + "}}");
    EXPECT_EQ(message.kind, MessageKind::reply);
    EXPECT_EQ(message.id.number, 7U);
    EXPECT_EQ(message.error, nullptr);
  }
  const Message refused = decode(
      R"({"type":"control_response","response":{"error_code":"invalid_mode","error":"no","request_id":"req_8","subtype":"error"}})");
  ASSERT_NE(refused.error, nullptr);
  EXPECT_EQ(refused.error->message, "no");
  EXPECT_EQ(refused.error->code, Errc::invalid_params);
  EXPECT_EQ(decode(R"({"type":"control_response","response":{"subtype":"success","request_id":"other"}})").id.number, 0U);
}

TEST_F(ClaudeDialect, AReplyWithNeitherSuccessNorErrorFails) {
  for (const char* state : {"", R"("subtype":"banana",)", R"("subtype":null,)", R"("subtype":["success"],)"}) {
    const Message message = decode(R"({"type":"control_response","response":{)" + std::string(state) +
                                   R"("request_id":"req_7","response":{"behavior":"allow","updatedInput":{}}}})");
    EXPECT_EQ(message.id.number, 7U) << state;
    EXPECT_NE(message.error, nullptr) << state;
  }
}

TEST_F(ClaudeDialect, AMalformedReplyFailsItsCall) {
  for (const char* line :
       {R"({"type":"control_response","response":{"subtype":"success","request_id":"req_7","response":NaN}})",
        R"({"type":"control_response","response":{"subtype":"success","request_id":"req_7","response":{"be)"}) {
    const Message message = decode(line);
    ASSERT_EQ(message.kind, MessageKind::reply) << line;
    EXPECT_EQ(message.id.number, 7U);
    EXPECT_NE(message.error, nullptr);
  }
  EXPECT_EQ(decode(R"({"type":"user","message":"req_7)").kind, MessageKind::malformed);
}

TEST(ClaudeMethods, OnlyAReplyWithoutADecisionMayLackItsBody) {
  std::string optional;
  for (const wire::Method& method : methods.all())
    if (method.body_optional) {
      optional += std::string(method.name) + " ";
      EXPECT_FALSE(wire::decides(method.reply())) << method.name;
    }
  EXPECT_EQ(optional,
            "set_permission_mode set_model set_max_thinking_tokens interrupt mcp_message rewind_files stop_task hook_callback ");
  EXPECT_TRUE(wire::decides(can_use_tool.line().reply()));
}

// Each row is a whole `response`; only an explicit allow with an object as input, or with none, allows.
TEST(ClaudePermission, OnlyAnExplicitAllowAllows) {
  struct Row {
    const char* json;
    bool allows;
  };
  constexpr Row rows[] = {
      {"", false},
      {"null", false},
      {"{}", false},
      {R"("")", false},
      {R"("allow")", false},
      {"true", false},
      {"1", false},
      {"[]", false},
      {R"([{"behavior":"allow"}])", false},
      {R"({"behavior":null})", false},
      {R"({"behavior":""})", false},
      {R"({"behavior":true})", false},
      {R"({"behavior":["allow"]})", false},
      {R"({"behavior":"Allow"})", false},
      {R"({"behavior":"allow "})", false},
      {R"({"behavior":"allowed"})", false},
      {R"({"behavior":"ask"})", false},
      {R"({"Behavior":"allow"})", false},
      {R"({"updatedInput":{"command":"ls"}})", false},
      {R"({"behavior":"allow","updatedInput":"ls"})", false},
      {R"({"behavior":"allow","updatedInput":["ls"]})", false},
      {R"({"behavior":"allow","updatedInput":null})", false},
      {R"({"behavior":"allow","updatedInput":7})", false},
      {R"({"behavior":"deny"})", false},
      {R"({"behavior":"deny","message":7})", false},
      {R"({"behavior":"deny","message":"no","updatedInput":{}})", false},
      {R"({"behavior":"allow")", false},
      {R"({"behavior":"allow"} x)", false},
      {R"({"behavior":"allow"})", true},
      {R"({"behavior":"allow","updatedInput":{}})", true},
      {R"({"updatedInput":{"command":"ls"},"updatedPermissions":null,"behavior":"allow"})", true},
  };
  for (const Row& row : rows) {
    const auto result = read_permission(row.json);
    EXPECT_EQ(result && std::holds_alternative<Allow>(result->value), row.allows) << row.json;
    if (!result) EXPECT_TRUE(result.error().message.contains("invalid permission result")) << row.json;
  }
  EXPECT_TRUE(std::holds_alternative<Deny>(PermissionResult{}.value)) << "an unset one refuses";
}

TEST_F(ClaudeDialect, WritesRequestsWithTheirSubtypeInside) {
  std::string out;
  const SetPermissionMode mode{.mode = "plan"};
  ASSERT_TRUE(dialect->encode_request(out, RequestId::of(3), "set_permission_mode", wire::type_of<SetPermissionMode>(), &mode));
  EXPECT_EQ(out, R"({"type":"control_request","request_id":"req_3","request":{"subtype":"set_permission_mode","mode":"plan"}})");
  out.clear();
  const wire::Nothing nothing;
  ASSERT_TRUE(dialect->encode_request(out, RequestId::of(4), "interrupt", wire::type_of<wire::Nothing>(), &nothing));
  EXPECT_EQ(out, R"({"type":"control_request","request_id":"req_4","request":{"subtype":"interrupt"}})");
  out.clear();
  ASSERT_TRUE(dialect->encode_notice(out, "keep_alive", wire::type_of<wire::Nothing>(), &nothing));
  EXPECT_EQ(out, R"({"type":"keep_alive"})");
}

}  // namespace
}  // namespace parlance::claude

// SPDX-License-Identifier: Apache-2.0
// Malformed messages, early messages and unusual ids: the answers equal the answers of the reference SDK.
#include "parlance/protocol/acp/dialect.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::acp {
namespace {

struct Talk {
  explicit Talk(Side side, Flavour flavour = Flavour::standard) : dialect(acp::dialect(side, flavour)) {}

  // The answer to a refused frame; otherwise the kind of the message.
  std::string answer(std::string_view frame) {
    const Message message = dialect->decode(frame);
    std::string out;
    switch (message.kind) {
      case MessageKind::malformed:
        EXPECT_TRUE(message.answer && !message.fatal);
        EXPECT_TRUE(dialect->encode_error(out, message.id, message.method, *message.error));
        return out;
      case MessageKind::request: return "request " + std::string(message.method);
      case MessageKind::notice: return "notice " + std::string(message.method);
      case MessageKind::reply: return message.error != nullptr ? "error" : message.body != nullptr ? "reply" : "empty reply";
      case MessageKind::cancel: return "cancel " + to_string(message.id);
      case MessageKind::ignored: return "";
    }
    return "";
  }
  void initialized() {
    std::string out;
    const InitializeResult result{.protocol_version = 1};
    EXPECT_TRUE(dialect->encode_reply(out, RequestId::of(0), "initialize", wire::type_of<InitializeResult>(), &result));
  }
  std::string error(Error error, RequestId id = RequestId::of(7)) {
    std::string out;
    EXPECT_TRUE(dialect->encode_error(out, id, "x", error));
    return out;
  }

  std::unique_ptr<Dialect> dialect;
};

TEST(AcpDialect, MalformedMessagesAreAnsweredLikeTheReferenceSdk) {
  Talk agent(Side::agent);
  agent.initialized();
  EXPECT_EQ(agent.answer("{oops"), R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})");
  const std::string batch =
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: JSON-RPC batches are not supported"}})";
  EXPECT_EQ(agent.answer("[]"), batch);
  EXPECT_EQ(agent.answer(R"([{"jsonrpc":"2.0","id":1,"method":"session/list"}])"), batch);
  EXPECT_EQ(agent.answer("5"), R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request","data":5}})");
  EXPECT_EQ(agent.answer("\"hi\""),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request","data":"hi"}})");
  const std::string old = R"({"jsonrpc":"1.0","id":50,"method":"session/list","params":{}})";
  EXPECT_EQ(agent.answer(old),
            R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request","data":)" + old + "}}");
}

TEST(AcpDialect, ARefusedRequestKeepsItsIdAndABrokenReplyDoesNot) {
  Talk agent(Side::agent);
  agent.initialized();
  EXPECT_NE(agent.answer(R"({"jsonrpc":"2.0","id":9,"method":"x","params":5})").find(R"("id":9,"error":{"code":-32600)"),
            std::string::npos);
  const Message reply = agent.dialect->decode(R"({"jsonrpc":"2.0","id":9})");
  EXPECT_EQ(reply.kind, MessageKind::reply);
  EXPECT_TRUE(reply.answer && reply.error != nullptr) << "fails its call; without a call, it is answered without its id";
}

TEST(AcpDialect, OnlyAReplyWithoutADecisionMayBeNull) {
  std::string optional;
  const auto frame_of = [&](const wire::Method& method) {
    if (!method.body_optional) return;
    optional += std::string(method.name) + " ";
    EXPECT_FALSE(wire::decides(method.reply())) << method.name;
  };
  for (const wire::Method& method : method::of_client.all()) frame_of(method);
  EXPECT_EQ(optional, "fs/write_text_file terminal/kill terminal/release updateToolCall notifyTaskFinish ");
  for (const wire::Method& method : method::of_agent.all()) frame_of(method);
  EXPECT_TRUE(wire::decides(method::elicit.line().reply()) && wire::decides(method::iflow_plan_exit.line().reply()));
}

TEST(AcpDialect, ALongMessageIsNotSentBackWhole) {
  Talk agent(Side::agent);
  EXPECT_LT(agent.answer('"' + std::string(1 << 20, 'x') + '"').size(), 200U);
}

TEST(AcpDialect, NoRequestBeforeTheAnswerToInitialize) {
  Talk agent(Side::agent);
  const std::string request = R"({"jsonrpc":"2.0","id":"a","method":"session/new","params":{}})";
  EXPECT_EQ(
      agent.answer(request),
      R"({"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"ACP connection must be initialized before 'session/new'"}})");
  EXPECT_EQ(agent.answer(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})"), "request initialize");
  EXPECT_NE(agent.answer(request).find("must be initialized"), std::string::npos) << "it was not answered yet";
  agent.initialized();
  EXPECT_EQ(agent.answer(request), "request session/new");
}

TEST(AcpDialect, AnErrorToInitializeDoesNotOpenTheConnection) {
  Talk agent(Side::agent);
  agent.error({.code = Errc::invalid_params, .message = "$.protocolVersion: missing"});
  EXPECT_NE(agent.answer(R"({"jsonrpc":"2.0","id":1,"method":"session/list"})").find("must be initialized"), std::string::npos);
}

TEST(AcpDialect, IdsReturnUnchanged) {
  Talk agent(Side::agent);
  agent.initialized();
  for (const std::string id : {"0", "null", "\"0\"", "-5", "9007199254740993", "\"\\u00e9\""}) {
    const Message message = agent.dialect->decode(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"session/list","params":{}})");
    ASSERT_EQ(message.kind, MessageKind::request) << id;
    std::string out;
    const EmptyReply nothing;
    ASSERT_TRUE(agent.dialect->encode_reply(out, message.id, message.method, wire::type_of<EmptyReply>(), &nothing));
    EXPECT_EQ(out, R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})");
  }
}

TEST(AcpDialect, ARequestIsCancelledByItsId) {
  Talk agent(Side::agent);
  EXPECT_EQ(agent.answer(R"({"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}})"), "cancel 0");
  EXPECT_EQ(agent.answer(R"({"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"a"}})"), "cancel \"a\"");
  std::string out;
  ASSERT_TRUE(agent.dialect->encode_cancel(out, RequestId::of(4), "no longer wanted"));
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":4}})");
}

TEST(AcpDialect, AResultMayBeNull) {
  Talk client(Side::client);
  EXPECT_EQ(client.answer(R"({"jsonrpc":"2.0","id":1,"result":null})"), "empty reply");
  EXPECT_EQ(client.answer(R"({"jsonrpc":"2.0","id":1,"result":{}})"), "reply");
  EXPECT_EQ(client.answer(R"({"jsonrpc":"2.0","id":1,"error":{"code":400,"message":"Bad Request"}})"), "error");
}

TEST(AcpDialect, ATurnIsCancelledWithAnIdAndWithout) {
  Talk agent(Side::agent);
  agent.initialized();
  EXPECT_EQ(agent.answer(R"({"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}})"), "notice session/cancel");
  EXPECT_EQ(agent.answer(R"({"jsonrpc":"2.0","id":3,"method":"session/cancel","params":{"sessionId":"s"}})"),
            "request session/cancel (request)");
  std::string out;
  const OfSession which{.session_id = "s"};
  ASSERT_TRUE(
      agent.dialect->encode_request(out, RequestId::of(3), method::cancel_request.method, wire::type_of<OfSession>(), &which));
  EXPECT_EQ(out, R"({"jsonrpc":"2.0","id":3,"method":"session/cancel","params":{"sessionId":"s"}})");
}

TEST(AcpDialect, ABannerIsPassedOverUntilInitializeWasAnswered) {
  Talk client(Side::client);
  EXPECT_EQ(client.answer("Welcome to the agent 1.0"), "");
  EXPECT_EQ(client.answer("[warn] an old configuration"), "");
  EXPECT_EQ(client.answer(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}})"), "reply");
  EXPECT_NE(client.answer("a line out of place").find("-32700"), std::string::npos);
  Talk other(Side::client);
  EXPECT_NE(other.answer("{broken").find("-32700"), std::string::npos) << "it began as a message";
}

TEST(AcpDialect, LongBannersArePassedOver) {
  Talk client(Side::client);
  const Error why{.code = Errc::invalid_request, .message = "a line of 33 MiB", .data = "Welcome"};
  EXPECT_EQ(client.dialect->dropped(why, "Welcome").kind, MessageKind::ignored);
  EXPECT_EQ(client.dialect->broken(why).kind, MessageKind::ignored);
  EXPECT_EQ(client.dialect->dropped(why, "{\"json").kind, MessageKind::malformed);
  EXPECT_EQ(Talk(Side::agent).dialect->dropped(why, "Welcome").kind, MessageKind::malformed);
}

TEST(AcpDialect, OnlyIflowKnowsControlLines) {
  Talk iflow(Side::client, Flavour::iflow);
  EXPECT_EQ(iflow.answer("//ready"), "notice //ready");
  EXPECT_EQ(iflow.answer("  //ready\t"), "notice //ready");
  EXPECT_EQ(iflow.answer("//stream mode on"), "");
  EXPECT_EQ(iflow.answer(R"({"jsonrpc":"2.0","id":1,"result":{}})"), "reply");
  EXPECT_EQ(iflow.answer("//after initialize, too"), "");
  std::string out;
  const wire::Nothing nothing;
  ASSERT_TRUE(iflow.dialect->encode_notice(out, method::iflow_ready.method, wire::type_of<wire::Nothing>(), &nothing));
  EXPECT_EQ(out, "//ready");
  Talk standard(Side::agent);
  EXPECT_NE(standard.answer("//ready").find("-32700"), std::string::npos);
}

// ---- errors --------------------------------------------------------------------------------------------------------------------

TEST(AcpErrors, AnUnknownCodeIsInternalAndNeverALogin) {
  for (const Errc code : all_error_codes) {
    const long number = code_of(Error{.code = code, .message = "x"});
    EXPECT_NE(number, code::auth_required) << to_string(code);
    EXPECT_TRUE(number == code::internal || jsonrpc::from_code(number) == code) << to_string(code);
  }
}

TEST(AcpErrors, AnErrorWithItsOwnNumberKeepsTheNumber) {
  Talk agent(Side::agent);
  EXPECT_EQ(agent.error(jsonrpc::with_code(400, "Bad Request", R"({"a":1})")),
            R"({"jsonrpc":"2.0","id":7,"error":{"code":400,"message":"Bad Request","data":{"a":1}}})");
  EXPECT_EQ(agent.error(auth_required()),
            R"({"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Authentication required"}})");
  EXPECT_EQ(
      agent.error(unknown_method("_vendor/x")),
      R"({"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"\"Method not found\": _vendor/x","data":{"method":"_vendor/x"}}})");
}

TEST(AcpErrors, WhereParametersAreWrongIsADetail) {
  Talk agent(Side::agent);
  EXPECT_EQ(agent.error({.code = Errc::invalid_params, .message = "$.cwd: missing"}),
            R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Invalid params","data":{"details":"$.cwd: missing"}}})");
  EXPECT_EQ(agent.error({.code = Errc::invalid_params, .message = "the folder must be absolute"}),
            R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"the folder must be absolute"}})");
}

TEST(AcpErrors, HiddenDataOfAgentsIsReported) {
  const auto text_of_error = [](long number, std::string message, std::string_view data) {
    return error_text(jsonrpc::with_code(number, std::move(message), data));
  };
  EXPECT_EQ(text_of_error(-32603, "Internal error", R"({"details":"no key for the model"})"),
            "Internal error: no key for the model");
  EXPECT_EQ(text_of_error(-32603, "Internal error", R"("as text")"), "Internal error: as text");
  EXPECT_EQ(text_of_error(-32603, "it says: so", R"({"details":"says: so"})"), "it says: so");
  EXPECT_EQ(text_of_error(-32603, "broken", R"({"retryAfter":5})"), R"(broken: {"retryAfter":5})");
  EXPECT_EQ(text_of_error(-32603, "broken", "null"), "broken");
  EXPECT_EQ(text_of_error(-32603, "broken", ""), "broken");
}

TEST(AcpErrors, NotFoundHasManyNumbers) {
  EXPECT_TRUE(says_not_found(jsonrpc::with_code(-32002, "gone")));
  EXPECT_TRUE(says_not_found(jsonrpc::with_code(-32603, "Internal error", R"({"details":"Session not found: x"})")));
  EXPECT_TRUE(says_not_found(jsonrpc::with_code(-32603, "ENOENT: no such file or directory")));
  EXPECT_FALSE(says_not_found(jsonrpc::with_code(-32603, "the disk is full")));
  EXPECT_TRUE(is_auth_required(jsonrpc::with_code(-32000, "Authentication required")));
  EXPECT_FALSE(is_auth_required({.code = Errc::failed, .message = "x"}));
}

}  // namespace
}  // namespace parlance::acp

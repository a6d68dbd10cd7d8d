// SPDX-License-Identifier: Apache-2.0
// Undeclared methods of a Go program, called from a shell over gob.
#include <gmock/gmock.h>

#include "tests/peers/go-rpc/go_client.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

class Undeclared : public GoTest {
 protected:
  void SetUp() override {
    GoTest::SetUp();
    if (IsSkipped()) return;
    server = launch({PARLANCE_GO_PEERS "/peer-server", "-sock", socket()});
    until([&] { return !server->lines.empty() || server->ended(); }, "Go's server");
    ASSERT_FALSE(server->ended()) << server->errors;
  }
  Finished call(const std::string& method, const std::string& parameters = "{}", Words more = {}) {
    Words words{"rpc", "call", socket(), method, parameters};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(words);
  }
  std::unique_ptr<Program> server;
};

// Undeclared methods: the argument's type is inferred from the JSON, and the reply describes itself.
TEST_F(Undeclared, AnswersWhatNobodyDeclared) {
  const auto expect_received = [&](const std::string& text) {
    until([&] { return server->lines.size() > 1 && server->lines.back().find(text) != std::string::npos; },
          "the call at Go's server");
  };
  const Finished added =
      call("RPCService.PulseAdd", R"({"title":"tea","Priority":7,"Limit":null,"more":[{"than":1.5},{"it":"knows"}]})");
  EXPECT_EQ(added.code, 0) << added.errors;
  EXPECT_EQ(parsed(added.out), parsed(R"({"Result":"Event added successfully","EventID":1,"Status":"pending"})"));
  expect_received(R"("args":{"Action":"","Title":"tea","Content":"","Priority":7,"Channel":"","Limit":0})");
  EXPECT_EQ(parsed(call("Agent.PulseStatus").out), parsed(R"({"Result":"{\"enabled\":false}"})"));
  // Go reports a kind that differs from its own, and the caller can name the right kind.
  const Finished real = call("RPCService.PulseAdd", R"({"Priority":7.5})");
  EXPECT_EQ(real.code, 1);
  EXPECT_THAT(real.errors, HasSubstr("gob: wrong type"));
  EXPECT_EQ(call("RPCService.PulseAdd", R"({"Priority:int64":7})").code, 0);
  expect_received(R"("Priority":7)");
  // The type of the whole argument, here for a declared method.
  const Finished said =
      call("RPCService.MemoryStore", R"({"Text":"I like tea"})", {"--type", "struct Any { Text string; Category string }"});
  EXPECT_EQ(said.code, 0) << said.errors;
  EXPECT_EQ(parsed(text_at(parsed(said.out), {"Result"})), parsed(R"({"action":"created","id":"mem-1"})"));
  const Finished unknown = call("RPCService.PulseAdd", "{}", {"--type", "nonsense"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("unknown type nonsense"));
  EXPECT_EQ(call("RPCService.PulseAdd", R"({"a b":1})").code, 2);
  EXPECT_EQ(call("RPCService.PulseAdd", "{}", {"--codec", "json", "--type", "int"}).code, 2);
}

// The other direction: Go's client and an undeclared method.
TEST_F(GoTest, AGoClientCallsMethodsThatACommandAnswers) {
  const std::string event = R"('{"Result":"added","EventID":7,"Status":"pending"}')";
  const auto served = launch(with_program({"rpc", "serve", socket(), "RPCService.PulseAdd=echo " + event,
                                           R"(RPCService.PulseStatus=echo '{"Result":"{\"enabled\":true}"}')",
                                           R"(RPCService.Stats=echo '{"Stats":{"messages":1}}')"}));
  until([&] { return !served->lines.empty() || served->ended(); }, "the server");
  ASSERT_FALSE(served->ended()) << served->errors;
  const Finished called = run({PARLANCE_GO_PEERS "/peer-client", "-sock", socket(), "-timeout", "50s", "pulse"});
  EXPECT_EQ(called.code, 0) << called.errors;
  EXPECT_THAT(called.out, HasSubstr(R"("EventID":7)"));
  EXPECT_THAT(called.out, HasSubstr(R"(enabled)"));
  EXPECT_THAT(called.out, testing::Not(HasSubstr(R"("error")")));
}

}  // namespace
}  // namespace parlance::test

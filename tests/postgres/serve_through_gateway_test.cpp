// SPDX-License-Identifier: Apache-2.0
// serve-acp and serve-claude through a gateway that is not the owner: an editor and a host of Claude's SDK use its conversations.
#include "tests/postgres/through_gateway.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ServeThroughGateway : public ThroughGatewayTest {
 protected:
  // The first message that holds it, from line `from` on.
  json::Value message_with(Program& program, const std::string& text, std::size_t from = 0) {
    const auto found = [&]() -> const std::string* {
      for (std::size_t i = from; i < program.lines.size(); ++i)
        if (program.lines[i].contains(text)) return &program.lines[i];
      return nullptr;
    };
    try {
      until([&] { return found() != nullptr || program.ended(); }, text);
    } catch (const std::runtime_error& late) {
      throw std::runtime_error(std::string(late.what()) + " in " + said(program) + program.errors);
    }
    if (found() == nullptr) throw std::runtime_error("no " + text + " in " + said(program) + program.errors);
    return parsed(*found());
  }

  // ---- ACP
  json::Value asks(Program& editor, const std::string& method, const std::string& parameters) {
    const std::string id = std::to_string(++last_);
    say(editor, R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + parameters + "}");
    return message_with(editor, R"("id":)" + id + ",");
  }
  std::string begins(Program& editor, const std::string& method, const std::string& parameters) {
    const std::string id = std::to_string(++last_);
    say(editor, R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + parameters + "}");
    return R"("id":)" + id + ",";
  }
  std::unique_ptr<Program> editor(Words more = {}, const std::string& name = "ann") {
    Words words{"serve-acp"};
    words.insert(words.end(), more.begin(), more.end());
    auto made = started(std::move(words), name);
    const json::Value hello =
        asks(*made, "initialize",
             R"({"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}})");
    EXPECT_EQ(text_at(hello, {"result", "agentInfo", "name"}), "parlance") << said(*made) << made->errors;
    return made;
  }
  std::string loads(const std::string& id) {
    return R"({"sessionId":")" + id + R"(","cwd":")" + work() + R"(","mcpServers":[]})";
  }
  static std::string prompt_of(const std::string& id, const std::string& text) {
    return R"({"sessionId":")" + id + R"(","prompt":[{"type":"text","text":")" + text + R"("}]})";
  }
  void allows(Program& editor, const json::Value& asked) {
    std::string option;
    for (const json::Value& one : *test::at(asked, {"params", "options"}).array())
      if (one.text_or("kind", "") == "allow_once") option = one.text_or("optionId", "");
    say(editor, R"({"jsonrpc":"2.0","id":)" + json::to_text(test::at(asked, {"id"})) +
                    R"(,"result":{"outcome":{"outcome":"selected","optionId":")" + option + R"("}}})");
  }

  // ---- Claude's control protocol
  std::unique_ptr<Program> host(Words more = {}) {
    Words words{"serve-claude",
                "--output-format",
                "stream-json",
                "--input-format",
                "stream-json",
                "--verbose",
                "--include-partial-messages",
                "--permission-prompt-tool",
                "stdio"};
    words.insert(words.end(), more.begin(), more.end());
    auto made = started(std::move(words));
    say(*made, R"({"type":"control_request","request_id":"hello","request":{"subtype":"initialize"}})");
    message_with(*made, R"("request_id":"hello")");
    return made;
  }
  void prompts(Program& host, const std::string& text) {
    say(host, R"({"type":"user","message":{"role":"user","content":")" + text + R"("}})");
  }
  void answers(Program& host, const json::Value& asked, const std::string& behavior) {
    say(host, R"({"type":"control_response","response":{"subtype":"success","request_id":")" + text_at(asked, {"request_id"}) +
                  R"(","response":{"behavior":")" + behavior + R"(","updatedInput":)" +
                  json::to_text(test::at(asked, {"request", "input"})) + R"(,"message":"no"}}})");
  }

 private:
  int last_ = 0;
};

TEST_F(ServeThroughGateway, AnEditorWorksWithConversationsThatAnotherGatewayHas) {
  const std::string id = conversation_at_a();
  const auto one = editor();
  EXPECT_THAT(json::to_text(asks(*one, "session/list", "{}")), HasSubstr(id));
  EXPECT_EQ(text_at(asks(*one, "session/load", loads(id)), {"result", "modes", "currentModeId"}), "default");
  EXPECT_THAT(said(*one), HasSubstr("Anything else gets a friendly answer"));
  const std::string turn = begins(*one, "session/prompt", prompt_of(id, "write notes.txt hello"));
  allows(*one, message_with(*one, "session/request_permission"));
  EXPECT_EQ(text_at(message_with(*one, turn), {"result", "stopReason"}), "end_turn");
  EXPECT_EQ(read_file(work() + "/notes.txt"), "hello\n");
  until_turns(*annas, id, 2);
  EXPECT_EQ(text_at(annas->last(id, "user_message"), {"by"}), "ann");
  EXPECT_EQ(text_at(annas->last(id, "ask_settled"), {"by"}), "ann");
  EXPECT_EQ(owned(b), 0);
  EXPECT_THAT(said(*one), Not(HasSubstr("fs/"))) << "nothing of this machine is asked for";

  const std::string long_turn = begins(*one, "session/prompt", prompt_of(id, "slow 100000 5"));
  message_with(*one, "w1 ");
  say(*one, R"({"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":")" + id + R"("}})");
  EXPECT_EQ(text_at(message_with(*one, long_turn), {"result", "stopReason"}), "cancelled");
}

TEST_F(ServeThroughGateway, AnEditorGoesOnAtTheOtherGateway) {
  const std::string id = conversation_at_a();
  const auto one = editor();
  asks(*one, "session/load", loads(id));
  const std::string turn = begins(*one, "session/prompt", prompt_of(id, "write notes.txt hello"));
  const json::Value question = message_with(*one, "session/request_permission");
  b.program->child().signal_group(SIGKILL);
  until_shown(*one, "connecting again");
  way->lead_to(a.base);
  allows(*one, question);
  EXPECT_EQ(text_at(message_with(*one, turn), {"result", "stopReason"}), "end_turn") << "the same turn";
  EXPECT_EQ(read_file(work() + "/notes.txt"), "hello\n");
  const std::size_t from = one->lines.size();
  const std::string next = begins(*one, "session/prompt", prompt_of(id, "slow 5 1"));
  EXPECT_EQ(text_at(message_with(*one, next, from), {"result", "stopReason"}), "end_turn");
  until_turns(*annas, id, 3);
  std::size_t written = 0;
  for (const std::string& line : one->lines)
    written += line.contains("agent_message_chunk") && line.contains("Created notes.txt") ? 1 : 0;
  EXPECT_EQ(written, 1U) << said(*one);
  EXPECT_EQ(annas->count(id, "user_message"), 3U);
}

TEST_F(ServeThroughGateway, AnEditorsFolderCanBeAnotherOverThere) {
  const auto one = editor({"--cwd", work(), "--agent", "parlance"});
  const json::Value made = asks(*one, "session/new", R"({"cwd":"/only/on/the/laptop","mcpServers":[]})");
  const std::string id = text_at(made, {"result", "sessionId"});
  until([&] { return annas->conversations.contains(id); }, "the conversation on the page");
  const Finished no = parlance({"serve-acp", "--port", "0", "--to=" + way->address()}, "", as("ann"));
  EXPECT_THAT(no.errors, HasSubstr("the gateway's own /acp"));
}

TEST_F(ServeThroughGateway, AnEditorHearsWhyItIsNotLetIn) {
  const std::string id = conversation_at_a();
  const auto bobs = editor({}, "bob");
  EXPECT_THAT(json::to_text(asks(*bobs, "session/load", loads(id))), HasSubstr("Resource not found"));
  const auto anns = editor();
  asks(*anns, "session/load", loads(id));
  revoke("ann");
  until([&] { return annas->ended; }, "the end of the page");
  EXPECT_NE(text_at(asks(*anns, "session/prompt", prompt_of(id, "help")), {"error", "message"}), "")
      << "perhaps while it is being closed";
  const json::Value refused = asks(*anns, "session/prompt", prompt_of(id, "help"));
  EXPECT_THAT(text_at(refused, {"error", "message"}),
              AllOf(HasSubstr("parlance tokens create"), Not(HasSubstr(tokens.at("ann")))));
}

TEST_F(ServeThroughGateway, AHostOfClaudesSdkAsksItsPersonAndInterrupts) {
  const auto one = host();
  prompts(*one, "write notes.txt hello");
  const json::Value asked = message_with(*one, R"("can_use_tool")");
  EXPECT_THAT(json::to_text(asked), HasSubstr("notes.txt"));
  EXPECT_FALSE(std::filesystem::exists(work() + "/notes.txt"));
  answers(*one, asked, "allow");
  const json::Value result = message_with(*one, R"("type":"result")");
  EXPECT_EQ(text_at(result, {"subtype"}), "success") << said(*one);
  EXPECT_EQ(read_file(work() + "/notes.txt"), "hello\n");
  until([&] { return !annas->conversations.empty(); }, "the conversation on the page");
  const std::string id = annas->conversations.begin()->first;
  open(*annas, id);
  until_turns(*annas, id, 1);
  EXPECT_EQ(text_at(annas->last(id, "user_message"), {"by"}), "ann");

  std::size_t from = one->lines.size();
  prompts(*one, "run touch ran");
  answers(*one, message_with(*one, R"("can_use_tool")", from), "deny");
  message_with(*one, R"("type":"result")", from);
  EXPECT_FALSE(std::filesystem::exists(work() + "/ran"));
  from = one->lines.size();
  prompts(*one, "slow 100000 5");
  message_with(*one, "w1 ", from);
  say(*one, R"({"type":"control_request","request_id":"stop","request":{"subtype":"interrupt"}})");
  message_with(*one, R"("type":"result")", from);
  until_turns(*annas, id, 3);
  EXPECT_EQ(text_at(annas->last(id, "turn_end"), {"stop_reason"}), "cancelled");
}

TEST_F(ServeThroughGateway, AHostResumesItsSessionAtTheOtherGateway) {
  const auto first = host();
  prompts(*first, "slow 5 1");
  const std::string session = text_at(message_with(*first, R"("type":"result")"), {"session_id"});
  ::kill(first->child().pid(), SIGTERM);
  until([&] { return first->ended(); }, "the end of the first");
  b.program->child().signal_group(SIGKILL);
  way->lead_to(a.base);
  until([&] { return annas->conversations.size() == 1; }, "the conversation on the page");
  const std::string id = annas->conversations.begin()->first;
  const auto again = host({"--resume", session});
  prompts(*again, "slow 5 1");
  EXPECT_EQ(text_at(message_with(*again, R"("type":"result")"), {"subtype"}), "success") << said(*again);
  open(*annas, id);
  until_turns(*annas, id, 2);
  EXPECT_EQ(annas->conversations.size(), 1U) << "it is the same one";
}

}  // namespace
}  // namespace parlance::test

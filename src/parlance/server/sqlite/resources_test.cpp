// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/resources.h"

#include "parlance/server/sqlite/mcp_test_support.h"
#include "parlance/server/sqlite/uri.h"

namespace parlance::server {
namespace {

using test::at;
using test::Era;
using test::in_quotes;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

class Resources : public test::SqliteMcpTest {
 protected:
  void SetUp() override {
    raw("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users(name) VALUES('ada'),('bob');"
        "CREATE VIEW names AS SELECT name FROM users; CREATE VIEW broken AS SELECT * FROM missing;"
        "CREATE TABLE \"we/ird \"\"na'me %2F\"(x); INSERT INTO \"we/ird \"\"na'me %2F\" VALUES(7)");
    begin({.resources = {.databases = {db}, .watch_pause = 5ms}});
  }
  json::Value read(std::string_view uri) { return client->ask("resources/read", R"("uri":)" + in_quotes(uri)); }
  std::string rows_of(std::string_view uri) {
    const json::Value answer = read(uri);
    const std::string text = at(answer, {"result", "contents", "0", "text"});
    const std::size_t from = text.find(R"("rows":)");
    return from == std::string::npos ? json::to_text(answer) : text.substr(from + 7, text.find(R"(,"truncated")") - from - 7);
  }
  std::string code_of(std::string_view uri) { return at(read(uri), {"error", "code"}); }
  const char* not_found() const { return era() == Era::modern ? "-32602" : "-32002"; }
  std::vector<std::string> completed(std::string_view reference, std::string_view name, std::string_view value,
                                     std::string_view more = "") {
    const json::Value answer =
        client->ask("completion/complete", R"("ref":)" + std::string(reference) + R"(,"argument":{"name":)" + in_quotes(name) +
                                               R"(,"value":)" + in_quotes(value) + "}" + std::string(more));
    std::vector<std::string> values;
    if (const json::Value* result = answer.find("result"))
      for (const json::Value& completion : *result->find("completion")->find("values")->array())
        values.push_back(*completion.text());
    return values;
  }
  // In the style of the era; returns after the answer, so the subscription is active.
  void subscribe(const std::string& uri) {
    if (era() == Era::legacy) {
      client->ask("resources/subscribe", R"("uri":)" + in_quotes(uri));
      return;
    }
    listening = client->begin("subscriptions/listen", R"("notifications":{"resourceSubscriptions":[)" + in_quotes(uri) + "]}");
    client->receive("notifications/subscriptions/acknowledged");
  }
  void unsubscribe(const std::string& uri) {
    if (era() == Era::legacy) client->ask("resources/unsubscribe", R"("uri":)" + in_quotes(uri));
    else client->notify("notifications/cancelled", R"("requestId":)" + listening);
  }
  std::string listening;
};
INSTANTIATE_TEST_SUITE_P(Eras, Resources, test::both_eras, test::era_name);

// ---- list ----------------------------------------------------------------------------------------------------------------------

TEST_P(Resources, ATableWithAnInfinityIsRead) {
  raw("CREATE TABLE far(x REAL); INSERT INTO far VALUES(9e999),(1.5)");
  EXPECT_EQ(rows_of("SQLITE://" + db + "/tables/far"), R"([{"x":{"$type":"real","value":"Infinity"}},{"x":1.5}])");
}

TEST_P(Resources, AreTheTablesAndViewsOfKnownDatabases) {
  const json::Value answer = client->ask("resources/list", "");
  const json::Array& all = *answer.find("result")->find("resources")->array();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(at(all[2], {"uri"}), "sqlite://" + db + "/tables/users");
  EXPECT_EQ(at(all[2], {"name"}), "users");
  EXPECT_EQ(at(all[2], {"mimeType"}), "application/json");
  EXPECT_THAT(at(all[3], {"uri"}), testing::EndsWith("/tables/we%2Fird%20%22na%27me%20%252F"));
  const json::Value templates = client->ask("resources/templates/list", "");
  EXPECT_EQ(at(templates, {"result", "resourceTemplates", "0", "uriTemplate"}),
            "sqlite://{+db_path}/tables/{table}{?limit,offset}");
}
TEST_P(Resources, OfADatabaseAreListedAfterItsOpening) {
  begin();
  EXPECT_EQ(at(client->ask("resources/list", ""), {"result", "resources"}), "[]") << "a whitelist would be no catalogue";
  raw("CREATE TABLE t(x)", folder + "/later.db");
  if (era() == Era::modern) {
    client->begin("subscriptions/listen", R"("notifications":{"resourcesListChanged":true})");
    client->receive("notifications/subscriptions/acknowledged");
  }
  client->call("get_schema", R"("db_path":)" + in_quotes(folder + "/later.db"));
  client->receive("notifications/resources/list_changed");
  EXPECT_EQ(at(client->ask("resources/list", ""), {"result", "resources", "0", "name"}), "t");
  client->call("get_schema", R"("db_path":)" + in_quotes(folder + "/none.db"));
  std::filesystem::remove(folder + "/later.db");
  EXPECT_EQ(at(client->ask("resources/list", ""), {"result", "resources"}), "[]") << "what is gone is no longer listed";
}
TEST_P(Resources, ComeInPagesOfAHundred) {
  std::string many;
  for (int i = 0; i < 230; ++i) many += "CREATE TABLE t" + std::to_string(i) + "(x);";
  raw(many, folder + "/many.db");
  begin({.resources = {.databases = {folder + "/many.db"}}});
  std::set<std::string> uris;
  std::string cursor;
  std::vector<std::size_t> pages;
  do {
    const json::Value page = client->ask("resources/list", cursor.empty() ? "" : R"("cursor":)" + in_quotes(cursor));
    const json::Array& some = *page.find("result")->find("resources")->array();
    pages.push_back(some.size());
    for (const json::Value& resource : some) uris.insert(at(resource, {"uri"}));
    cursor = at(page, {"result", "nextCursor"});
  } while (cursor != "(absent)");
  EXPECT_THAT(pages, testing::ElementsAre(100, 100, 30));
  EXPECT_EQ(uris.size(), 230U);
  EXPECT_EQ(at(client->ask("resources/list", R"("cursor":"bm9uZQ==")"), {"error", "code"}), "-32602");
}

// ---- read ----------------------------------------------------------------------------------------------------------------------

TEST_P(Resources, ATableIsReadAsAQuery) {
  const std::string uri = table_uri(db, "users");
  const json::Value answer = read(uri);
  EXPECT_EQ(at(answer, {"result", "contents", "0", "uri"}), uri);
  EXPECT_EQ(at(answer, {"result", "contents", "0", "mimeType"}), "application/json");
  EXPECT_THAT(at(answer, {"result", "contents", "0", "text"}), StartsWith(R"({"columns":[{"name":"id")"));
  EXPECT_EQ(at(answer, {"result", "contents", "1"}), "(absent)");
  EXPECT_EQ(at(answer, {"result", "structuredContent"}), "(absent)");
  EXPECT_EQ(rows_of(uri), R"([{"id":1,"name":"ada"},{"id":2,"name":"bob"}])");
  EXPECT_EQ(rows_of(uri + "?limit=1"), R"([{"id":1,"name":"ada"}])");
  EXPECT_EQ(rows_of(uri + "?limit=1&offset=1"), R"([{"id":2,"name":"bob"}])");
  EXPECT_EQ(rows_of(table_uri(db, "names") + "?limit=1"), R"([{"name":"ada"}])") << "a view, too";
  EXPECT_EQ(rows_of(table_uri(db, "we/ird \"na'me %2F")), R"([{"x":7}])");
  EXPECT_EQ(at(answer, {"result", "ttlMs"}), era() == Era::modern ? "0" : "(absent)");
}
TEST_P(Resources, FiftyRowsAreReadUnlessMoreAreAskedFor) {
  raw("CREATE TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 2000) SELECT i FROM n");
  const auto count = [&](const std::string& query) {
    const auto rows = json::parse(rows_of(table_uri(db, "n") + query));
    return rows && rows->array() != nullptr ? rows->array()->size() : 0;
  };
  EXPECT_EQ(count(""), 50U);
  EXPECT_EQ(count("?limit=200"), 200U);
  EXPECT_EQ(count("?limit=5000"), 1000U) << "as many as one result has";
  EXPECT_THAT(at(read(table_uri(db, "n")), {"result", "contents", "0", "text"}),
              HasSubstr(R"("truncated":true,"next_offset":50)"));
}
TEST_P(Resources, AMissingTableIsNotFound) {
  EXPECT_EQ(code_of(table_uri(db, "nothing")), not_found());
  EXPECT_EQ(at(read(table_uri(db, "nothing")), {"error", "data", "uri"}), table_uri(db, "nothing"));
  EXPECT_EQ(code_of("sqlite://host" + db + "/tables/users"), not_found());
  EXPECT_EQ(code_of("sqlite://" + db + "/tables/%zz"), not_found());
  EXPECT_EQ(code_of("sqlite://" + db + "/tables/a%00"), not_found());
  EXPECT_EQ(code_of("sqlite://" + db), not_found());
  EXPECT_EQ(code_of("file://" + db), not_found());
}
TEST_P(Resources, AnUnreadableDatabaseNamesTheReason) {
  const auto error_codes = [&](const std::string& uri) {
    const json::Value answer = read(uri);
    EXPECT_EQ(at(answer, {"error", "data", "uri"}), uri);
    return at(answer, {"error", "code"}) + " " + at(answer, {"error", "data", "code"});
  };
  EXPECT_EQ(error_codes(table_uri(folder + "/none.db", "t")), "-32602 DB_OPEN_FAILED");
  EXPECT_EQ(error_codes(table_uri("/dev/zero", "t")), "-32602 PATH_NOT_ALLOWED");
  EXPECT_EQ(error_codes(table_uri(db, "users") + "?limit=0"), "-32602 INVALID_REQUEST");
  EXPECT_EQ(error_codes(table_uri(db, "users") + "?limit=-1"), "-32602 INVALID_REQUEST");
  EXPECT_EQ(error_codes(table_uri(db, "users") + "?offset=x"), "-32602 INVALID_REQUEST");
  EXPECT_EQ(error_codes(table_uri(db, "broken")), "-32603 SQL_ERROR") << "the view is there; what it reads is not";
}
TEST_P(Resources, AFolderMayBeCalledTables) {
  std::filesystem::create_directories(folder + "/tables/x");
  raw("CREATE TABLE tables(a); INSERT INTO tables VALUES(1)", folder + "/tables/x/tables");
  EXPECT_EQ(rows_of(table_uri(folder + "/tables/x/tables", "tables")), R"([{"a":1}])");
}
TEST_P(Resources, OutsideTheAllowedFoldersReadsAreRefused) {
  std::filesystem::create_directories(folder + "/inside");
  begin({}, {.paths = {.allowed_folders = {folder + "/inside"}}});
  EXPECT_EQ(at(read(table_uri(db, "users")), {"error", "data", "code"}), "PATH_NOT_ALLOWED");
  EXPECT_EQ(at(read(table_uri(folder + "/inside/../t.db", "users")), {"error", "data", "code"}), "PATH_NOT_ALLOWED");
}

// ---- subscriptions ---------------------------------------------------------------------------------------------------------------

TEST_P(Resources, ASubscriberLearnsOfAnotherProgramsWrite) {
  const std::string uri = table_uri(db, "users");
  subscribe(uri);
  // The initial state is known after the first look at the database; an earlier write would not count as a change.
  client->until([&] { return !engine->open_databases().empty() && !engine->busy(); }, "the first look");
  raw("INSERT INTO users(name) VALUES('cyd')");
  EXPECT_EQ(at(client->receive("notifications/resources/updated"), {"params", "uri"}), uri);
  raw("PRAGMA journal_mode=WAL; INSERT INTO users(name) VALUES('dee')");
  EXPECT_EQ(at(client->receive("notifications/resources/updated"), {"params", "uri"}), uri) << "in the log beside the file, too";
}
TEST_P(Resources, ASubscriberLearnsOfOurOwnWriteOnce) {
  const std::string uri = table_uri(db, "users");
  begin({.resources = {.watch_pause = 1h}});
  subscribe(uri);
  writes("INSERT INTO users(name) VALUES('cyd')");
  EXPECT_EQ(at(client->receive("notifications/resources/updated"), {"params", "uri"}), uri)
      << "without waiting for the next look";
  unsubscribe(uri);
  writes("INSERT INTO users(name) VALUES('dee')");
  EXPECT_EQ(client->count_received("notifications/resources/updated"), 0U);
}
TEST_P(Resources, AReplacedOrMissingFileIsAChange) {
  const std::string uri = table_uri(db, "users");
  subscribe(uri);
  client->until([&] { return !engine->open_databases().empty() && !engine->busy(); }, "the first look");
  std::filesystem::remove(db);
  client->receive("notifications/resources/updated");
  raw("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT)");
  client->receive("notifications/resources/updated");
}

// ---- completion --------------------------------------------------------------------------------------------------------------------

TEST_P(Resources, DatabasesAndTablesAreCompleted) {
  constexpr std::string_view prompt = R"({"type":"ref/prompt","name":"analyze-db-health"})";
  constexpr std::string_view table = R"({"type":"ref/resource","uri":"sqlite://{+db_path}/tables/{table}{?limit,offset}"})";
  EXPECT_THAT(completed(prompt, "db_path", ""), testing::ElementsAre(db));
  EXPECT_THAT(completed(prompt, "db_path", db.substr(0, db.size() - 1)), testing::ElementsAre(db));
  EXPECT_THAT(completed(prompt, "db_path", "/nothing/like/it"), testing::ElementsAre());
  EXPECT_THAT(completed(prompt, "full", "t"), testing::ElementsAre("true"));
  EXPECT_THAT(completed(table, "db_path", "/"), testing::ElementsAre(db));
  EXPECT_THAT(completed(table, "table", "us"), testing::ElementsAre("users"));
  EXPECT_THAT(completed(table, "table", "n", R"(,"context":{"arguments":{"db_path":)" + in_quotes(db) + "}}"),
              testing::ElementsAre("names"));
  EXPECT_THAT(completed(table, "table", "", R"(,"context":{"arguments":{"db_path":"/none.db"}})"), testing::ElementsAre());
}

}  // namespace
}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/health.h"

#include "parlance/server/sqlite/mcp_test_support.h"
#include "parlance/server/sqlite/uri.h"

namespace parlance::server {
namespace {

using test::at;
using test::Era;
using test::in_quotes;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

class HealthPrompt : public test::SqliteMcpTest {
 protected:
  void SetUp() override {
    raw("PRAGMA user_version=42; CREATE TABLE parents(id INTEGER PRIMARY KEY);"
        "CREATE TABLE children(id INTEGER PRIMARY KEY, parent REFERENCES parents(id), other INTEGER, name);"
        "CREATE INDEX by_other ON children(other); CREATE INDEX by_other_name ON children(other, name);"
        "INSERT INTO parents VALUES(1),(2); INSERT INTO children(parent) VALUES(1),(7),(8);"
        "CREATE VIEW broken AS SELECT * FROM missing");
    begin();
  }
  json::Value prompt(std::string_view more = "") {
    return client->ask("prompts/get",
                       R"("name":"analyze-db-health","arguments":{"db_path":)" + in_quotes(db) + std::string(more) + "}");
  }
  std::string words(const json::Value& answer) { return at(answer, {"result", "messages", "0", "content", "text"}); }
  json::Value facts(const json::Value& answer) {
    auto parsed = json::parse(at(answer, {"result", "messages", "1", "content", "resource", "text"}));
    EXPECT_TRUE(parsed) << json::to_text(answer);
    return parsed ? *std::move(parsed) : json::Value{};
  }
  static std::vector<std::string> findings(const json::Value& health) {
    std::vector<std::string> all;
    for (const json::Value& finding : *health.find("findings")->array())
      all.push_back(at(finding, {"level"}) + " " + at(finding, {"table"}) + ": " + at(finding, {"text"}));
    return all;
  }
};
INSTANTIATE_TEST_SUITE_P(Eras, HealthPrompt, test::both_eras, test::era_name);

TEST_P(HealthPrompt, IsListedWithItsArguments) {
  const json::Value answer = client->ask("prompts/list", "");
  EXPECT_EQ(at(answer, {"result", "prompts", "0", "name"}), "analyze-db-health");
  EXPECT_EQ(at(answer, {"result", "prompts", "0", "arguments", "0", "name"}), "db_path");
  EXPECT_EQ(at(answer, {"result", "prompts", "0", "arguments", "0", "required"}), "true");
  EXPECT_EQ(at(answer, {"result", "prompts", "0", "arguments", "1", "name"}), "full");
}
TEST_P(HealthPrompt, ExaminesTheDatabase) {
  const json::Value answer = prompt();
  EXPECT_EQ(at(answer, {"result", "messages", "0", "role"}), "user");
  EXPECT_EQ(at(answer, {"result", "messages", "1", "role"}), "user");
  EXPECT_EQ(at(answer, {"result", "messages", "2"}), "(absent)");
  EXPECT_EQ(at(answer, {"result", "messages", "1", "content", "type"}), "resource");
  EXPECT_EQ(at(answer, {"result", "messages", "1", "content", "resource", "mimeType"}), "application/json");
  EXPECT_EQ(at(answer, {"result", "messages", "1", "content", "resource", "uri"}), health_uri(db));
  const json::Value health = facts(answer);
  EXPECT_EQ(at(health, {"db_path"}), db);
  EXPECT_EQ(at(health, {"file_bytes"}), std::to_string(std::filesystem::file_size(db)));
  EXPECT_EQ(std::stoll(at(health, {"page_size"})) * std::stoll(at(health, {"page_count"})),
            std::stoll(at(health, {"file_bytes"})));
  EXPECT_EQ(at(health, {"freelist_count"}), "0");
  EXPECT_EQ(at(health, {"journal_mode"}), "delete");
  EXPECT_EQ(at(health, {"encoding"}), "UTF-8");
  EXPECT_EQ(at(health, {"user_version"}), "42");
  EXPECT_EQ(at(health, {"check"}), R"({"kind":"integrity_check","ok":true,"problems":[]})");
  EXPECT_EQ(at(health, {"foreign_key_check", "violations"}), "2");
  EXPECT_EQ(at(health, {"tables", "0"}), R"({"name":"children","kind":"table","rows":3,"columns":4,"indexes":2})");
  EXPECT_EQ(at(health, {"tables", "1", "rows"}), "2");
  EXPECT_EQ(at(health, {"views"}), "1");
  const auto found = findings(health);
  EXPECT_THAT(found, testing::Contains("warning children: 2 rows refer to nothing in parents"));
  EXPECT_THAT(found, testing::Contains(HasSubstr("warning broken: the view no longer works")));
  EXPECT_THAT(found, testing::Contains(HasSubstr("advice children: no index for the foreign key (parent) to parents")));
  EXPECT_THAT(found, testing::Contains(HasSubstr("advice children: the index by_other seems redundant")));
  EXPECT_EQ(found.size(), 4U);
  EXPECT_THAT(words(answer), AllOf(HasSubstr(db), HasSubstr("integrity_check: ok"), HasSubstr("foreign_key_check: 2 violations"),
                                   HasSubstr("children: 3 rows, 4 columns, 2 indexes"), HasSubstr("user_version 42"),
                                   HasSubstr("advice: children")));
}
TEST_P(HealthPrompt, AHealthyDatabaseHasNoFindings) {
  db = folder + "/fine.db";
  raw("CREATE TABLE t(x)");
  EXPECT_THAT(words(prompt()), HasSubstr("No problems found."));
}
TEST_P(HealthPrompt, DamageIsFoundAndTheRestIsStillReported) {
  raw("CREATE TABLE big AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 2000) SELECT i, "
      "hex(randomblob(50)) h "
      "FROM n; CREATE INDEX big_i ON big(i)");
  {
    // Pages of the table's middle, as a broken disk leaves them.
    std::fstream file(db, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(db) / 2));
    file << std::string(8192, '\xA5');
  }
  const json::Value answer = prompt();
  const json::Value health = facts(answer);
  EXPECT_EQ(at(health, {"check", "ok"}), "false");
  EXPECT_GT(health.find("check")->find("problems")->array()->size(), 0U);
  EXPECT_THAT(findings(health).front(), testing::StartsWith("error "));
  EXPECT_THAT(words(answer), AllOf(HasSubstr("damage found"), HasSubstr("parents: 2 rows")));
}
TEST_P(HealthPrompt, ASlowCheckIsReportedAsMissing) {
  // Its check takes minutes: an index whose expression works for long in each row, put there without being worked out.
  raw("CREATE TABLE slow(x); CREATE INDEX slow_i ON slow(x+0);"
      "INSERT INTO slow WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 100000) SELECT i FROM n;"
      "PRAGMA writable_schema=1; UPDATE sqlite_schema SET "
      "sql='CREATE INDEX slow_i ON slow(x+0*length(hex(hex(hex(zeroblob(200000+x))))))' WHERE name='slow_i'");
  // As much time as this machine needs for everything else.
  json::Value answer;
  for (auto time = 20ms; time < 60s; time *= 2) {
    begin({.resources = {.time = time}});
    answer = prompt(R"(,"full":"true")");
    if (at(answer, {"error", "data", "code"}) != "TIMEOUT") break;
  }
  const json::Value health = facts(answer);
  EXPECT_EQ(at(health, {"check", "kind"}), "integrity_check");
  EXPECT_EQ(at(health, {"check", "ok"}), "null");
  EXPECT_EQ(at(health, {"foreign_key_check", "violations"}), "null");
  EXPECT_EQ(at(health, {"tables", "2", "rows"}), "null");
  EXPECT_THAT(words(answer), AllOf(HasSubstr("integrity_check: not finished"), HasSubstr("slow: rows not counted")));
}
TEST_P(HealthPrompt, ErrorsAreThoseOfTheProtocol) {
  EXPECT_EQ(at(client->ask("prompts/get", R"("name":"analyze-db-health")"), {"error", "code"}), "-32602");
  EXPECT_EQ(at(client->ask("prompts/get", R"("name":"other")"), {"error", "code"}), "-32602");
  db = folder + "/none.db";
  const json::Value missing = prompt();
  EXPECT_EQ(at(missing, {"error", "code"}), "-32602");
  EXPECT_EQ(at(missing, {"error", "data", "code"}), "DB_OPEN_FAILED");
  db = "relative.db";
  EXPECT_EQ(at(prompt(), {"error", "data", "code"}), "PATH_NOT_ALLOWED");
}
TEST_P(HealthPrompt, TheSameFactsAreAResource) {
  const json::Value answer = client->ask("resources/read", R"("uri":)" + in_quotes(health_uri(db)));
  EXPECT_EQ(at(answer, {"result", "contents", "0", "text"}), json::to_text(facts(prompt())));
  EXPECT_EQ(
      at(client->ask("resources/read", R"("uri":)" + in_quotes(health_uri(folder + "/none.db"))), {"error", "data", "code"}),
      "DB_OPEN_FAILED");
}

}  // namespace
}  // namespace parlance::server

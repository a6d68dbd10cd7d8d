// SPDX-License-Identifier: Apache-2.0
// Other programs' databases, read completely by sqlite-helper and compared cell by cell, including types, with the sqlite3
// shell's output. Some come from Debian packages (skipped without these: scripts/peers.sh install sqlite-databases); the missing
// kinds are made here.
#include <bit>
#include <cstdlib>
#include <filesystem>

#include "parlance/base/base64.h"
#include "parlance/base/bytes.h"
#include "tests/sqlite/helper_program.h"

namespace parlance::test {
namespace {

constexpr char column_end = '\x1f';
constexpr char row_end = '\x1e';

std::string as_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string as_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string upper_hex(std::string_view bytes) {
  std::string hex = to_hex(bytes);
  for (char& c : hex) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return hex;
}

std::string exact(double value) { return std::to_string(std::bit_cast<std::uint64_t>(value)); }

// How the shell is made to tell a text: hex is exact, but of a UTF-16 database's own bytes.
enum class Texts { hex, as_they_are };

class Databases : public HelperTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_SQLITE3).empty()) GTEST_SKIP() << "there is no sqlite3 shell here";
  }
  static std::string package_file(const std::string& name) {
    const char* peers = std::getenv("PARLANCE_PEERS");
    return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/sqlite-databases/" + name;
  }

  using Table = std::vector<std::vector<std::string>>;
  Table shell(const std::string& file, const std::string& sql) {
    const Finished finished = run({PARLANCE_SQLITE3, "-batch", "-readonly", "-ascii", "-init", "/dev/null", file}, sql + ";\n");
    EXPECT_EQ(finished.code, 0) << sql << ": " << finished.errors;
    Table rows;
    std::vector<std::string> row;
    std::string cell;
    for (const char c : finished.out) {
      if (c != column_end && c != row_end) {
        cell += c;
        continue;
      }
      row.push_back(std::exchange(cell, {}));
      if (c == row_end) rows.push_back(std::exchange(row, {}));
    }
    return rows;
  }
  void make(const std::string& file, const std::string& script) {
    const Finished finished = run({PARLANCE_SQLITE3, "-batch", "-bail", "-init", "/dev/null", file}, script);
    ASSERT_EQ(finished.code, 0) << finished.errors;
  }

  // The common form of both sides: "integer:7", "real:BITS", "text:HEX".
  static std::string shown_by_shell(const std::string& cell) {
    if (!cell.starts_with("real:")) return cell;
    return "real:" + exact(std::strtod(cell.c_str() + 5, nullptr));
  }
  static std::string shown_by_us(const json::Value& cell, Texts texts) {
    if (cell.is_null()) return "null:NULL";
    std::int64_t integer = 0;
    if (std::holds_alternative<std::int64_t>(cell.data) && cell.integer(integer)) return "integer:" + std::to_string(integer);
    double real = 0;
    if (std::holds_alternative<double>(cell.data) && cell.number(real)) return "real:" + exact(real);
    if (const std::string* text = cell.text()) return "text:" + (texts == Texts::hex ? upper_hex(*text) : *text);
    const auto bytes = from_base64(cell.text_or("base64", "?"));
    if (!bytes || static_cast<std::int64_t>(bytes->size()) != cell.integer_or("size", -1)) return "not a value";
    return std::string(cell.text_or("$type", "?")) + ":" + upper_hex(*bytes);
  }

  // A process for each: a whole table is one line.
  json::Value ask_one(std::string_view command, const std::string& payload) {
    const auto lines = ask({"{\"id\":1,\"cmd\":\"" + std::string(command) + "\",\"payload\":" + payload + "}"},
                           {"--max-rows", "1000000", "--max-bytes", "1000000000"});
    return lines.size() == 1 ? parsed(lines[0]) : json::Value();
  }
  void expect_same_table(const std::string& file, const std::string& name, Texts texts, std::size_t& cells) {
    const std::string sql = "SELECT * FROM " + as_name(name);
    const json::Value answer = ask_one("query", "{\"path\":" + json::to_text(json::Value(file)) +
                                                    ",\"sql\":" + json::to_text(json::Value(sql)) + ",\"nonfinite\":\"tag\"}");
    ASSERT_EQ(text_at(answer, {"status"}), "ok") << name << ": " << json::to_text(answer);
    EXPECT_EQ(text_at(answer, {"data", "truncated"}), "false");
    const json::Array columns = *at(answer, {"data", "columns"}).array();
    const Table names = shell(file, "SELECT name FROM pragma_table_xinfo(" + as_text(name) + ") WHERE hidden<>1");
    ASSERT_EQ(columns.size(), names.size()) << name;
    std::string exactly;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ(columns[i].text_or("name", ""), names[i][0]);
      const std::string column = as_name(names[i][0]);
      exactly += (i == 0 ? "" : ",") + ("typeof(" + column + ")||':'||CASE typeof(" + column + ") WHEN 'text' THEN " +
                                        (texts == Texts::hex ? "hex(" + column + ")" : column) + " WHEN 'blob' THEN hex(" +
                                        column + ") ELSE quote(" + column + ") END");
    }
    const Table expected = shell(file, "SELECT " + exactly + " FROM " + as_name(name));
    const json::Value* const data = answer.find("data");
    const json::Array& rows = *data->find("rows")->array();
    ASSERT_EQ(rows.size(), expected.size()) << name;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto& members = rows[r].object()->members;
      ASSERT_EQ(members.size(), expected[r].size()) << name;
      for (std::size_t c = 0; c < members.size(); ++c, ++cells)
        ASSERT_EQ(shown_by_us(members[c].second, texts), shown_by_shell(expected[r][c]))
            << name << ", row " << r << ", column " << members[c].first;
    }
  }
  // Every table and view, including SQLite's own statistics. Returns the number of compared cells.
  std::size_t expect_same(const std::string& file, Texts texts = Texts::hex) {
    const std::string before = read_file(file);
    EXPECT_NE(before, "");
    std::string listed;
    for (const auto& row : shell(file,
                                 "SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' "
                                 "ORDER BY name"))
      listed += (listed.empty() ? "" : ",") + json::to_text(json::Value(row[0]));
    EXPECT_EQ(text_at(ask_one("tables", "{\"path\":" + json::to_text(json::Value(file)) + "}"), {"data"}), "[" + listed + "]");
    std::size_t cells = 0;
    for (const auto& row : shell(file, "SELECT name FROM sqlite_schema WHERE type IN ('table','view') ORDER BY name"))
      expect_same_table(file, row[0], texts, cells);
    EXPECT_TRUE(read_file(file) == before) << "reading changes nothing";
    return cells;
  }
};

class OutOfDebian : public Databases, public testing::WithParamInterface<const char*> {};

TEST_P(OutOfDebian, IsReadAsTheShellReadsIt) {
  const std::string file = package_file(GetParam());
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << ": scripts/peers.sh install sqlite-databases";
  const std::size_t cells = expect_same(file);
  EXPECT_GT(cells, 100U);
  std::printf("%zu cells\n", cells);
  // No companion file either.
  for (const char* companion : {"-journal", "-wal", "-shm"}) EXPECT_FALSE(std::filesystem::exists(file + companion));
}

INSTANTIATE_TEST_SUITE_P(Databases, OutOfDebian,
                         testing::Values("usr/share/proj/proj.db", "usr/share/ibus-table/tables/wubi-jidian86.db",
                                         "usr/share/ibus-table/tables/wubi-haifeng86.db",
                                         "usr/share/qgis/resources/srs-template.db", "usr/share/qgis/resources/qgis.db",
                                         "usr/lib/R/site-library/RSQLite/db/datasets.sqlite"),
                         [](const auto& one) {
                           std::string name = std::filesystem::path(one.param).stem().string();
                           std::erase(name, '-');
                           return name;
                         });

constexpr const char* all_kinds =
    "CREATE TABLE v(i INTEGER PRIMARY KEY, x, r REAL, t TEXT);\n"
    "INSERT INTO v(x, r, t) VALUES(NULL, NULL, NULL),(9223372036854775807, 0.1, ''),(-9223372036854775807-1, -2.5e-300, 'ascii'),"
    "(x'', 1e300, 'çelik Ünlü'),(x'00ff10', 1.7976931348623157e308, '漢字かな交じり文'),('text in x', 5e-324, '😀 beyond the "
    "first plane'),"
    "(1.0, 3.0, 'a \"quote\", a \\ and a '||char(10)||' line'),(12345678901234567890, 123456789.123456789, char(1)||char(127));\n"
    "INSERT INTO v(x, r, t) WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n LIMIT 500)"
    " SELECT CASE i%4 WHEN 0 THEN i*7919 WHEN 1 THEN i/7.0 WHEN 2 THEN 'ß'||i ELSE zeroblob(i%9) END, (i*7919%1000)/100.0, i "
    "FROM n;\n"
    "CREATE VIEW w AS SELECT t, x FROM v WHERE r IS NOT NULL;\n";

TEST_F(Databases, OfEachEncoding) {
  for (const std::string encoding : {"UTF-8", "UTF-16le", "UTF-16be"}) {
    const std::string file = path(encoding + ".db");
    make(file, "PRAGMA encoding='" + encoding + "';\n" + all_kinds);
    EXPECT_EQ(shell(file, "PRAGMA encoding"), (Table{{encoding}}));
    EXPECT_GT(expect_same(file, Texts::as_they_are), 2000U);
  }
}

TEST_F(Databases, WithStrangeTablesAndStatistics) {
  const std::string file = path("strange.db");
  make(file, std::string(all_kinds) +
                 "CREATE TABLE \"we\"\"ird na'me\"(\"a b\", \"\", \"c]d\", \"Solar.R\" TEXT); INSERT INTO \"we\"\"ird na'me\" "
                 "VALUES(1,2,3,4);\n"
                 "CREATE TABLE g(a, twice AS (a*2), s TEXT AS ('t'||a) STORED); INSERT INTO g(a) VALUES(1),(2.5),('x');\n"
                 "CREATE TABLE k(k TEXT PRIMARY KEY, n ANY) WITHOUT ROWID, STRICT; INSERT INTO k VALUES('b',1),('a',x'00');\n"
                 "CREATE INDEX v_x ON v(x, t); ANALYZE;\n"
                 // This SQLite writes no sqlite_stat4; another SQLite's table has this form.
                 "CREATE TABLE stat4(tbl, idx, neq, nlt, ndlt, sample);\n"
                 "INSERT INTO stat4 VALUES('v','v_x','1 1 1','0 0 0','0 0 0',x'0401010107'),('v','v_x','1 1 1','9 9 9','9 9 "
                 "9',x'0401010109');\n"
                 ".dbconfig defensive off\nPRAGMA writable_schema=ON;\n"
                 "UPDATE sqlite_schema SET name='sqlite_stat4', tbl_name='sqlite_stat4', sql='CREATE TABLE "
                 "sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' "
                 "WHERE name='stat4';\nPRAGMA writable_schema=OFF;\n");
  EXPECT_EQ(shell(file, "SELECT count(*) FROM sqlite_stat4"), (Table{{"2"}}));
  EXPECT_GT(expect_same(file), 2000U);
}

TEST_F(Databases, InWalModeWithRowsThatAreOnlyInTheWal) {
  const std::string file = path("wal.db");
  make(file, "PRAGMA journal_mode=WAL;\n.dbconfig no_ckpt_on_close on\n" + std::string(all_kinds));
  ASSERT_GT(std::filesystem::file_size(file + "-wal"), 0U);
  ASSERT_EQ(read_file(file).find("CREATE TABLE v"), std::string::npos) << "all of it is in the WAL";
  EXPECT_GT(expect_same(file), 2000U);
}

TEST_F(Databases, ThatLookEncryptedAreNotOpenedAndNotTouched) {
  std::string bytes(64 << 10, 0);
  std::uint32_t state = 2463534242;  // a fixed seed
  for (char& c : bytes) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    c = static_cast<char>(state);
  }
  write_file(path("secret.db"), bytes);
  const json::Value answer = ask_one("connect", "{\"path\":\"" + path("secret.db") + "\"}");
  EXPECT_EQ(text_at(answer, {"code"}), "DB_OPEN_FAILED");
  EXPECT_EQ(text_at(answer, {"details", "sqlite_code"}), "26");
  EXPECT_EQ(text_at(ask_one("execute", "{\"path\":\"" + path("secret.db") + "\",\"sql\":\"CREATE TABLE t(a)\"}"), {"code"}),
            "DB_OPEN_FAILED");
  EXPECT_TRUE(read_file(path("secret.db")) == bytes);
}

}  // namespace
}  // namespace parlance::test

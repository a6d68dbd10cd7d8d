// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/uri.h"

#include <gtest/gtest.h>

namespace parlance::server {
namespace {

std::string shown(std::string_view uri) {
  const auto found = parse_table_uri(uri);
  if (!found) return "none";
  return found->database + " | " + found->table + (found->limit.empty() ? "" : " limit " + found->limit) +
         (found->offset.empty() ? "" : " offset " + found->offset);
}

TEST(SqliteUri, IsAnAbsolutePathAndATable) {
  EXPECT_EQ(table_uri("/home/u/a.db", "users"), "sqlite:///home/u/a.db/tables/users");
  EXPECT_EQ(shown("sqlite:///home/u/a.db/tables/users"), "/home/u/a.db | users");
  EXPECT_EQ(shown("sqlite:///home/u/a.db/tables/users?limit=5&offset=10"), "/home/u/a.db | users limit 5 offset 10");
  EXPECT_EQ(shown("SQLITE:///a.db/tables/users"), "/a.db | users") << "a scheme is the same in capitals";
}
TEST(SqliteUri, BothNamesAreEncodedAndDecodedOnce) {
  for (const auto& [database, table] :
       {std::pair{"/tables/tables/x.db", "tables"}, std::pair{"/a b/ü%20?#.db", "we\"ird/na'me 100%"},
        std::pair{"/x/tables/y", "%2F"}, std::pair{"/a.db", "Ünïcödé"}}) {
    EXPECT_EQ(shown(table_uri(database, table)), std::string(database) + " | " + table);
  }
  EXPECT_EQ(table_uri("/a b.db", "x/y"), "sqlite:///a%20b.db/tables/x%2Fy");
  EXPECT_EQ(shown("sqlite:///a.db/tables/%2541"), "/a.db | %41") << "once, not twice";
}
TEST(SqliteUri, AFolderMayBeCalledTables) {
  EXPECT_EQ(shown("sqlite:///tables/tables/a.db/tables/t"), "/tables/tables/a.db | t");
  EXPECT_EQ(shown("sqlite:///tables/x"), "none") << "no database in front";
}
TEST(SqliteUri, AnInvalidAddressIsRefused) {
  for (const char* uri :
       {"", "sqlite:", "file:///a.db/tables/t", "sqlite://host/a.db/tables/t", "sqlite://a.db/tables/t", "sqlite:///a.db",
        "sqlite:///a.db/tables/", "sqlite:///a.db/tables/x/y", "sqlite:///a%zz.db/tables/t", "sqlite:///a.db/tables/%",
        "sqlite:///a.db/tables/a%00b", "sqlite:///a%ff.db/tables/t", "sqlite:///a.db/tables/t#x",
        "sqlite:///a.db/tables/t?other=1", "sqlite:///a.db/tables/t?limit=1&limit=2"})
    EXPECT_EQ(shown(uri), "none") << uri;
}
TEST(SqliteUri, ADatabaseHasAHealth) {
  EXPECT_EQ(health_uri("/a b.db"), "sqlite:///a%20b.db/health");
  EXPECT_EQ(parse_health_uri("sqlite:///a%20b.db/health"), "/a b.db");
  EXPECT_EQ(parse_health_uri("sqlite:///health"), std::nullopt);
  EXPECT_EQ(parse_health_uri("sqlite://host/a.db/health"), std::nullopt);
  EXPECT_EQ(parse_health_uri("sqlite:///a.db/tables/t"), std::nullopt);
}

}  // namespace
}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// Where a server is, and what of it may be shown.
#include "parlance/pg/address.h"

#include <gtest/gtest.h>

#include "parlance/pg/failure.h"
#include "parlance/pg/statement.h"

namespace parlance::pg {
namespace {

TEST(Address, NoPasswordIsShownInAnyPosition) {
  EXPECT_EQ(without_password("postgresql://a:secret@h:5/db"), "postgresql://a:***@h:5/db");
  EXPECT_EQ(without_password("postgresql://a:se@cr:et@h/db"), "postgresql://a:***@h/db");
  EXPECT_EQ(without_password("postgresql://a:s%40/x@h/db"), "postgresql://a:***@h/db");
  EXPECT_EQ(without_password("postgresql://h/db?user=a&password=secret&sslmode=require"),
            "postgresql://h/db?user=a&password=***&sslmode=require");
  EXPECT_EQ(without_password("postgresql://h/db?p%61ssword=secret"), "postgresql://h/db?p%61ssword=***");
  EXPECT_EQ(without_password("postgresql://h/db?sslpassword=x"), "postgresql://h/db?sslpassword=***");
  EXPECT_EQ(without_password("host=h password=secret"), "***");
}

TEST(Address, AnAddressWithoutAPasswordStaysUnchanged) {
  for (const char* address :
       {"postgresql://h1,h2:6/db?target_session_attrs=any", "postgres:///db", "postgresql://a@/db?host=/run/x"})
    EXPECT_EQ(without_password(address), address);
}

TEST(Address, OnlyPostgresqlUrlsAreAddresses) {
  EXPECT_TRUE(is_address("postgresql://h/db"));
  EXPECT_TRUE(is_address("postgres:///db"));
  EXPECT_FALSE(is_address("/var/lib/x"));
  EXPECT_FALSE(is_address("mysql://h/db"));
}

TEST(Address, ItsServersAreListed) {
  const auto shown = [](const std::string& address) {
    std::string all;
    for (const Server& server : servers_of(address)) {
      all += server.name;
      for (const auto& [name, value] : server.parameters) all += " " + name + "=" + value;
      all += ";";
    }
    return all;
  };
  EXPECT_EQ(shown("postgresql://a@h1:1,h2/db"), "h1:1 user=a dbname=db host=h1 port=1;h2 user=a dbname=db host=h2;");
  EXPECT_EQ(shown("postgresql://h1,h2/db"), "h1 dbname=db host=h1;h2 dbname=db host=h2;");
  EXPECT_EQ(shown("postgresql:///?host=h1,h2&port=7"), "h1:7 host=h1 port=7;h2:7 host=h2 port=7;");
  EXPECT_EQ(shown("postgresql:///?host=h1,h2&hostaddr=10.0.0.1,10.0.0.2"),
            "h1 host=h1 hostaddr=10.0.0.1;h2 host=h2 hostaddr=10.0.0.2;");
  EXPECT_EQ(shown("postgresql:///?host=/run/x"), "/run/x host=/run/x;");
  EXPECT_EQ(shown("postgresql://a:secret@/db"), "postgresql://a:***@/db user=a password=secret dbname=db;");
  EXPECT_EQ(shown("postgresql://h/db?nonsense=1"), "");
}

TEST(Address, AnAddressUnknownToLibpqIsRefusedWithoutItsPassword) {
  EXPECT_TRUE(check_address("postgresql://a@h:5432/db"));
  const auto wrong = check_address("postgresql://a:secret@h/db?nonsense=1");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.find("secret"), std::string::npos) << wrong.error().message;
}

TEST(Statement, AnArrayKeepsQuotesBackslashesAndEmptyTexts) {
  Array array;
  EXPECT_TRUE(array.empty());
  array.add(R"(a"b\c,{})");
  array.add("");
  EXPECT_EQ(array.text(), R"({"a\"b\\c,{}",""})");
  Array numbers;
  numbers.add(1);
  numbers.add(-2);
  EXPECT_EQ(numbers.text(), "{1,-2}");
}

TEST(Failure, SilenceMayPassAndAWrongStatementDoesNot) {
  EXPECT_EQ(error_of({.message = "gone"}).code, Errc::disconnected);
  EXPECT_EQ(error_of({.sqlstate = "57P01", .message = "shutdown"}).code, Errc::disconnected);
  EXPECT_EQ(error_of({.sqlstate = "57P03", .message = "starting up"}).code, Errc::overloaded);
  const Error full = error_of({.sqlstate = "53100", .message = "No space left on device"});
  EXPECT_EQ(full.code, Errc::overloaded);
  EXPECT_EQ(full.message,
            "the disk of the database server is full [PostgreSQL: No space left on device (53100)]: free disk space");
  for (const char* state : {"53000", "53100", "53200", "53300", "53400", "25006", "57P03", "58030"}) {
    EXPECT_TRUE(is_refusal(state) && is_passing(state)) << state;
    EXPECT_EQ(error_of({.sqlstate = state, .message = "no"}).code, Errc::overloaded) << state;
  }
  for (const char* state : {"57P01", "57P02", "08006", "42601", "23505", "PF001"}) EXPECT_FALSE(is_refusal(state)) << state;
  EXPECT_EQ(error_of({.sqlstate = "42601", .message = "syntax"}).code, Errc::failed);
  EXPECT_NE(error_of({.sqlstate = "42601", .message = "syntax"}).message.find("42601"), std::string::npos);
}

}  // namespace
}  // namespace parlance::pg

// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/sqlite_bridge/dialect.h"

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"

namespace parlance::sqlite_bridge {
namespace {

std::string decoded(BytesView line) {
  const auto request = decode(line);
  if (!request) return request.error().id + ": " + request.error().failure.error;
  return request->id + " " + request->command + " " + request->payload;
}

TEST(SqliteBridgeDialect, ALineIsARequest) {
  EXPECT_EQ(decoded(R"({"v":1,"id":"a","cmd":"query","payload":{"sql":"SELECT 1"}})"), R"("a" query {"sql":"SELECT 1"})");
  EXPECT_EQ(decoded(R"({"cmd":"ping"})"), "null ping {}");
  EXPECT_EQ(decoded(R"( { "payload" : { } , "cmd" : "ping" , "id" : 7 } )"), "7 ping { }");
  EXPECT_EQ(decoded(R"({"cmd":"ping","payload":null,"new":{"of a":["newer","client"]}})"), "null ping {}");
}

TEST(SqliteBridgeDialect, IdsAreTextsOrNumbersAndReturnUnchanged) {
  EXPECT_EQ(decoded(R"({"id":"\u0041","cmd":"x"})"), R"("\u0041" x {})");
  EXPECT_EQ(decoded(R"({"id":1.50e1,"cmd":"x"})"), "1.50e1 x {}");
  for (const char* other : {"null", "true", "[1]", R"({"a":1})"})
    EXPECT_EQ(decoded(R"({"cmd":"x","id":)" + std::string(other) + "}"), "null x {}") << other;
}

TEST(SqliteBridgeDialect, KeysAreEqualWhereIdsAre) {
  EXPECT_EQ(key_of(R"("A")"), key_of(R"("\u0041")"));
  EXPECT_NE(key_of("1"), key_of(R"("1")"));
  EXPECT_NE(key_of(R"("n1")"), key_of("1"));
  EXPECT_EQ(key_of("null"), "");
  EXPECT_EQ(key_of(""), "");
  EXPECT_NE(key_of(R"("")"), "") << "an empty text is an id";
  EXPECT_EQ((Request{.id = "7"}.key()), key_of("7"));
}

TEST(SqliteBridgeDialect, AMalformedRequestIsReportedWithItsIdIfAny) {
  EXPECT_EQ(decoded(""), "null: not a JSON object");
  EXPECT_EQ(decoded("[]"), "null: not a JSON object");
  EXPECT_EQ(decoded("5"), "null: not a JSON object");
  EXPECT_EQ(decoded(R"({"cmd":"x")"), "null: not a JSON object");
  EXPECT_EQ(decoded(R"({"cmd":"x"} {})"), "null: not a JSON object");
  EXPECT_EQ(decoded("{\"cmd\":\"\xFF\"}"), "null: the line is not UTF-8");
  EXPECT_EQ(decoded(R"({"id":3})"), R"(3: "cmd" is missing)");
  EXPECT_EQ(decoded(R"({"id":3,"cmd":5})"), R"(3: "cmd" is missing)");
  EXPECT_EQ(decoded(R"({"id":3,"cmd":"x","payload":[1]})"), R"(3: "payload" must be an object)");
  EXPECT_EQ(decoded(R"({"id":3,"cmd":"x","payload":"{}"})"), R"(3: "payload" must be an object)");
}

TEST(SqliteBridgeDialect, EveryPrefixOfARequestIsRefused) {
  const std::string line = R"({"v":1,"id":"a\u00e9","cmd":"query","payload":{"sql":"SELECT 'x'","limit":[1,2.5e3,true,null]}})";
  ASSERT_TRUE(decode(line));
  for (std::size_t size = 0; size < line.size(); ++size) {
    const auto request = decode(BytesView(line).substr(0, size));
    ASSERT_FALSE(request) << size;
    EXPECT_EQ(request.error().failure.code, Code::invalid_request) << size;
  }
}

TEST(SqliteBridgeDialect, AnUnknownVersionGetsTheSupportedVersions) {
  for (const char* other : {"2", "\"1\"", "1.0", "null", "[1]"}) {
    const auto request = decode(R"({"id":9,"cmd":"x","v":)" + std::string(other) + "}");
    ASSERT_FALSE(request) << other;
    EXPECT_EQ(request.error().id, "9");
    EXPECT_EQ(request.error().failure.error, "unsupported protocol version " + std::string(other));
    EXPECT_EQ(request.error().failure.details.supported, std::vector<int>{version});
  }
  const auto long_version = decode(R"({"cmd":"x","v":")" + std::string(5000, '9') + "\"}");
  ASSERT_FALSE(long_version);
  EXPECT_LT(long_version.error().failure.error.size(), 200U);
}

TEST(SqliteBridgeDialect, TheLastOfDuplicateMembersCounts) {
  EXPECT_EQ(decoded(R"({"cmd":"a","cmd":"b","id":1,"id":2})"), "2 b {}");
}

TEST(SqliteBridgeDialect, AnAnswerIsASingleLineOfJson) {
  std::string out;
  begin_answer(out, "\"a\"");
  out += R"({"x":1})";
  end_answer(out);
  EXPECT_EQ(out, R"({"v":1,"id":"a","status":"ok","data":{"x":1}})");
}

TEST(SqliteBridgeDialect, AnErrorHasDetailsOnlyIfAny) {
  std::string bare;
  encode_error(bare, "7", {.code = Code::invalid_request, .error = "a \"quoted\"\nline"});
  EXPECT_EQ(bare, R"({"v":1,"id":7,"status":"error","code":"INVALID_REQUEST","error":"a \"quoted\"\nline"})");
  Failure failure{.code = Code::invalid_request, .error = "no"};
  failure.details.supported = std::vector<int>{1};
  std::string with;
  encode_error(with, "null", failure);
  EXPECT_EQ(with, R"({"v":1,"id":null,"status":"error","code":"INVALID_REQUEST","error":"no","details":{"supported":[1]}})");
  EXPECT_TRUE(json::parse(with));
}

}  // namespace
}  // namespace parlance::sqlite_bridge

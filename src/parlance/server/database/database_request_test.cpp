// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/database/database_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::server {
namespace {

constexpr const char* path = "/data/shop.db";

Errc refused(std::string_view message) {
  const auto checked = check_database_request(message, path);
  return checked ? Errc::internal : checked.error().code;
}

TEST(DatabaseRequest, RequestsOfAViewerArePassedOn) {
  EXPECT_TRUE(
      check_database_request(R"({"v":1,"id":"1","cmd":"query","payload":{"path":"/data/shop.db","sql":"SELECT 1"}})", path));
  EXPECT_TRUE(check_database_request(R"({"id":2,"cmd":"cancel","payload":{"id":"1"}})", path));
  EXPECT_TRUE(check_database_request(R"({"id":3,"cmd":"ping"})", path));
}

TEST(DatabaseRequest, OtherDatabasesAndOtherCommandsAreNot) {
  EXPECT_EQ(refused(R"({"id":1,"cmd":"query","payload":{"path":"/data/other.db","sql":"SELECT 1"}})"), Errc::denied);
  EXPECT_EQ(refused(R"({"id":1,"cmd":"query","payload":{"sql":"SELECT 1"}})"), Errc::denied) << "it would be the active one";
  EXPECT_EQ(refused(R"({"id":1,"cmd":"snapshot","payload":{"path":"/data/shop.db","to":"/data/copy.db"}})"), Errc::denied);
  EXPECT_EQ(refused(R"({"id":1,"cmd":"connect","payload":{"path":"/data/new.db","create":true}})"), Errc::denied);
}

// The helper reads lines: a line end between two tokens would turn an inner object into a message.
TEST(DatabaseRequest, OneMessageIsOneLine) {
  EXPECT_EQ(refused("{\"id\":1,\"cmd\":\"ping\",\"x\":\n{\"cmd\":\"snapshot\",\"payload\":{\"to\":\"/y\"}}\n}"),
            Errc::invalid_request);
  EXPECT_EQ(refused("no json"), Errc::invalid_request);
  EXPECT_EQ(refused("[]"), Errc::invalid_request);
  EXPECT_EQ(refused(R"({"cmd":"ping"} {"cmd":"snapshot"})"), Errc::invalid_request);
}

TEST(DatabaseRequest, ARefusalAnswersTheMessage) {
  const Error why{.code = Errc::denied, .message = "no"};
  EXPECT_EQ(refused_request(R"({"id":"a","cmd":"snapshot"})", why),
            R"({"v":1,"id":"a","status":"error","code":"PATH_NOT_ALLOWED","error":"no","details":{}})");
  EXPECT_THAT(refused_request("no json", why), testing::HasSubstr(R"("id":null)"));
}

}  // namespace
}  // namespace parlance::server

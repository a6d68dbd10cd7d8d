// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/model_server.h"

namespace parlance::model {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* test_key = "sk-0123456789-hidden";

class Probe : public testing::Test {
 protected:
  Connection connection() const {
    return {.name = "local", .vendor = "other", .url = server.url(), .model = "large", .key = test_key};
  }
  Result<std::vector<std::string>> list() {
    const auto http = lazy_http(loop);
    return loop.block_on(list_models(*http, *make_endpoint(settings_of(connection()))));
  }

  Loop loop;
  test::ModelServer server{loop, "OK"};
};

TEST_F(Probe, ListsTheModels) {
  const auto ids = list();
  ASSERT_TRUE(ids) << ids.error().message;
  EXPECT_THAT(*ids, ElementsAre("large", "small"));
  EXPECT_EQ(server.key, std::string("Bearer ") + test_key);
}

TEST_F(Probe, TestsWithOneRealRequest) {
  const auto tested = loop.block_on(test_connection(loop, connection()));
  ASSERT_TRUE(tested) << tested.error().message;
  EXPECT_EQ(tested->model, "large");
  EXPECT_THAT(server.paths, ElementsAre("/v1/chat/completions"));
}

TEST_F(Probe, ARefusalNamesAddressAndConnectionButNoKey) {
  server.status = 401;
  const auto tested = loop.block_on(test_connection(loop, connection()));
  ASSERT_FALSE(tested);
  EXPECT_THAT(tested.error().message, AllOf(HasSubstr(server.url()), HasSubstr("the model connection local"), HasSubstr("check"),
                                            Not(HasSubstr(test_key))));
  const auto ids = list();
  ASSERT_FALSE(ids);
  EXPECT_THAT(ids.error().message, Not(HasSubstr(test_key)));
}

TEST_F(Probe, ARedirectNeverReceivesTheKey) {
  const test::ModelServer other(loop, "stolen");
  for (const int status : {301, 302, 307, 308}) {
    server.status = status;
    server.location = other.url() + "/models";
    EXPECT_FALSE(list()) << status;
    EXPECT_FALSE(loop.block_on(test_connection(loop, connection()))) << status;
  }
  EXPECT_THAT(other.paths, IsEmpty());
}

TEST_F(Probe, AnInvalidConnectionIsNotTested) {
  Connection odd = connection();
  odd.url = "http://host.example/v1";
  EXPECT_FALSE(loop.block_on(test_connection(loop, odd)));
  EXPECT_THAT(server.paths, IsEmpty());
}

}  // namespace
}  // namespace parlance::model

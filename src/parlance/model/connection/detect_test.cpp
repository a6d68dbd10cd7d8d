// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/detect.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/model_server.h"

namespace parlance::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Detect : public testing::Test {
 protected:
  static Vendor local(const std::string& url) { return {.id = "local", .url = url, .place = Place::this_machine}; }
  std::vector<FoundModel> found(const std::vector<Vendor>& asked) { return loop.block_on(find_local_models(loop, asked)); }

  Loop loop;
};

TEST_F(Detect, FindsServersOfThisMachineInOrder) {
  const test::ModelServer first(loop, "1");
  const test::ModelServer second(loop, "2");
  const std::string urls[] = {first.url(), second.url()};
  const auto all = found({local(urls[1]), local(urls[0])});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].url, urls[1]);
  EXPECT_THAT(all[1].models, ElementsAre("large", "small"));
  EXPECT_EQ(first.key, "") << "no key is sent";
}

TEST_F(Detect, LeavesOutRefusingServersAndTheInternet) {
  test::ModelServer refusing(loop, "1");
  refusing.status = 401;
  const test::ModelServer vendor(loop, "2");
  const std::string urls[] = {refusing.url(), vendor.url()};
  EXPECT_THAT(found({local(urls[0]), {.id = "vendor", .url = urls[1]}, local("http://127.0.0.1:1/v1")}), IsEmpty());
  EXPECT_THAT(vendor.paths, IsEmpty());
}

TEST_F(Detect, FindsKeysByTheirUsualVariables) {
  const std::map<std::string, std::string, std::less<>> environment{
      {"OPENROUTER_API_KEY", "k"}, {"GOOGLE_API_KEY", "k"}, {"OPENAI_API_KEY", " "}, {"OTHER_API_KEY", "k"}};
  const auto all = find_keys([&](std::string_view name) -> std::optional<std::string> {
    const auto known = environment.find(name);
    return known == environment.end() ? std::nullopt : std::optional(known->second);
  });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].vendor, "gemini");
  EXPECT_EQ(all[0].key_variable, "GOOGLE_API_KEY");
  EXPECT_EQ(all[1].vendor, "openrouter");
}

}  // namespace
}  // namespace parlance::model

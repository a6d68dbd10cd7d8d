// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/settings.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::model {
namespace {

using testing::HasSubstr;
using testing::Not;

class ApiKeys : public testing::Test {
 protected:
  ApiKeys() {
    folder_ = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  ~ApiKeys() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& text, unsigned mode = 0600) const {
    const std::string path = folder_ + "/key";
    std::ofstream(path) << text;
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
    return path;
  }
  Result<ApiKey> find(Kind kind, const std::string& path = "") {
    return find_api_key(
        kind,
        [this](std::string_view name) -> std::optional<std::string> {
          asked.push_back(std::string(name));
          const auto found = variables.find(name);
          return found == variables.end() ? std::nullopt : std::optional(found->second);
        },
        path);
  }
  std::map<std::string, std::string, std::less<>> variables;
  std::vector<std::string> asked;

 private:
  std::string folder_;
};

TEST_F(ApiKeys, AnotherVendorsKeyIsNeverRead) {
  variables = {{"OPENAI_API_KEY", "sk-openai"}, {"ANTHROPIC_API_KEY", "sk-anthropic"}};
  EXPECT_EQ(find(Kind::openai)->text, "sk-openai");
  EXPECT_THAT(asked, Not(testing::Contains("ANTHROPIC_API_KEY")));
  asked.clear();
  EXPECT_EQ(find(Kind::anthropic)->origin, "ANTHROPIC_API_KEY");
  EXPECT_THAT(asked, Not(testing::Contains("OPENAI_API_KEY")));
  EXPECT_EQ(find(Kind::rehearsal)->text, "");
}

TEST_F(ApiKeys, OurVariableCountsMostAndTheDeployedVariableLeast) {
  variables = {{"OPENCLAW_API_KEY", "deployed"}};
  EXPECT_EQ(find(Kind::openai)->text, "deployed");
  variables["OPENAI_API_KEY"] = "vendor";
  EXPECT_EQ(find(Kind::openai)->text, "vendor");
  variables["PARLANCE_API_KEY"] = "ours";
  EXPECT_EQ(find(Kind::openai)->text, "ours");
}

TEST_F(ApiKeys, BlanksAroundAreNotOfTheKeyAndBlanksAloneAreNone) {
  variables = {{"PARLANCE_API_KEY", " \t\n"}, {"OPENAI_API_KEY", " sk \n"}};
  const auto key = find(Kind::openai);
  EXPECT_EQ(key->text, "sk");
  EXPECT_EQ(key->origin, "OPENAI_API_KEY");
}

TEST_F(ApiKeys, NoneIsRightForServersOfThisMachine) {
  const auto none = find(Kind::openai);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->text, "");
  EXPECT_EQ(none->origin, "");
}

TEST_F(ApiKeys, AFileCountsMoreThanEveryVariable) {
  variables = {{"PARLANCE_API_KEY", "ours"}};
  const std::string path = file("sk-file\n");
  const auto key = find(Kind::anthropic, path);
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(key->text, "sk-file");
  EXPECT_EQ(key->origin, "the file " + path);
  EXPECT_TRUE(asked.empty());
}

TEST_F(ApiKeys, AByteOrderMarkIsNoPartOfTheKey) {
  const auto none = [](std::string_view) { return std::optional<std::string>(); };
  EXPECT_EQ(find_api_key(Kind::openai, none, file("\xef\xbb\xbfkey\r\n"))->text, "key");
}

TEST_F(ApiKeys, AFileThatOthersMayReadIsRefusedWithTheCure) {
  for (const unsigned mode : {0644U, 0640U, 0604U, 0620U, 0601U}) {
    const auto key = find(Kind::openai, file("sk-secret", mode));
    ASSERT_FALSE(key) << std::oct << mode;
    EXPECT_EQ(key.error().code, Errc::denied);
    EXPECT_THAT(key.error().message, HasSubstr("chmod 600"));
    EXPECT_THAT(key.error().message, Not(HasSubstr("sk-secret")));
  }
}

TEST_F(ApiKeys, AFileWithoutAKeyIsNoWayAround) {
  variables = {{"PARLANCE_API_KEY", "ours"}};
  EXPECT_THAT(find(Kind::openai, file(" \n")).error().message, HasSubstr("is empty"));
  EXPECT_EQ(find(Kind::openai, "/nowhere/key").error().code, Errc::not_found);
  EXPECT_THAT(find(Kind::openai, std::filesystem::temp_directory_path().string()).error().message, HasSubstr("is no file"));
}

TEST(Kinds, HaveNames) {
  for (const Kind kind : {Kind::rehearsal, Kind::openai, Kind::anthropic}) EXPECT_EQ(kind_from(to_string(kind)), kind);
  for (const char* other : {"", "none", "OpenAI", "gpt"}) EXPECT_EQ(kind_from(other), std::nullopt) << other;
}

}  // namespace
}  // namespace parlance::model

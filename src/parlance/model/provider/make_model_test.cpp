// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/make_model.h"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <gtest/gtest.h>

namespace parlance::model {
namespace {

std::optional<std::string> no_variable(std::string_view) { return std::nullopt; }

class KeyFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "parlance_key_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(std::string_view text, mode_t mode) {
    const std::string path = folder_ + "/key";
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }
  std::string folder_;
};

TEST_F(KeyFile, IsReadWithoutItsNewline) {
  const auto key = find_api_key(Kind::openai, no_variable, write("sk-1\n", 0600));
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(key->text, "sk-1");
  EXPECT_NE(key->origin.find(folder_), std::string::npos);
}

TEST_F(KeyFile, ThatOthersMayReadIsRefused) {
  const auto key = find_api_key(Kind::openai, no_variable, write("sk-1\n", 0644));
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, Errc::denied);
  EXPECT_NE(key.error().message.find("chmod 600"), std::string::npos);
}

TEST_F(KeyFile, ThatIsMissingOrEmptyIsNamed) {
  EXPECT_NE(find_api_key(Kind::openai, no_variable, folder_ + "/none").error().message.find("/none"), std::string::npos);
  EXPECT_EQ(find_api_key(Kind::openai, no_variable, write(" \n", 0600)).error().code, Errc::invalid_params);
}

TEST(MakeModel, EachKindByItsName) {
  for (const Kind kind : {Kind::rehearsal, Kind::openai, Kind::anthropic}) EXPECT_EQ(kind_from(to_string(kind)), kind);
  EXPECT_FALSE(kind_from("gpt"));
}

TEST(MakeModel, TheDefaultNeedsNothingAndSaysWhatItIs) {
  Loop loop(Loop::Time::virtual_);
  const auto model = make_model(loop, {});
  ASSERT_TRUE(model);
  EXPECT_TRUE((*model)->scripted());
  EXPECT_EQ((*model)->name(), "rehearsal");
}

TEST(MakeModel, AVendorWithoutAKeyNamesTheVariables) {
  Loop loop(Loop::Time::virtual_);
  const auto model = make_model(loop, {.kind = Kind::anthropic});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, Errc::denied);
  EXPECT_NE(model.error().message.find("PARLANCE_API_KEY or ANTHROPIC_API_KEY"), std::string::npos);
}

TEST(MakeModel, ALocalServerNeedsNoKey) {
  Loop loop(Loop::Time::virtual_);
  const auto model = make_model(loop, {.kind = Kind::openai, .url = "http://127.0.0.1:1", .name = "qwen"});
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->name(), "qwen");
  EXPECT_FALSE((*model)->scripted());
  EXPECT_EQ(make_model(loop, {.kind = Kind::openai, .url = "127.0.0.1:1"}).error().code, Errc::invalid_params);
}

}  // namespace
}  // namespace parlance::model

// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/settings_file.h"

#include <filesystem>
#include <set>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/driver/iflow/limits.h"
#include "tests/support/programs.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(IflowSettings, PathFollowsIflowHome) {
  EXPECT_EQ(iflow_settings_path("", "/home/ada"), "/home/ada/.iflow/settings.json");
  EXPECT_EQ(iflow_settings_path("/srv/iflow", "/home/ada"), "/srv/iflow/settings.json");
  EXPECT_EQ(iflow_settings_path("", ""), "");
}

TEST(IflowSettings, OtherMembersStayByteForByte) {
  const std::string document =
      "{\n  \"theme\" : \"x\\u00e9\",\n  \"big\": 123456789012345678901234567890.10,\n"
      "  \"modelName\": \"old\",\n  \"list\": [1,2 ,3]\n}\n";
  EXPECT_EQ(*changed_settings(document, {.model = "glm-5"}),
            "{\n  \"theme\" : \"x\\u00e9\",\n  \"big\": 123456789012345678901234567890.10,\n"
            "  \"modelName\": \"glm-5\",\n  \"list\": [1,2 ,3]\n}\n");
  EXPECT_EQ(*changed_settings(document, {}), document);
  EXPECT_EQ(*changed_settings(document, {.model = "m", .base_url = "http://h/v1", .api_key = "k\"1"}),
            "{\n  \"theme\" : \"x\\u00e9\",\n  \"big\": 123456789012345678901234567890.10,\n  \"modelName\": \"m\",\n"
            "  \"list\": [1,2 ,3],\n  \"baseUrl\": \"http://h/v1\",\n  \"apiKey\": \"k\\\"1\"\n}\n");
}

TEST(IflowSettings, EmptyDocumentBecomesAnObject) {
  for (const char* document : {"", "  \n", "{}", "{ }", "{\n}\n"}) {
    const auto text = changed_settings(document, {.model = "m", .api_key = "k"});
    ASSERT_TRUE(text) << document;
    EXPECT_EQ(*json::parse(*text), *json::parse(R"({"modelName":"m","apiKey":"k"})")) << *text;
  }
  EXPECT_EQ(*changed_settings(R"({"a":1})", {.model = "m"}), R"({"a":1, "modelName": "m"})");
}

TEST(IflowSettings, OnlyMembersOfTheDocumentItselfAreMeant) {
  EXPECT_EQ(*changed_settings(R"({"mcp":{"modelName":"inner"},"modelName":1})", {.model = "m"}),
            R"({"mcp":{"modelName":"inner"},"modelName":"m"})");
  EXPECT_EQ(*changed_settings(R"({"modelName":"a","modelName":"b"})", {.model = "m"}), R"({"modelName":"m","modelName":"m"})");
  EXPECT_EQ(*changed_settings(R"({"model\u004eame":"a"})", {.model = "m"}), R"({"model\u004eame":"m"})");
}

TEST(IflowSettings, NonObjectIsAnError) {
  for (const char* document : {"{", "[]", "\"x\"", "{} x", "{\"a\":}", "// comment\n{}", "\xff{}"})
    EXPECT_EQ(changed_settings(document, {.model = "m"}).error().code, Errc::invalid_request) << document;
}

// Any prefix of a document gives an error, or a document with the change.
TEST(IflowSettings, AnyPartOfADocumentIsSurvived) {
  const std::string document = R"({"a":[1,{"b":"x"}],"modelName":"old","c":{"d":null}})";
  for (std::size_t length = 0; length <= document.size(); ++length) {
    const auto text = changed_settings(document.substr(0, length), {.model = "new", .base_url = "u"});
    if (!text) continue;
    const json::Value value = *json::parse(*text);
    EXPECT_EQ(value.text_or("modelName", ""), "new") << length;
    EXPECT_EQ(value.text_or("baseUrl", ""), "u") << length;
  }
}

class IflowSettingsFile : public testing::Test {
 protected:
  IflowSettingsFile() {
    std::string name = testing::TempDir() + "iflow.XXXXXX";
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ + "/.iflow/settings.json";
  }
  ~IflowSettingsFile() override { std::filesystem::remove_all(folder_); }
  void put(std::string_view text) {
    std::filesystem::create_directory(folder_ + "/.iflow");
    test::write_file(path_, text);
  }
  std::set<std::string> files() const {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/.iflow")) out.insert(entry.path().filename());
    return out;
  }
  std::string folder_;
  std::string path_;
};

TEST_F(IflowSettingsFile, NewFileIsPrivate) {
  const auto written = write_iflow_settings(path_, {.model = "m", .api_key = "secret"});
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(written->changed);
  EXPECT_EQ(test::mode_of(path_), 0600U);
  EXPECT_EQ(test::mode_of(folder_ + "/.iflow"), 0700U);
  EXPECT_EQ(files(), std::set<std::string>{"settings.json"});
  EXPECT_EQ(json::parse(test::read_file(path_))->text_or("apiKey", ""), "secret");
}

TEST_F(IflowSettingsFile, EqualFileIsNotWritten) {
  put(R"({"modelName":"m","x":1})");
  const auto before = std::filesystem::last_write_time(path_);
  EXPECT_FALSE(write_iflow_settings(path_, {.model = "m"})->changed);
  EXPECT_FALSE(write_iflow_settings(path_, {})->changed);
  EXPECT_EQ(std::filesystem::last_write_time(path_), before);
}

TEST_F(IflowSettingsFile, PermissionsOfAnOpenFileAreTightened) {
  put(R"({"x":1})");
  ::chmod(path_.c_str(), 0644);
  EXPECT_TRUE(write_iflow_settings(path_, {.api_key = "k"})->changed);
  EXPECT_EQ(test::mode_of(path_), 0600U);
}

TEST_F(IflowSettingsFile, UnreadableFileIsKeptWithADate) {
  for (const std::string& broken : {std::string("{\"mine\": tru"), std::string(limits::iflow_settings_bytes + 1, ' ')}) {
    put(broken);
    const auto written = write_iflow_settings(path_, {.model = "m"}, *from_rfc3339("2026-03-01T09:30:00Z"));
    ASSERT_TRUE(written);
    ASSERT_TRUE(written->kept_at);
    EXPECT_THAT(*written->kept_at, MatchesRegex(".*/settings.json.unreadable-2026-03-01T09-30-00.000Z(-1)?"));
    EXPECT_EQ(test::read_file(*written->kept_at), broken);
    EXPECT_EQ(json::parse(test::read_file(path_))->text_or("modelName", ""), "m");
  }
  EXPECT_EQ(files().size(), 3U);
}

TEST_F(IflowSettingsFile, LinkStaysALink) {
  put("{}");
  std::filesystem::rename(path_, folder_ + "/elsewhere.json");
  std::filesystem::create_symlink(folder_ + "/elsewhere.json", path_);
  EXPECT_TRUE(write_iflow_settings(path_, {.model = "m"})->changed);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_THAT(test::read_file(folder_ + "/elsewhere.json"), HasSubstr("\"m\""));
}

TEST_F(IflowSettingsFile, FailedWriteLeavesTheFileUnchanged) {
  EXPECT_EQ(write_iflow_settings("", {.model = "m"}).error().code, Errc::not_found);
  std::filesystem::create_directories(path_);  // a folder with this name
  EXPECT_FALSE(write_iflow_settings(path_, {.model = "m"}));
  EXPECT_TRUE(std::filesystem::is_directory(path_));
  EXPECT_THAT(files(), ::testing::SizeIs(1));
}

}  // namespace
}  // namespace parlance::driver

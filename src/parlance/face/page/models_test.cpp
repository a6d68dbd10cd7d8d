// SPDX-License-Identifier: Apache-2.0
// Connections to language models, saved and removed by a page.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/face/page/test_support.h"

namespace parlance::face {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* secret = "sk-0123456789-hidden";

class PageModelsTest : public testing::Test, protected hub::test::Bench {
 protected:
  PageModelsTest() {
    page.ready();
    ::setenv("GEMINI_API_KEY", secret, 1);
    ::setenv("OTHER_SECRET", secret, 1);
  }
  ~PageModelsTest() override {
    ::unsetenv("GEMINI_API_KEY");
    ::unsetenv("OTHER_SECRET");
    std::filesystem::remove_all(folder);
  }
  static std::string made_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "parlance-page-models-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    return name;
  }
  // A connection of the vendor "other"; `more`: further or repeated members, of which the last counts.
  json::Value save(const std::string& more, const std::string& type = "save_model") {
    return page.answer(page.request(
        type,
        R"("connection":{"name":"a","vendor":"other","url":"https://h.example/v1","dialect":"openai","model":"m")" + more + "}"));
  }
  std::string stored_key() const {
    const auto stored = model::read_connections(folder);
    return stored && stored->used() != nullptr ? stored->used()->key : "(none)";
  }
  bool no_message_contains_the_key() const {
    for (const json::Value& message : page.received)
      if (json::to_text(message).find(secret) != std::string::npos) return false;
    return true;
  }

  std::string folder = made_folder();
  PageServer server{loop, {.home = "/home/ann", .models = {.folder = folder, .fixed_by = "flag --model"}}};
  test::TestPage page{loop, server, *hub};
};

TEST_F(PageModelsTest, AKeyIsStoredAndNeverReturns) {
  const json::Value saved = save(std::string(R"(,"key":")") + secret + '"');
  ASSERT_EQ(saved.text_or("type", ""), "done") << json::to_text(saved);
  const json::Value& connection = saved.find("value")->find("connections")->array()->front();
  EXPECT_TRUE(connection.boolean_or("has_key", false));
  EXPECT_TRUE(connection.boolean_or("used", false));
  EXPECT_EQ(saved.find("value")->text_or("fixed_by", ""), "flag --model");
  EXPECT_EQ(stored_key(), secret);
  EXPECT_TRUE(no_message_contains_the_key());
}

TEST_F(PageModelsTest, AStoredKeyStaysForTheSameAddressOnly) {
  save(std::string(R"(,"key":")") + secret + '"');
  save(R"(,"model":"other")");
  EXPECT_EQ(stored_key(), secret);
  save(R"(,"url":"https://elsewhere.example/v1")");
  EXPECT_EQ(stored_key(), "");
}

TEST_F(PageModelsTest, AKeyFileStaysForTheSameAddressOnlyAndComesFromNoPage) {
  ASSERT_TRUE(model::change_connections(folder, [](model::Connections& all) -> Result<void> {
    all.put({.name = "a", .vendor = "other", .url = "https://h.example/v1", .key_file = "/keys/a"});
    return {};
  }));
  const auto stored_file = [&] { return model::read_connections(folder)->used()->key_file; };
  const json::Value saved = save(R"(,"model":"other")");
  EXPECT_TRUE(saved.find("value")->find("connections")->array()->front().boolean_or("has_key", false));
  EXPECT_EQ(stored_file(), "/keys/a");
  save(R"(,"key_file":"/etc/passwd")");
  EXPECT_EQ(stored_file(), "/keys/a");
  save(R"(,"url":"https://elsewhere.example/v1")");
  EXPECT_EQ(stored_file(), "");
}

TEST_F(PageModelsTest, APermissionForHttpStaysForTheSameAddressOnly) {
  const std::string plain = R"(,"url":"http://h.example/v1")";
  EXPECT_EQ(save(plain + R"(,"unencrypted":true)").text_or("type", ""), "done");
  EXPECT_EQ(save(plain + R"(,"model":"other")").text_or("type", ""), "done");
  EXPECT_EQ(save(plain + R"(,"unencrypted":false)").text_or("code", ""), "invalid_params");
  EXPECT_EQ(save(R"(,"url":"http://elsewhere.example/v1")").text_or("code", ""), "invalid_params");
}

TEST_F(PageModelsTest, OnlyAUsualVariableOfTheVendorIsStoredByItsName) {
  const std::string gemini = R"(,"vendor":"gemini","url":"https://generativelanguage.googleapis.com/v1beta/openai")";
  EXPECT_EQ(save(R"(,"key_variable":"OTHER_SECRET")").text_or("code", ""), "invalid_params");
  EXPECT_EQ(save(gemini + R"(,"key_variable":"OTHER_SECRET")").text_or("code", ""), "invalid_params");
  EXPECT_EQ(save(R"(,"vendor":"gemini","key_variable":"GEMINI_API_KEY")").text_or("code", ""), "invalid_params");
  EXPECT_EQ(save(gemini + R"(,"key_variable":"")").text_or("code", ""), "invalid_params");
  EXPECT_EQ(stored_key(), "(none)");
  EXPECT_EQ(save(gemini + R"(,"key_variable":"GEMINI_API_KEY")").text_or("type", ""), "done");
  const auto stored_variable = [&] { return model::read_connections(folder)->used()->key_variable; };
  EXPECT_EQ(stored_variable(), "GEMINI_API_KEY");
  EXPECT_EQ(stored_key(), "") << "the value stays in the environment";
  EXPECT_EQ(save(gemini + R"(,"model":"other")").text_or("type", ""), "done");
  EXPECT_EQ(stored_variable(), "GEMINI_API_KEY");
  EXPECT_EQ(save(R"(,"url":"https://elsewhere.example/v1")").text_or("type", ""), "done");
  EXPECT_EQ(stored_variable(), "") << "a key goes to its own address only";
  EXPECT_TRUE(no_message_contains_the_key());
}

TEST_F(PageModelsTest, EachOddMemberIsRefusedAndStoresNothing) {
  for (const char* more :
       {R"(,"name":"A")", R"(,"name":"")", R"(,"name":null)", R"(,"name":7)", R"(,"vendor":"acme")", R"(,"vendor":"")",
        R"(,"url":"")", R"(,"url":"http://h.example/v1")", R"(,"url":"https://u:p@h.example/v1")", R"(,"url":null)",
        R"(,"dialect":"rehearsal")", R"(,"dialect":"")", R"(,"dialect":7)", R"(,"model":"a b")", R"(,"key":"a b")", R"(,"key":7)",
        R"(,"unencrypted":"true")", R"(,"vendor":"openai")"}) {
    for (const char* type : {"save_model", "test_model", "list_models"})
      EXPECT_EQ(save(more, type).text_or("type", ""), "failed") << more;
  }
  EXPECT_EQ(stored_key(), "(none)");
  EXPECT_EQ(save(R"(,"url":"http://h.example/v1","unencrypted":true)").text_or("type", ""), "done");
}

TEST_F(PageModelsTest, ARemovedConnectionIsGoneWithItsKey) {
  save(std::string(R"(,"key":")") + secret + '"');
  EXPECT_EQ(page.answer(page.request("remove_model", R"("name":"a")")).text_or("type", ""), "done");
  EXPECT_EQ(stored_key(), "(none)");
  EXPECT_EQ(page.code(page.request("remove_model", R"("name":"a")")), "not_found");
}

TEST_F(PageModelsTest, ThePageConnectsNoModelWithoutAFolder) {
  PageServer without(loop, {.home = "/home/ann"});
  test::TestPage other(loop, without, *hub);
  other.ready();
  EXPECT_EQ(other.code(other.request("models")), "unknown_method");
}

}  // namespace
}  // namespace parlance::face

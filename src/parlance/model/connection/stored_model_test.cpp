// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/stored_model.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Otherwise final : public Model {
 public:
  Task<Result<Completion>> chat(ChatRequest, ChunkSink&) override { co_return Completion{.content = "rehearsed"}; }
  std::string_view name() const override { return "otherwise"; }
  bool scripted() const override { return true; }
};

class StoredModelTest : public testing::Test {
 protected:
  StoredModelTest() {
    std::string name = (std::filesystem::temp_directory_path() / "parlance-stored-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  ~StoredModelTest() override { std::filesystem::remove_all(folder); }
  void use(const std::string& model) const {
    EXPECT_TRUE(change_connections(folder, [&](Connections& all) -> Result<void> {
      all.put({.name = "local", .vendor = "other", .url = "http://127.0.0.1:1/v1", .model = model});
      return {};
    }));
  }
  Result<Completion> chat(Model& model) {
    NoChunks chunks;
    return loop.block_on(model.chat({.messages = {{.content = "hi"}}}, chunks));
  }

  Loop loop;
  std::string folder;
};

TEST_F(StoredModelTest, WithoutAConnectionTheOtherModelAnswers) {
  StoredModel model(loop, folder, "", std::make_unique<Otherwise>());
  EXPECT_TRUE(model.scripted());
  EXPECT_EQ(chat(model)->content, "rehearsed");
}

TEST_F(StoredModelTest, EachChangeOfTheFileAppliesAtOnce) {
  StoredModel model(loop, folder, "", std::make_unique<Otherwise>());
  EXPECT_EQ(model.name(), "otherwise");
  use("first");
  EXPECT_EQ(model.name(), "first");
  EXPECT_FALSE(model.scripted());
  use("second");
  EXPECT_EQ(model.name(), "second");
  std::filesystem::remove(connections_path(folder));
  EXPECT_EQ(model.name(), "otherwise");
}

TEST_F(StoredModelTest, EachChangeOfTheKeyFileAppliesAtOnce) {
  const std::string key_file = folder + "/key";
  EXPECT_TRUE(change_connections(folder, [&](Connections& all) -> Result<void> {
    all.put({.name = "work", .vendor = "other", .url = "http://127.0.0.1:1/v1", .model = "m", .key_file = key_file});
    return {};
  }));
  StoredModel model(loop, folder, "", std::make_unique<Otherwise>());
  EXPECT_THAT(chat(model).error().message, AllOf(StartsWith("the model connection work: the key cannot be read: "),
                                                 HasSubstr(key_file), HasSubstr("parlance model add")));
  std::ofstream(key_file) << "first";
  std::filesystem::permissions(key_file, std::filesystem::perms(0600));
  EXPECT_EQ(model.name(), "m") << "the key is there now, without a change of the connections";
  std::filesystem::permissions(key_file, std::filesystem::perms(0644));
  EXPECT_THAT(chat(model).error().message, HasSubstr("chmod 600"));
  std::filesystem::remove(key_file);
  EXPECT_THAT(chat(model).error().message, HasSubstr("No such file"));
}

TEST_F(StoredModelTest, ANameOfTheSettingsHasPrecedence) {
  use("first");
  const StoredModel model(loop, folder, "named", std::make_unique<Otherwise>());
  EXPECT_EQ(model.name(), "named");
}

TEST_F(StoredModelTest, AnUnusableFileFailsTheChatAndNoEarlierModelAnswers) {
  StoredModel model(loop, folder, "", std::make_unique<Otherwise>());
  use("first");
  EXPECT_EQ(model.name(), "first");
  std::ofstream(connections_path(folder)) << "{";
  const auto answer = chat(model);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr(connections_path(folder)));
  EXPECT_FALSE(model.scripted());
  std::filesystem::remove(connections_path(folder));
  EXPECT_TRUE(chat(model));
}

}  // namespace
}  // namespace parlance::model

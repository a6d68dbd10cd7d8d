// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/offered_folders.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::workspace {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct OfferedFoldersTest : ::testing::Test {
  OfferedFoldersTest() {
    std::string pattern = (fs::temp_directory_path() / "offered-XXXXXX").string();
    root = fs::canonical(::mkdtemp(pattern.data())).string();
    for (const char* folder : {"/farm/below", "/farmer", "/secret"}) fs::create_directories(root + folder);
    fs::create_directory_symlink(root + "/secret", root + "/farm/out");
    fs::create_directory_symlink(root + "/farm", root + "/name");
    fs::create_directory_symlink("below", root + "/farm/in");
  }
  ~OfferedFoldersTest() override { fs::remove_all(root); }

  Loop loop;
  std::string root;
};

TEST_F(OfferedFoldersTest, OnlyOfferedFoldersAndTheirContentsByRealPath) {
  const std::vector<std::string> folders = OfferedFolders::real({root + "/name"}).value();
  EXPECT_THAT(folders, ElementsAre(root + "/farm"));
  OfferedFolders all(loop, folders);
  const auto found = [&](const std::string& folder) { return loop.block_on(all.find(folder)); };
  EXPECT_EQ(found(root + "/farm").value_or(""), root + "/farm");
  EXPECT_EQ(found(root + "/name/below").value_or(""), root + "/farm/below");
  EXPECT_EQ(found(root + "/farm/in").value_or(""), root + "/farm/below");
  for (const std::string& folder : {root + "/farmer", root, root + "/farm/out", root + "/farm/../secret", std::string("/")}) {
    const auto refused = found(folder);
    ASSERT_FALSE(refused) << folder;
    EXPECT_EQ(refused.error().code, Errc::denied) << folder;
    EXPECT_THAT(refused.error().message, HasSubstr("it offers " + root + "/farm"));
  }
}

// Errors reveal no other paths of the machine.
TEST_F(OfferedFoldersTest, AMissingFolderIsReportedOnlyIfOffered) {
  OfferedFolders all(loop, {root + "/farm"});
  EXPECT_EQ(loop.block_on(all.find(root + "/farm/none")).error().code, Errc::not_found);
  EXPECT_EQ(loop.block_on(all.find(root + "/none")).error().code, Errc::denied);
  EXPECT_EQ(loop.block_on(all.find(root + "/farm/out/none")).error().code, Errc::denied);
}

TEST_F(OfferedFoldersTest, AMissingFolderAndTheRootCannotBeOffered) {
  EXPECT_THAT(OfferedFolders::real({root + "/none"}).error().message, HasSubstr("is no folder"));
  EXPECT_THAT(OfferedFolders::real({"/"}).error().message, HasSubstr("name the folders of your projects"));
  EXPECT_THAT(OfferedFolders::real({root + "/farm", root + "/name"}).value(), ElementsAre(root + "/farm"));
}

}  // namespace
}  // namespace parlance::workspace

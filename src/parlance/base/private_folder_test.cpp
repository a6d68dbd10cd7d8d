// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/private_folder.h"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <gmock/gmock.h>

namespace parlance {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PrivateFolder : public testing::Test {
 protected:
  PrivateFolder() {
    std::string pattern = testing::TempDir() + "/folder_XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~PrivateFolder() override { fs::remove_all(folder); }
  std::string folder;
};

TEST_F(PrivateFolder, EachMissingFolderIsForItsOwnerAloneForAnyUmask) {
  const mode_t before = ::umask(0);
  const auto made = make_private_folders(folder + "/a/b/");
  ::umask(before);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(fs::status(folder + "/a").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(folder + "/a/b").permissions(), fs::perms::owner_all);
}

TEST_F(PrivateFolder, AnExistingFolderKeepsItsMode) {
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  EXPECT_TRUE(make_private_folders(folder));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms(0755));
}

TEST_F(PrivateFolder, AFileInTheWayIsNamed) {
  std::ofstream(folder + "/file") << "x";
  for (const char* path : {"/file", "/file/below"}) {
    const auto made = make_private_folders(folder + path);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr(fs::path(folder + "/file").lexically_normal().string()));
  }
}

}  // namespace
}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/folder_check.h"

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/agent_info.h"

namespace parlance::workspace {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct FolderCheckTest : ::testing::Test {
  Result<std::string> folder_for(const std::string& agent, const std::string& folder) {
    return loop.block_on(check.resolve_for(agents, agent, folder));
  }
  Loop loop;
  FolderCheck check{loop, "/home/mira"};
  const std::vector<hub::AgentInfo> agents{
      {.id = "here"}, {.id = "box/claude", .runner = "box", .folders = std::vector<std::string>{"/far/shop", "/far/site"}}};
};

TEST_F(FolderCheckTest, OfAnAgentHereTheDiskIsLookedAt) {
  EXPECT_EQ(folder_for("here", "/tmp/../tmp/").value_or(""), "/tmp");
  EXPECT_EQ(folder_for("here", "/far/shop").error().code, Errc::not_found);
  EXPECT_EQ(folder_for("unknown", "/far/shop").error().code, Errc::not_found);
}

TEST_F(FolderCheckTest, AFolderBehindALinkIsKnownByItsRealPath) {
  std::string base = (fs::temp_directory_path() / "folder_check_XXXXXX").string();
  ASSERT_NE(::mkdtemp(base.data()), nullptr);
  base = fs::canonical(base).string();
  fs::create_directories(base + "/real/below");
  fs::create_symlink("real", base + "/link");
  EXPECT_EQ(folder_for("here", base + "/link/below/").value_or(""), base + "/real/below");
  EXPECT_EQ(folder_for("here", base + "/link").value_or(""), base + "/real");
  fs::remove_all(base);
}

TEST_F(FolderCheckTest, OfOneElsewhereItMustBeOffered) {
  EXPECT_EQ(folder_for("box/claude", "/far/shop").value_or(""), "/far/shop");
  EXPECT_EQ(folder_for("box/claude", "/far/site/below/").value_or(""), "/far/site/below");
  EXPECT_EQ(folder_for("box/claude", "").value_or(""), "/far/shop");
  for (const char* folder : {"/tmp", "/far", "/far/shopping", "/far/shop/../other", "far/shop", "~"})
    EXPECT_THAT(folder_for("box/claude", folder).error().message,
                AllOf(HasSubstr("the runner box does not offer"), HasSubstr("/far/shop, /far/site")))
        << folder;
}

}  // namespace
}  // namespace parlance::workspace

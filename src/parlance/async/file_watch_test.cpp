// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/file_watch.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/async/channel.h"

namespace parlance {
namespace {

class FileWatchTest : public testing::Test {
 protected:
  static std::string made_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "parlance-watch-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    return name;
  }
  ~FileWatchTest() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name) const { std::ofstream(folder + "/" + name) << name; }

  Loop loop;
  std::string folder = made_folder();
  Channel<int> reports{loop, 16};
  FileWatch watch{loop, folder, "watched", [this] { reports.try_push(1); }};
};

TEST_F(FileWatchTest, ReportsWritesReplacementsAndRemovals) {
  write("watched");
  EXPECT_TRUE(loop.block_on(reports.pop()));
  write("other");
  std::filesystem::rename(folder + "/other", folder + "/watched");
  EXPECT_TRUE(loop.block_on(reports.pop()));
  std::filesystem::remove(folder + "/watched");
  EXPECT_TRUE(loop.block_on(reports.pop()));
}

TEST_F(FileWatchTest, OtherFilesCauseNoReport) {
  write("other");
  write("watched");
  EXPECT_TRUE(loop.block_on(reports.pop()));
  EXPECT_FALSE(reports.try_pop());
}

}  // namespace
}  // namespace parlance

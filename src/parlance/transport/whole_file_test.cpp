// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/whole_file.h"

#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace parlance {
namespace {

TEST(WholeFile, IsReadUnchanged) {
  const std::string path = testing::TempDir() + "/whole_file_" + std::to_string(::getpid());
  const std::string text = std::string(200'000, 'x') + '\0' + "\n";
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(read_whole_file(path), text);
  std::ofstream(path, std::ios::binary | std::ios::trunc).flush();
  EXPECT_EQ(read_whole_file(path), "");
}

TEST(WholeFile, AnUnreadableFileIsAnErrorWithItsPlace) {
  EXPECT_EQ(read_whole_file("/no/such/file").error().code, Errc::not_found);
  const auto folder = read_whole_file("/tmp");
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("read /tmp"), std::string::npos) << folder.error().message;
}

}  // namespace
}  // namespace parlance

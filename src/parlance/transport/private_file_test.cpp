// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/private_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <thread>

#include <gmock/gmock.h>

namespace parlance {
namespace {

using testing::HasSubstr;

class PrivateFiles : public testing::Test {
 protected:
  PrivateFiles() {
    std::string pattern = testing::TempDir() + "/private_XXXXXX";
    folder = ::mkdtemp(pattern.data());
  }
  ~PrivateFiles() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string path(std::string_view name) const { return folder + "/" + std::string(name); }
  static std::string read(const std::string& at) {
    std::ostringstream text;
    text << std::ifstream(at).rdbuf();
    return text.str();
  }
  static unsigned mode_of(const std::string& at) {
    struct stat status{};
    return ::lstat(at.c_str(), &status) == 0 ? status.st_mode & 0777U : 0U;
  }
  std::size_t entries() const { return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {})); }
  std::string folder;
};

TEST_F(PrivateFiles, AFileIsForItsOwnerAloneWithAnyUmask) {
  const mode_t before = ::umask(0);
  const auto written = write_private_file(path("ready.json"), "secret\n");
  ::umask(before);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(mode_of(path("ready.json")), 0600U);
  EXPECT_EQ(read(path("ready.json")), "secret\n");
  EXPECT_EQ(entries(), 1U) << "nothing is left beside it";
}

// An existing file under the name: a link is replaced, never written through.
TEST_F(PrivateFiles, ALinkInTheWayIsNotWrittenThrough) {
  std::ofstream(path("theirs")) << "untouched";
  std::filesystem::create_symlink(path("theirs"), path("ready.json"));
  ASSERT_TRUE(write_private_file(path("ready.json"), "secret"));
  EXPECT_EQ(read(path("theirs")), "untouched");
  EXPECT_FALSE(std::filesystem::is_symlink(path("ready.json")));
  // An older file with public permissions becomes private for later readers.
  std::filesystem::permissions(path("ready.json"), std::filesystem::perms(0666));
  ASSERT_TRUE(write_private_file(path("ready.json"), "new"));
  EXPECT_EQ(mode_of(path("ready.json")), 0600U);
}

TEST_F(PrivateFiles, AFailedWriteLeavesNoFile) {
  std::filesystem::create_directories(path("folder/inner"));
  EXPECT_FALSE(write_private_file(path("folder"), "text"));
  EXPECT_FALSE(write_private_file(path("none/ready.json"), "text"));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(PrivateFiles, APrivateFileIsReadUpToTheLimit) {
  const auto absent = read_private_file(path("keys"), 6);
  ASSERT_TRUE(absent);
  EXPECT_FALSE(*absent);
  ASSERT_TRUE(write_private_file(path("keys"), "secret"));
  const auto whole = read_private_file(path("keys"), 6);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(*whole, "secret");
  const auto too_large = read_private_file(path("keys"), 5);
  ASSERT_FALSE(too_large);
  EXPECT_THAT(too_large.error().message, HasSubstr("too large"));
  ASSERT_TRUE(write_private_file(path("keys"), ""));
  EXPECT_EQ(*read_private_file(path("keys"), 6), "") << "an empty file is no absent file";
}

TEST_F(PrivateFiles, AFileOfUncertainOriginIsNotRead) {
  ASSERT_TRUE(write_private_file(path("good"), "secret"));
  std::filesystem::create_symlink(path("good"), path("link"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(path("inner"));
  ASSERT_TRUE(write_private_file(path("open"), "secret"));
  ASSERT_EQ(::chmod(path("open").c_str(), 0640), 0);
  for (const auto& [name, why] : {std::pair{"link", "is a link"}, std::pair{"pipe", "is a special file"},
                                  std::pair{"inner", "is a special file"}, std::pair{"open", "chmod 600"}}) {
    const auto refused = read_private_file(path(name), 100);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, Errc::denied) << name;
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr(path(name)), HasSubstr(why)));
  }
}

TEST_F(PrivateFiles, TwoWritersUnderALockLoseNoChange) {
  constexpr int changes = 50;
  const auto count = [&] {
    for (int i = 0; i < changes; ++i) {
      const auto lock = FileLock::take(path("counter.lock"));
      ASSERT_TRUE(lock) << lock.error().message;
      const auto before = read_private_file(path("counter"), 100);
      ASSERT_TRUE(before) << before.error().message;
      ASSERT_TRUE(write_private_file(path("counter"), before->value_or("") + "x"));
    }
  };
  std::thread other(count);
  count();
  other.join();
  EXPECT_EQ(read(path("counter")), std::string(std::size_t{2} * changes, 'x'));
  EXPECT_EQ(mode_of(path("counter.lock")), 0600U);
  std::filesystem::create_symlink(path("counter"), path("link.lock"));
  EXPECT_FALSE(FileLock::take(path("link.lock"))) << "a lock is never taken through a link";
}

TEST_F(PrivateFiles, AFolderIsMadeForItsOwnerAlone) {
  const auto made = keep_private_folder(path("a/b/state"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(*made, FolderCare::made);
  EXPECT_EQ(mode_of(path("a/b/state")), 0700U);
  EXPECT_EQ(keep_private_folder(path("a/b/state")), FolderCare::fine);
}

TEST_F(PrivateFiles, AnOpenFolderOfOursIsTightened) {
  std::filesystem::create_directories(path("state"));
  ASSERT_EQ(::chmod(path("state").c_str(), 0777), 0);
  EXPECT_EQ(keep_private_folder(path("state")), FolderCare::tightened);
  EXPECT_EQ(mode_of(path("state")), 0700U);
}

TEST_F(PrivateFiles, AFolderOfAnotherUserIsRefused) {
  std::filesystem::create_directories(path("state"));
  ASSERT_EQ(::chmod(path("state").c_str(), 0777), 0);
  const auto refused = keep_private_folder(path("state"), ::geteuid() + 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr(path("state")), HasSubstr("belongs to the user")));
  EXPECT_EQ(mode_of(path("state")), 0777U);
  std::ofstream(path("file")) << "x";
  EXPECT_FALSE(keep_private_folder(path("file")));
}

}  // namespace
}  // namespace parlance

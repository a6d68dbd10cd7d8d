// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/file_access.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/protocol/acp/errors.h"
#include "tests/support/programs.h"

namespace parlance::iflow {
namespace {

namespace fs = std::filesystem;
using parlance::test::read_file;

class FileAccessTest : public testing::Test {
 protected:
  FileAccessTest() {
    std::string name = testing::TempDir() + "files.XXXXXX";
    root_ = fs::canonical(::mkdtemp(name.data()));
    fs::create_directories(root_ + "/w/sub");
    fs::create_directories(root_ + "/w-sibling");
    parlance::test::write_file(root_ + "/w/a.txt", "one\ntwo\nthree\nfour\n");
    parlance::test::write_file(root_ + "/outside.txt", "secret");
    parlance::test::write_file(root_ + "/w-sibling/x", "secret");
  }
  ~FileAccessTest() override { fs::remove_all(root_); }
  FileAccess access(bool read_only = false, std::size_t max = 100, std::vector<std::string> dirs = {}) const {
    return FileAccess({.cwd = root_ + "/w", .read_only = read_only, .max_size = max, .allowed_dirs = std::move(dirs)});
  }
  std::string in(const std::string& name) const { return root_ + "/w/" + name; }
  static std::string error(const auto& result) { return result ? "no error" : result.error().message; }
  std::string root_;
};

TEST_F(FileAccessTest, AFileIsReadByAbsoluteAndRelativeName) {
  EXPECT_EQ(*access().read(in("a.txt")), "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(*access().read("a.txt"), "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(*access().read("sub/../a.txt", 2, 2), "two\nthree");
}

TEST_F(FileAccessTest, LinesCountLikeInTheSdk) {
  const std::string text = "one\ntwo\nthree\nfour\n";
  EXPECT_EQ(lines_of(text, {}, {}), text);
  EXPECT_EQ(lines_of(text, 1, 0), text);
  EXPECT_EQ(lines_of(text, 2, 2), "two\nthree");
  EXPECT_EQ(lines_of(text, 2, {}), "two\nthree\nfour\n");
  EXPECT_EQ(lines_of(text, {}, 1), "one");
  EXPECT_EQ(lines_of(text, 4, 5), "four\n");
  EXPECT_EQ(lines_of(text, 99, 2), "");
  EXPECT_EQ(lines_of(text, 0, 1), "one");
  EXPECT_EQ(lines_of("", 1, 1), "");
  EXPECT_EQ(lines_of("no end", 1, 1), "no end");
}

TEST_F(FileAccessTest, AnOutsidePathIsDenied) {
  fs::create_symlink(root_ + "/outside.txt", in("link"));
  fs::create_directory_symlink(root_, in("up"));
  for (const std::string& path : {root_ + "/outside.txt", std::string("../outside.txt"), in("link"), in("up/outside.txt"),
                                  root_ + "/w-sibling/x", in("sub/../../outside.txt"), std::string("/etc/passwd")}) {
    EXPECT_EQ(error(access().read(path)), "Access denied: " + path);
    EXPECT_EQ(error(access().write(path, "x")), "Access denied: " + path);
  }
  EXPECT_EQ(read_file(root_ + "/outside.txt"), "secret");
}

TEST_F(FileAccessTest, TheOtherErrorsHaveTheWordsOfTheSdk) {
  EXPECT_EQ(error(access().read(in("gone"))), "File not found: " + in("gone"));
  EXPECT_EQ(access().read(in("gone")).error().code, Errc::not_found);
  EXPECT_EQ(error(access().read(in("sub"))), "Not a file: " + in("sub"));
  EXPECT_EQ(error(access().write(in("sub"), "x")), "Not a file: " + in("sub"));
  EXPECT_EQ(error(access(false, 5).read("a.txt")), "File too large: 19 bytes (max: 5)");
  EXPECT_EQ(error(access(false, 5).write("b.txt", "123456")), "File too large: 6 bytes (max: 5)");
  EXPECT_EQ(acp::code_of(access(false, 5).read("a.txt").error()), -32603);
  EXPECT_EQ(acp::code_of(access().read(in("sub")).error()), -32603);
  EXPECT_EQ(error(access(true).write("b.txt", "x")), "File system is in read-only mode");
  EXPECT_FALSE(fs::exists(in("b.txt")));
  EXPECT_EQ(access().read("").error().code, Errc::invalid_params);
  EXPECT_EQ(access().read(std::string("a\0b", 3)).error().code, Errc::invalid_params);
}

TEST_F(FileAccessTest, AFileIsWrittenWholeAndKeepsItsMode) {
  EXPECT_TRUE(access().write(in("new/deep/b.txt"), "hello"));
  EXPECT_EQ(read_file(in("new/deep/b.txt")), "hello");
  fs::permissions(in("a.txt"), fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  EXPECT_TRUE(access().write("a.txt", "changed"));
  EXPECT_EQ(read_file(in("a.txt")), "changed");
  EXPECT_EQ(parlance::test::mode_of(in("a.txt")), 0700U);
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ + "/w"), {}), 3) << "nothing temporary stays";
}

TEST_F(FileAccessTest, FoldersAreAllowedAndForbiddenAgain) {
  FileAccess files = access(false, 100, {root_ + "/w-sibling"});
  EXPECT_EQ(*files.read(root_ + "/w-sibling/x"), "secret");
  EXPECT_EQ(error(files.read("a.txt")), "Access denied: a.txt") << "the list says all that is allowed";
  EXPECT_TRUE(files.add_allowed_dir(root_ + "/w"));
  EXPECT_TRUE(files.read("a.txt"));
  files.remove_allowed_dir(root_ + "/w-sibling");
  EXPECT_FALSE(files.read(root_ + "/w-sibling/x"));
  EXPECT_FALSE(files.add_allowed_dir(root_ + "/none"));
  EXPECT_FALSE(access(false, 100, {root_ + "/none"}).read("a.txt"));
}

// The agent's reads run on a worker while the program changes the allowed folders. Without the lock, this crashes or TSan
// reports a race.
TEST_F(FileAccessTest, FoldersChangeWhileAnotherThreadReads) {
  FileAccess files = access(false, 100, {root_ + "/w"});
  std::atomic<bool> over = false;
  std::jthread reader([&] {
    while (!over) {
      EXPECT_TRUE(files.read(in("a.txt")));
      const auto other = files.read(root_ + "/w-sibling/x");
      EXPECT_TRUE(other || other.error().message.starts_with("Access denied")) << error(other);
    }
  });
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(files.add_allowed_dir(root_ + "/w-sibling"));
    files.remove_allowed_dir(root_ + "/w-sibling");
  }
  over = true;
}

// A file of /proc has no size, and more than nothing in it.
TEST_F(FileAccessTest, AGrowingFileIsCutOffByTheLimit) {
  FileAccess files = FileAccess({.cwd = "/proc/self", .max_size = 50});
  EXPECT_THAT(error(files.read("/proc/self/status")), ::testing::HasSubstr("File too large"));
}

}  // namespace
}  // namespace parlance::iflow

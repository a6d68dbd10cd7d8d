// SPDX-License-Identifier: Apache-2.0
// Matches of typed text and their order; the searched files.
#include "parlance/workspace/file_names.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/async/scope.h"

namespace parlance::workspace {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FileFit, CharactersInTheirOrderAnywhere) {
  EXPECT_TRUE(file_fit("src/peer/peer.cpp", "pprcpp"));
  EXPECT_TRUE(file_fit("README.md", "readme"));
  EXPECT_FALSE(file_fit("src/peer.cpp", "reep.src"));
  EXPECT_TRUE(file_fit("anything", ""));
}

TEST(FileFit, TheBestComesFirst) {
  const std::vector<std::string> paths = {"docs/speaker/notes.md", "src/peer/peer_test.cpp", "src/peer/peer.cpp",
                                          "src/peer/queue.cpp"};
  EXPECT_THAT(best_files(paths, "peer", 2), ElementsAre("src/peer/peer.cpp", "src/peer/peer_test.cpp"));
  EXPECT_THAT(best_files(paths, "pq", 1), ElementsAre("src/peer/queue.cpp"));
  EXPECT_THAT(best_files(paths, "nothing", 5), IsEmpty());
  EXPECT_EQ(best_files(paths, "", 10).size(), 4U);
}

class FileNamesTest : public testing::Test {
 protected:
  FileNamesTest() {
    for (const char* name :
         {"a.txt", "src/main.cpp", ".env", ".git/config", "node_modules/x/index.js", "build/out.o", "sub/build"})
      put(name);
  }
  ~FileNamesTest() override { fs::remove_all(root); }
  void put(const std::string& name) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << "x";
  }
  std::vector<std::string> find(std::string typed) {
    auto found = loop.block_on(names.find({.folders = {root.string()}}, std::move(typed)));
    EXPECT_TRUE(found) << found.error().message;
    return found ? found->paths : std::vector<std::string>{};
  }
  fs::path root = fs::temp_directory_path() / ("file-names-" + std::to_string(::getpid()));
  Loop loop;
  FileNames names{loop};
};

TEST_F(FileNamesTest, OfTheFolderWithoutGeneratedFiles) {
  EXPECT_THAT(find(""), testing::UnorderedElementsAre("a.txt", "src/main.cpp", ".env", "sub/build"));
  EXPECT_THAT(find("main"), ElementsAre("src/main.cpp"));
}

TEST_F(FileNamesTest, ALinkOutsideIsNotFollowed) {
  fs::create_directory_symlink("/etc", root / "outside");
  EXPECT_THAT(find("passwd"), IsEmpty());
}

TEST_F(FileNamesTest, TypingLooksOnce) {
  EXPECT_THAT(find("new"), IsEmpty());
  put("new.txt");
  EXPECT_THAT(find("new"), IsEmpty()) << "kept for a moment";
}

TEST_F(FileNamesTest, ConcurrentQueriesGetTheSameList) {
  Scope scope(loop);
  int found = 0;
  const auto ask = [&](std::string typed) -> Task<void> {
    const auto answer = co_await names.find({.folders = {root.string()}}, std::move(typed));
    found += answer && !answer->paths.empty() ? 1 : 0;
  };
  for (const char* typed : {"m", "ma", "mai", "main"}) scope.start(ask(typed));
  {
    Scope gone(loop);  // a cancelled request blocks no other
    gone.start(ask("a"));
  }
  EXPECT_TRUE(loop.run_until([&] { return found == 4; }));
}

TEST_F(FileNamesTest, ANameOutsideUtf8IsExcluded) {
  put("odd\xff.txt");
  EXPECT_THAT(find("odd"), IsEmpty());
}

TEST_F(FileNamesTest, WithoutFilesIgnoredByGit) {
  put("sub/kept.log");
  put("sub/other.log");
  put("made/x");
  std::ofstream(root / ".gitignore") << "*.log\n/made/\n";
  std::ofstream(root / "sub/.gitignore") << "!kept.log\n";
  EXPECT_THAT(find("log"), ElementsAre("sub/kept.log"));
  EXPECT_THAT(find("madex"), IsEmpty());
}

TEST_F(FileNamesTest, WithoutFilesIgnoredAboveTheFolder) {
  put("sub/a.tmp");
  put("sub/b.own");
  put("sub/deep/only.here");
  put("sub/other/x");
  std::ofstream(root / ".gitignore") << "*.tmp\n/sub/deep/\n/other\n";
  fs::create_directories(root / ".git/info");
  std::ofstream(root / ".git/info/exclude") << "b.own\n";
  auto found = loop.block_on(names.find({.folders = {(root / "sub").string()}}, ""));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->paths, testing::UnorderedElementsAre("build", "other/x")) << "of the repository's rules, seen from there";
}

TEST_F(FileNamesTest, OfFurtherFoldersByTheirWholePath) {
  const fs::path other = root / "sub";
  auto found = loop.block_on(names.find({.folders = {(root / "src").string(), other.string(), "/no/such"}}, ""));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->paths, testing::UnorderedElementsAre("main.cpp", (other / "build").string()));
}

TEST_F(FileNamesTest, WithoutFilesExcludedByAnEditor) {
  put("src/a.js");
  put("src/a.ts");
  auto found = loop.block_on(names.find({.folders = {root.string()}, .excluded = {"**/*.{js,cpp}", "sub"}}, ""));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->paths, testing::UnorderedElementsAre("a.txt", "src/a.ts", ".env"));
}

TEST_F(FileNamesTest, AMissingFolderIsReported) {
  const auto none = loop.block_on(names.find({.folders = {"/no/such/folder"}}, "a"));
  EXPECT_EQ(none.error().code, Errc::not_found);
}

}  // namespace
}  // namespace parlance::workspace

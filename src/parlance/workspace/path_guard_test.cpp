// SPDX-License-Identifier: Apache-2.0
// The real targets of paths: known tricks by hand, and random paths compared with the kernel.
#include "parlance/workspace/path_guard.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/text.h"
#include "parlance/workspace/guarded_places.h"

namespace parlance::workspace {
namespace {

namespace fs = std::filesystem;

class Guarded : public testing::TestWithParam<PathGuard::Method> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::canonical(fs::temp_directory_path()) / "parlance-guard-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    base = pattern;
    inside = base / "project";
    outside = base / "other";
    fs::create_directories(inside);
    fs::create_directories(outside);
  }
  void TearDown() override { fs::remove_all(base); }

  PathGuard guard() const { return *PathGuard::open(inside.string(), GetParam()); }
  void put(const fs::path& path) const {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
  }
  // Relative to the folder; empty: unguarded.
  std::string place(const std::string& path) const {
    const PathGuard at = guard();
    const auto found = at.guarded(at.resolve(path));
    return found ? fs::path(found->path).lexically_relative(inside).string() : "";
  }
  fs::path base;
  fs::path inside;
  fs::path outside;
};
INSTANTIATE_TEST_SUITE_P(Guards, Guarded, testing::Values(PathGuard::Method::automatic, PathGuard::Method::walk),
                         [](const auto& info) { return info.param == PathGuard::Method::automatic ? "Kernel" : "Walk"; });

TEST_P(Guarded, ALinkedFolderIsJudgedByItsTarget) {
  put(inside / ".git/config");
  fs::create_symlink(".git", inside / "docs");
  fs::create_symlink("docs", inside / "more");
  fs::create_symlink((inside / ".git").string(), inside / "absolute");
  const PathGuard at = guard();
  for (const std::string name : {"docs", "more", "absolute"}) {
    const ResolvedPath found = at.resolve(name + "/config");
    EXPECT_TRUE(found.inside) << name;
    EXPECT_EQ(found.shown, (inside / name / "config").string());
    EXPECT_EQ(found.absolute, (inside / ".git/config").string());
    EXPECT_EQ(place(name + "/config"), ".git") << name;
    EXPECT_EQ(place(name + "/hooks/pre-commit"), ".git") << name << ": a missing path";
  }
  EXPECT_EQ(place("src/a.cpp"), "");
}

TEST_P(Guarded, EverySpellingOfGitIsGit) {
  for (const std::string path : {".git/config",
                                 ".git",
                                 "sub/.git",
                                 "sub/.git/hooks/x",
                                 ".GIT/config",
                                 ".Git/x",
                                 ".git./config",
                                 ".git /config",
                                 "git~1/config",
                                 "GIT~1/config",
                                 ".git::$INDEX_ALLOCATION/config",
                                 ".git:x",
                                 ".g\u200cit/config",
                                 "\ufeff.git/config",
                                 "a/../.git/config",
                                 "./.git//config",
                                 ".git/modules/x/config",
                                 ".git/worktrees/x/gitdir",
                                 ".gitconfig",
                                 ".config/git/config"})
    EXPECT_NE(place(path), "") << path;
  for (const std::string path :
       {".github/x", ".gitignore", ".gitattributes", ".gitmodules", "git/x", "x.git", "a.git/config", "digit~1"})
    EXPECT_EQ(place(path), "") << path;
}

TEST_P(Guarded, ARepositoryForGitIsRecognised) {
  put(inside / "bare/HEAD");
  fs::create_directories(inside / "bare/objects");
  fs::create_directories(inside / "bare/refs");
  EXPECT_EQ(place("bare/config"), "bare/config");
  EXPECT_EQ(place("bare/hooks/post-checkout"), "bare/hooks");
  EXPECT_EQ(place("bare"), "");
  EXPECT_EQ(place("src/config"), "");
  fs::create_symlink("bare", inside / "docs");
  EXPECT_EQ(place("docs/config"), "bare/config");
  // A worktree's own folder.
  put(inside / "tree/HEAD");
  put(inside / "tree/commondir");
  EXPECT_EQ(place("tree/config.worktree"), "tree/config.worktree");
  // The file that makes a folder a git folder.
  put(inside / "half/HEAD");
  fs::create_directories(inside / "half/objects");
  EXPECT_EQ(place("half/config"), "");
  EXPECT_EQ(place("half/refs/heads/main"), "half/refs");
  EXPECT_EQ(place("half/Refs/x"), "half/Refs");
  EXPECT_EQ(place("half/commondir"), "half/commondir");
  // The folder itself.
  put(inside / "HEAD");
  fs::create_directories(inside / "objects");
  fs::create_directories(inside / "refs");
  EXPECT_EQ(place("config"), "config");
  EXPECT_EQ(place("src/a.cpp"), "src");
}

TEST_P(Guarded, AFolderInAGuardedPlaceIsGuardedFileByFile) {
  fs::create_directories(inside / ".git/hooks");
  const PathGuard at = *PathGuard::open((inside / ".git/hooks").string(), GetParam());
  EXPECT_EQ(at.guarded(at.resolve("pre-commit"))->path, (inside / ".git/hooks/pre-commit").string());
}

TEST_P(Guarded, TheFoldersOwnNameMayHaveLinks) {
  put(inside / "a");
  fs::create_symlink(inside, base / "link");
  const PathGuard at = *PathGuard::open((base / "link").string(), GetParam());
  for (const std::string& path : {std::string("a"), (base / "link/a").string(), (inside / "a").string()}) {
    const ResolvedPath found = at.resolve(path);
    EXPECT_TRUE(found.inside) << path;
    EXPECT_EQ(found.absolute, (base / "link/a").string());
    EXPECT_EQ(found.canonical, (inside / "a").string());
    EXPECT_TRUE(at.open_at(found, O_RDONLY)) << path;
  }
}

// Its own last component or a component above: the target of the link is not the person's chosen folder.
TEST_P(Guarded, TheRealPathOfAFolderContainsNoLink) {
  EXPECT_TRUE(PathGuard::open_real(fs::canonical(inside).string()));
  EXPECT_TRUE(PathGuard::open_real(fs::canonical(inside).string() + "/"));
  EXPECT_TRUE(PathGuard::open_real("/"));
  fs::create_symlink(fs::canonical(inside), base / "link");
  fs::create_symlink(fs::canonical(base), base / "up");
  for (const fs::path& replaced : {base / "link", base / "up" / inside.filename()}) {
    const auto guard = PathGuard::open_real(replaced.string());
    ASSERT_FALSE(guard) << replaced;
    EXPECT_EQ(guard.error().code, Errc::denied);
    EXPECT_THAT(guard.error().message, testing::HasSubstr("leads through a link to " + fs::canonical(inside).string()));
  }
}

TEST_P(Guarded, TheJudgedFileIsTheOpenedFile) {
  put(inside / "real/a");
  put(outside / "a");
  const PathGuard at = guard();
  const ResolvedPath decided = at.resolve("real/a");
  fs::rename(inside / "real", inside / "gone");
  fs::create_symlink(outside, inside / "real");
  EXPECT_EQ(at.open_at(decided, O_RDONLY).error().code, Errc::denied) << "a link came in its way";
  EXPECT_FALSE(at.open_parent(decided, true));

  const ResolvedPath allowed = at.resolve((outside / "a").string());
  EXPECT_FALSE(allowed.inside);
  EXPECT_FALSE(at.open_at(allowed, O_RDONLY));
  EXPECT_TRUE(at.open_anywhere(allowed, O_RDONLY));
  put(outside / "b");
  fs::rename(outside / "b", outside / "a");
  EXPECT_EQ(at.open_anywhere(allowed, O_RDONLY).error().code, Errc::failed) << "another file took its name";
}

TEST_P(Guarded, APathWithoutATargetIsNeverOpened) {
  fs::create_symlink("missing", inside / "dangling");
  fs::create_symlink("loop", inside / "loop");
  const PathGuard at = guard();
  for (const std::string path : {"dangling", "dangling/x", "loop", "loop/x", ""}) {
    const ResolvedPath found = at.resolve_word(path);
    EXPECT_TRUE(found.nowhere) << path;
    EXPECT_FALSE(at.open_anywhere(found, O_RDONLY)) << path;
    EXPECT_FALSE(at.open_parent(found, true)) << path;
  }
  EXPECT_TRUE(at.resolve(std::string("a\0b", 3)).nowhere);
  EXPECT_TRUE(at.resolve_word("missing/../x").nowhere) << "to a program";
  EXPECT_FALSE(at.resolve("missing/../x").nowhere) << "to us";
}

TEST_P(Guarded, AWordIsReadLikeInAProgram) {
  fs::create_directories(outside / "deep");
  put(outside / "key");
  put(inside / "key");
  fs::create_symlink(outside / "deep", inside / "link");
  const PathGuard at = guard();
  EXPECT_EQ(at.resolve("link/../key").absolute, (inside / "key").string());
  EXPECT_EQ(at.resolve_word("link/../key").absolute, (outside / "key").string());
  EXPECT_FALSE(at.resolve_word("/proc/self/root/etc").inside);
  EXPECT_EQ(at.resolve_word("/proc/self/root/etc").absolute, "/etc");
}

// ---- at random, against the kernel --------------------------------------------------------------------------------------------

class Maker {
 public:
  Maker(fs::path base, unsigned seed) : base_(std::move(base)), random_(seed) {}
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }
  std::string name() {
    static const std::vector<std::string> names{"a", "b", "c", ".git", "HEAD", "objects", "refs", "d"};
    return names[below(names.size())];
  }
  // Relative or absolute, with "..", "." and doubled slashes.
  std::string path() {
    std::string made = below(4) == 0 ? (base_ / (below(3) == 0 ? "other" : "project")).string() + "/" : "";
    for (std::size_t parts = 1 + below(5); parts > 0; --parts) {
      const std::size_t kind = below(8);
      made += kind == 0 ? ".." : kind == 1 ? "." : name();
      if (parts > 1) made += below(6) == 0 ? "//" : "/";
    }
    return made;
  }
  void tree() {
    for (int i = 0; i < 40; ++i) {
      const fs::path in = base_ / (below(4) == 0 ? "other" : "project") / (below(2) == 0 ? name() : "");
      std::error_code ignored;
      // Never through a link, which could lead anywhere: all files are made inside `base_`.
      const fs::path real = fs::canonical(in, ignored);
      if (real.empty() || !real.string().starts_with(base_.string() + "/")) continue;
      const fs::path at = real / name();
      if (fs::symlink_status(at, ignored).type() != fs::file_type::not_found) continue;
      switch (below(4)) {
        case 0: fs::create_directory(at, ignored); break;
        case 1: std::ofstream(at) << "x"; break;
        default: fs::create_symlink(path(), at, ignored); break;
      }
    }
  }

 private:
  fs::path base_;
  std::mt19937 random_;
};

std::string real_path(const std::string& path) {
  char* found = ::realpath(path.c_str(), nullptr);
  std::string text = found == nullptr ? "" : found;
  std::free(found);
  return text;
}

// An independent answer to "does git obey this file?", for an existing file.
bool is_gits(const fs::path& file) {
  for (fs::path at = file; at != at.root_path(); at = at.parent_path()) {
    if (to_lower(at.filename().string()) == ".git") return true;
    const fs::path in = at.parent_path();
    if (fs::symlink_status(in / "HEAD").type() != fs::file_type::not_found &&
        fs::symlink_status(in / "objects").type() != fs::file_type::not_found &&
        fs::symlink_status(in / "refs").type() != fs::file_type::not_found)
      return true;
  }
  return false;
}

void compare(const PathGuard& guard, const fs::path& inside, const std::string& asked, const std::string& for_kernel,
             const ResolvedPath& found) {
  const std::string real = real_path(for_kernel);
  const std::string border = inside.string() + "/";
  if (!real.empty()) {
    ASSERT_TRUE(found.exists) << asked;
    ASSERT_EQ(found.canonical, real) << asked;
    ASSERT_EQ(found.inside, real == inside.string() || real.starts_with(border)) << asked;
    const auto opened = guard.open_anywhere(found, O_PATH);
    ASSERT_TRUE(opened) << asked << ": " << opened.error().message;
    ASSERT_EQ(real_path("/proc/self/fd/" + std::to_string(opened->get())), real) << asked;
    ASSERT_EQ(static_cast<bool>(guard.open_at(found, O_PATH)), found.inside) << asked;
    return;
  }
  ASSERT_FALSE(found.exists) << asked;
  const bool guarded = guard.guarded(found).has_value();
  const auto parent = guard.open_parent(found, true);
  if (!parent) return;
  ASSERT_TRUE(found.inside) << asked;
  const int made =
      ::openat(parent->folder.get(), parent->name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (made < 0) return;
  const Fd file(made);
  ASSERT_EQ(real_path("/proc/self/fd/" + std::to_string(made)), found.canonical) << asked;
  ASSERT_TRUE(found.canonical.starts_with(border)) << asked;
  ASSERT_EQ(guarded, is_gits(found.canonical)) << asked << " at " << found.canonical;
  ::unlinkat(parent->folder.get(), parent->name.c_str(), 0);
}

TEST_P(Guarded, RandomPathsAndLinksAgreeWithTheKernel) {
  const char* given = std::getenv("PARLANCE_SEED");
  const unsigned first = given != nullptr ? parse_number<unsigned>(given).value_or(0) : std::random_device()();
  for (unsigned seed = first; seed != first + 60; ++seed) {
    SCOPED_TRACE("again with PARLANCE_SEED=" + std::to_string(seed));
    fs::remove_all(inside);
    fs::remove_all(outside);
    fs::create_directories(inside);
    fs::create_directories(outside);
    Maker maker(base, seed);
    maker.tree();
    const PathGuard at = guard();
    for (int i = 0; i < 60; ++i) {
      const std::string path = maker.path();
      const fs::path absolute = path.starts_with('/') ? fs::path(path) : inside / path;
      std::string evened = absolute.lexically_normal().string();
      if (evened.size() > 1 && evened.ends_with('/')) evened.pop_back();
      compare(at, inside, path, evened, at.resolve(path));
      compare(at, inside, "word " + path, absolute.string(), at.resolve_word(path));
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace parlance::workspace

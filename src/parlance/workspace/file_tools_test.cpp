// SPDX-License-Identifier: Apache-2.0
// Tools on files, and attacks on the folder's border.
#include "parlance/workspace/file_tools.h"

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/base/clock.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/workspace/command_tool.h"
#include "parlance/workspace/limits.h"

namespace parlance::workspace {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Files : public testing::TestWithParam<PathGuard::Method> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "parlance-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    base = pattern;
    inside = base / "project";
    outside = base / "secret";
    fs::create_directories(inside / "src");
    fs::create_directories(outside);
    put(outside / "key", "SECRET");
    tools.emplace(*PathGuard::open(inside.string(), GetParam()));
  }
  void TearDown() override { fs::remove_all(base); }

  static void put(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }
  Result<void> write(const std::string& path, const std::string& content) {
    PARLANCE_TRY(change, tools->prepare_write({.path = path, .content = content}));
    return tools->apply(change);
  }

  fs::path base;
  fs::path inside;
  fs::path outside;
  std::optional<FileTools> tools;
};

INSTANTIATE_TEST_SUITE_P(Guards, Files, testing::Values(PathGuard::Method::automatic, PathGuard::Method::walk),
                         [](const auto& info) { return info.param == PathGuard::Method::automatic ? "Kernel" : "Walk"; });

TEST_P(Files, PathsToTheOutsideAreRefused) {
  put(inside / "a", "x");
  fs::create_symlink(outside, inside / "link");
  fs::create_symlink(outside / "key", inside / "keylink");
  fs::create_symlink("../secret", inside / "relative");
  fs::create_symlink("/proc/self/root", inside / "magic");
  fs::create_symlink(outside / "made_later", inside / "dangling");
  for (const std::string path :
       {"../secret/key", "src/../../secret/key", "/etc/passwd", "link/key", "keylink", "relative/key", "magic/etc/passwd", "..",
        "src/../..", (outside / "key").c_str(), (base / "project2").c_str(), "link", "dangling"}) {
    const auto text = tools->read({.path = path});
    ASSERT_FALSE(text) << path;
    EXPECT_TRUE(text.error().code == Errc::denied || (path == "dangling" && text.error().code == Errc::not_found))
        << path << ": " << text.error().message;
    EXPECT_FALSE(write(path, "owned")) << path;
    EXPECT_FALSE(tools->list({.path = path})) << path;
    EXPECT_FALSE(tools->search({.pattern = "SECRET", .path = path})) << path;
  }
  EXPECT_EQ(tools->read({.path = "../secret/key"}).error().message, "Access denied: " + (inside / "../secret/key").string());
  EXPECT_FALSE(write("link/new", "owned"));
  EXPECT_FALSE(write("relative/deep/new", "owned"));
  EXPECT_FALSE(write(std::string("a\0b", 3), "owned"));
  EXPECT_EQ(slurp(outside / "key"), "SECRET");
  EXPECT_FALSE(fs::exists(outside / "made_later"));
  EXPECT_EQ(std::distance(fs::directory_iterator(outside), fs::directory_iterator()), 1);
}

TEST_P(Files, PathsInsideAreEvenedOut) {
  put(inside / "src/a", "hello");
  for (const std::string path :
       {"src/a", "./src//a", "src/../src/a", (inside / "src/a").c_str(), (inside / "./src/x/../a").c_str()}) {
    const auto text = tools->read({.path = path});
    ASSERT_TRUE(text) << path;
    EXPECT_EQ(text->text, "hello");
    EXPECT_EQ(tools->guard().resolve(path).absolute, (inside / "src/a").string());
  }
}

TEST_P(Files, ALinkSwappedDuringAReadNeverLeadsOutside) {
  fs::create_directories(inside / "real");
  put(inside / "real/key", "inside");
  fs::create_directory_symlink(outside, inside / "evil");
  std::atomic<bool> done = false;
  // dir alternates between a folder of the project and a link to the outside.
  fs::rename(inside / "real", inside / "dir");
  std::thread attacker([&] {
    const std::string dir = (inside / "dir").string();
    const std::string evil = (inside / "evil").string();
    while (!done) ::renameat2(AT_FDCWD, dir.c_str(), AT_FDCWD, evil.c_str(), RENAME_EXCHANGE);
  });
  int read_inside = 0;
  int refused = 0;
  // Continues beyond 3,000 rounds if the scheduler has let one of the two sleep.
  for (int round = 0; round < 3000 || ((refused == 0 || read_inside == 0) && round < 300'000); ++round) {
    const auto text = tools->read({.path = "dir/key"});
    if (!text) ++refused;
    else ++read_inside;
    if (text) {
      EXPECT_EQ(text->text.find("SECRET"), std::string::npos);
    }
    if (round % 6 == 0) (void)write("dir/key", "inside " + std::to_string(round));
    if (round % 6 == 1) (void)write("dir/new" + std::to_string(round), "x");
    if (round % 50 == 0) {
      EXPECT_TRUE(tools->search({.pattern = "SECRET"})->hits.empty());
    }
  }
  done = true;
  attacker.join();
  EXPECT_GT(read_inside, 0);
  EXPECT_GT(refused, 0) << "the attack took place";
  EXPECT_EQ(slurp(outside / "key"), "SECRET");
  EXPECT_EQ(std::distance(fs::directory_iterator(outside), fs::directory_iterator()), 1) << "nothing was written there";
}

TEST_P(Files, ReadsRangesOfLinesAndReportsACut) {
  put(inside / "a", "one\ntwo\nthree\nfour\nfive");
  EXPECT_EQ(tools->read({.path = "a"})->text, "one\ntwo\nthree\nfour\nfive");
  const auto part = *tools->read({.path = "a", .first_line = 2, .lines = 2});
  EXPECT_EQ(part.text, "two\nthree\n");
  EXPECT_EQ(part.lines, 2U);
  EXPECT_TRUE(part.cut);
  EXPECT_EQ(tools->read({.path = "a", .first_line = 99})->text, "");
  EXPECT_FALSE(tools->read({.path = "a", .first_line = 5, .lines = 1})->cut);
  std::string big;
  while (big.size() < limits::file_read_bytes * 2) big += "0123456789 äöü\n";
  put(inside / "big", big);
  const auto cut = *tools->read({.path = "big"});
  EXPECT_TRUE(cut.cut);
  EXPECT_LE(cut.text.size(), limits::file_read_bytes);
  EXPECT_EQ(big.substr(0, cut.text.size()), cut.text) << "no character is cut";
  EXPECT_TRUE(cut.text.ends_with('\n') && !cut.cut_in_line) << "the next read begins with the whole line";
  put(inside / "long", "first\n" + std::string(limits::file_read_bytes + 1, 'x') + "\nlast\n");
  EXPECT_EQ(tools->read({.path = "long"})->text, "first\n");
  const auto line = *tools->read({.path = "long", .first_line = 2});
  EXPECT_TRUE(line.cut_in_line);
  EXPECT_EQ(line.lines, 1U);
  EXPECT_EQ(tools->read({.path = "long", .first_line = 3})->text, "last\n");
  EXPECT_EQ(tools->read({.path = "a", .first_line = 5, .lines = UINT64_MAX})->text, "five");
  EXPECT_FALSE(tools->read({.path = "a", .first_line = 2, .lines = 0})->cut_in_line);
}

TEST_P(Files, OnlyTextFilesAreRead) {
  put(inside / "binary", std::string("\x7f"
                                     "ELF\0\0",
                                     6));
  ::mkfifo((inside / "pipe").c_str(), 0600);
  EXPECT_EQ(tools->read({.path = "binary"}).error().message, "Not a text file: " + (inside / "binary").string());
  EXPECT_EQ(tools->read({.path = "pipe"}).error().message, "Not a file: " + (inside / "pipe").string());
  EXPECT_EQ(tools->read({.path = "src"}).error().message, "Not a file: " + (inside / "src").string());
  EXPECT_EQ(tools->read({.path = "none"}).error().message, "File not found: " + (inside / "none").string());
}

TEST_P(Files, WritesNewFilesWithTheirFolders) {
  ASSERT_TRUE(write("a/b/c.txt", "text"));
  EXPECT_EQ(slurp(inside / "a/b/c.txt"), "text");
  const auto change = *tools->prepare_write({.path = "a/b/c.txt", .content = "more"});
  EXPECT_EQ(change.diff.before, "text");
  EXPECT_EQ(change.diff.after, "more");
  EXPECT_EQ(change.diff.path, (inside / "a/b/c.txt").string());
  EXPECT_EQ(std::distance(fs::directory_iterator(inside / "a/b"), fs::directory_iterator()), 1) << "no temporary file is left";
}

TEST_P(Files, AWriteKeepsModeAndLineEnds) {
  put(inside / "run.sh", "a\r\nb\r\n");
  fs::permissions(inside / "run.sh", fs::perms(0751));
  ASSERT_TRUE(write("run.sh", "x\ny\n"));
  EXPECT_EQ(slurp(inside / "run.sh"), "x\r\ny\r\n");
  EXPECT_EQ(fs::status(inside / "run.sh").permissions(), fs::perms(0751));
  const auto edit = tools->prepare_edit({.path = "run.sh", .old_text = "x\ny", .new_text = "x\nz"});
  ASSERT_TRUE(edit);
  ASSERT_TRUE(tools->apply(*edit));
  EXPECT_EQ(slurp(inside / "run.sh"), "x\r\nz\r\n");
}

TEST_P(Files, AnEditMustNameItsPlace) {
  put(inside / "a", "one two one");
  EXPECT_NE(tools->prepare_edit({.path = "a", .old_text = "one", .new_text = "1"}).error().message.find("occurs 2 times"),
            std::string::npos);
  EXPECT_FALSE(tools->prepare_edit({.path = "a", .old_text = "three", .new_text = "3"}));
  EXPECT_FALSE(tools->prepare_edit({.path = "a", .old_text = "", .new_text = "3"}));
  EXPECT_FALSE(tools->prepare_edit({.path = "none", .old_text = "a", .new_text = "b"}));
  const auto all = *tools->prepare_edit({.path = "a", .old_text = "one", .new_text = "1", .replace_all = true});
  EXPECT_EQ(all.replaced, 2U);
  EXPECT_EQ(all.diff.after, "1 two 1");
  EXPECT_EQ(slurp(inside / "a"), "one two one") << "no change before apply";
}

TEST_P(Files, OnlyThePreviewedTextIsWritten) {
  put(inside / "a", "one");
  const auto edit = *tools->prepare_edit({.path = "a", .old_text = "one", .new_text = "two"});
  const auto fresh = *tools->prepare_write({.path = "b", .content = "mine"});
  put(inside / "a", "one, changed meanwhile");
  put(inside / "b", "theirs");
  EXPECT_EQ(tools->apply(edit).error().code, Errc::failed);
  EXPECT_EQ(tools->apply(fresh).error().code, Errc::failed);
  EXPECT_EQ(slurp(inside / "a"), "one, changed meanwhile");
  EXPECT_EQ(slurp(inside / "b"), "theirs");
}

TEST_P(Files, AFolderTurnedRepositoryMeanwhileIsNotWritten) {
  const auto change = *tools->prepare_write({.path = "src/config", .content = "[core]"});
  EXPECT_FALSE(change.guarded);
  put(inside / "src/HEAD", "ref: refs/heads/main");
  fs::create_directories(inside / "src/objects");
  fs::create_directories(inside / "src/refs");
  EXPECT_NE(tools->apply(change).error().message.find("has become a guarded place"), std::string::npos);
  EXPECT_FALSE(fs::exists(inside / "src/config"));
  const auto decided = *tools->prepare_write({.path = "src/config", .content = "[core]"});
  EXPECT_EQ(decided.guarded->path, (inside / "src/config").string());
  EXPECT_TRUE(tools->apply(decided)) << "the guarded change was approved";
}

TEST_P(Files, AFileOfTwoNamesIsReplacedNotWrittenThrough) {
  fs::create_hard_link(outside / "key", inside / "hard");
  ASSERT_TRUE(write("hard", "mine"));
  EXPECT_EQ(slurp(inside / "hard"), "mine");
  EXPECT_EQ(slurp(outside / "key"), "SECRET");
}

TEST_P(Files, SizeLimitsHoldForWritingToo) {
  EXPECT_NE(write("big", std::string(limits::file_edit_bytes + 1, 'x')).error().message.find("File too large"),
            std::string::npos);
  put(inside / "huge", std::string(limits::file_edit_bytes + 1, 'x'));
  EXPECT_FALSE(write("huge", "small"));
  put(inside / "grow", std::string(5000, 'x'));
  EXPECT_FALSE(tools->prepare_edit({.path = "grow", .old_text = "x", .new_text = std::string(4096, 'y'), .replace_all = true}));
}

TEST_P(Files, ListsAndSearchesWithinBounds) {
  put(inside / "src/a.cpp", "int main() {}\n// TODO: this\n");
  put(inside / "src/b.h", "int x = 42; // todo\n");
  fs::create_directories(inside / ".git");
  put(inside / ".git/config", "TODO hidden");
  fs::create_directory_symlink(outside, inside / "link");
  put(inside / "binary", std::string("TODO\0", 5));
  const auto list = *tools->list({.recursive = true});
  std::string names;
  for (const FileEntry& entry : list.entries) names += entry.path + " ";
  EXPECT_EQ(names, ".git/ binary link src/ src/a.cpp src/b.h ");

  const auto hits = [&](SearchFiles request) {
    std::string out;
    for (const SearchHit& hit : tools->search(request)->hits) out += hit.path + ":" + std::to_string(hit.line) + " ";
    return out;
  };
  EXPECT_EQ(hits({.pattern = "TODO"}), "src/a.cpp:2 ");
  EXPECT_EQ(hits({.pattern = "todo", .ignore_case = true}), "src/a.cpp:2 src/b.h:1 ");
  EXPECT_EQ(hits({.pattern = "x\\s*=\\s*\\d+", .regex = true}), "src/b.h:1 ");
  EXPECT_EQ(hits({.pattern = "(?:main|x) ?[(=]", .regex = true}), "src/a.cpp:1 src/b.h:1 ");
  EXPECT_EQ(hits({.pattern = "(?i)^// todo: [[:alpha:]]+$", .regex = true}), "src/a.cpp:2 ");
  EXPECT_EQ(hits({.pattern = "int", .name = "*.h"}), "src/b.h:1 ");
  EXPECT_EQ(hits({.pattern = "int", .path = "src/a.cpp"}), "src/a.cpp:1 ");
  for (int i = 0; i < 300; ++i) put(inside / ("f" + std::to_string(i)), "needle\n");
  const auto many = *tools->search({.pattern = "needle"});
  EXPECT_EQ(many.hits.size(), limits::search_hits);
  EXPECT_TRUE(many.cut);
}

TEST_P(Files, FoldersWithoutADescriptorAreReportedAsUnread) {
  fs::path deep = inside;
  for (int depth = 0; depth < 20; ++depth) deep /= "d";
  fs::create_directories(deep);
  put(deep / "file.txt", "needle");
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &old), 0);
  const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::close(next);
  const rlimit few{.rlim_cur = static_cast<rlim_t>(next) + 8, .rlim_max = old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto found = tools->search({.pattern = "needle"});
  const auto listed = tools->list({.recursive = true});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &old), 0);
  ASSERT_TRUE(found && listed);
  EXPECT_TRUE(found->hits.empty());
  EXPECT_EQ(found->unread.count, 1U);
  EXPECT_NE(found->unread.first.find("Too many open files"), std::string::npos) << found->unread.first;
  EXPECT_EQ(listed->unread.count, 1U);
  EXPECT_EQ(tools->search({.pattern = "needle"})->hits.size(), 1U);
}

TEST_P(Files, ALineEndsBeforeItsCarriageReturn) {
  put(inside / "dos.txt", "one\r\ntwo\r\n");
  const auto found = *tools->search({.pattern = "^two$", .regex = true});
  ASSERT_EQ(found.hits.size(), 1U);
  EXPECT_EQ(found.hits[0].text, "two");
}

TEST_P(Files, AnExpressionSeesTheWholeOfALongLine) {
  put(inside / "minified.js", std::string(60000, 'a') + "needle42");
  EXPECT_EQ(tools->search({.pattern = "needle\\d+$", .regex = true})->hits.size(), 1U);
}

// Each character leads to new threads of the matcher; the work for each line is bounded, and the answer says so.
TEST_P(Files, AbandonedLinesAreReported) {
  std::string line;
  for (std::uint32_t i = 0, seed = 1; i < 60000; ++i) line += (seed = seed * 1664525 + 1013904223) >> 31U != 0 ? 'a' : 'b';
  put(inside / "hard", line);
  const auto found = *tools->search({.pattern = "a[ab]{9000}c", .regex = true});
  EXPECT_TRUE(found.hits.empty());
  EXPECT_TRUE(found.cut);
}

TEST_P(Files, HostilePatternsEndQuickly) {
  put(inside / "a", std::string(60000, 'a') + "\n" + std::string(2000, 'a') + "\n");
  for (const std::string pattern : {"(a*)*b", "(a|a)*b", "(a+)+$x", "((a{1,10}){1,10}){1,10}b"}) {
    const auto start = Clock::now();
    const auto found = tools->search({.pattern = pattern, .regex = true});
    EXPECT_LT(Clock::now() - start, std::chrono::seconds(20)) << pattern;
    if (found) {
      EXPECT_TRUE(found->hits.empty()) << pattern;
    }
  }
  for (const std::string pattern : {"(a)\\1", "((((a{100}){100}){100}){100})", "[", "(?<=a)", "a{20001}"})
    EXPECT_EQ(tools->search({.pattern = pattern, .regex = true}).error().code, Errc::invalid_params) << pattern;
}

TEST_P(Files, AFileLinkInsideIsWrittenThroughNotReplaced) {
  put(inside / "target", "old");
  fs::create_symlink("target", inside / "alias");
  ASSERT_TRUE(write("alias", "new"));
  EXPECT_EQ(slurp(inside / "target"), "new");
  EXPECT_TRUE(fs::is_symlink(inside / "alias"));
}

TEST(CommandOutput, KeepsTheBeginningAndTheEnd) {
  CommandOutput output(100);
  std::string all;
  for (int i = 0; i < 5000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    output.add(line);
    all += line;
  }
  const std::string text = output.text();
  EXPECT_TRUE(text.starts_with(all.substr(0, 50)));
  EXPECT_TRUE(text.ends_with(all.substr(all.size() - 50)));
  EXPECT_NE(text.find("… " + std::to_string(all.size() - 100) + " bytes left out …"), std::string::npos);
  EXPECT_TRUE(output.cut());
  CommandOutput small(100);
  small.add("abc");
  EXPECT_EQ(small.text(), "abc");
  EXPECT_FALSE(small.cut());
}

TEST(CommandOutput, TheOutcomeNamesItsEnd) {
  EXPECT_EQ(outcome_of({.output = "x\n", .exit_status = 0}).state, hub::ToolEndState::done);
  EXPECT_EQ(outcome_of({.output = "x\n", .exit_status = 2}).text, "x\nexit status 2");
  EXPECT_EQ(outcome_of({.signal = 9}).text, "ended by signal 9");
  EXPECT_EQ(outcome_of({.output = "x", .signal = 15, .timed_out = true}).text, "x\nstopped: the command took too long");
  EXPECT_EQ(outcome_of({.exit_status = 0}).text, "(no output)");
}

}  // namespace
}  // namespace parlance::workspace

// SPDX-License-Identifier: Apache-2.0
// H14: the permitted paths, and the protection against an exchange of the file between the check and the opening.
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "parlance/sqlite/test_support.h"

namespace parlance::sqlite::test {
namespace {

class Paths : public EngineTest {
 protected:
  Paths() : inside(folder + "/in"), outside(folder + "/out") {
    std::filesystem::create_directory(inside);
    std::filesystem::create_directory(outside);
    raw("CREATE TABLE t(a); INSERT INTO t VALUES('inside')", inside + "/a.db");
    raw("CREATE TABLE t(a); INSERT INTO t VALUES('outside')", outside + "/a.db");
    start({.paths = {.allowed_folders = {inside}}});
  }
  Outcome<> try_path(const std::string& path) { return connect(path); }
  std::string inside;
  std::string outside;
};

TEST_F(Paths, TheErrorNamesADanglingLink) {
  std::filesystem::create_symlink(inside + "/gone.db", inside + "/link.db");
  std::filesystem::create_symlink(outside + "/gone.db", inside + "/escape.db");
  EXPECT_EQ(outcome_text(try_path(inside + "/link.db")),
            "path_not_allowed: it is a link to " + inside + "/gone.db, which does not exist");
  EXPECT_EQ(outcome_text(try_path(inside + "/escape.db")), "path_not_allowed: the path is not inside an allowed folder");
}

TEST_F(Paths, H14OnlyRegularFilesInsideTheAllowedFolders) {
  EXPECT_EQ(outcome_text(try_path(inside + "/a.db")), "ok");
  EXPECT_EQ(outcome_text(try_path(inside + "/../in/a.db")), "ok");
  std::filesystem::create_symlink(outside + "/a.db", inside + "/link.db");
  std::filesystem::create_symlink(outside, inside + "/folder");
  std::filesystem::create_symlink(inside + "/a.db", outside + "/back.db");
  std::filesystem::create_directory(folder + "/inner");  // begins as "in" does
  raw("CREATE TABLE t(a)", folder + "/inner/a.db");
  ASSERT_EQ(::mkfifo((inside + "/pipe").c_str(), 0600), 0);
  for (const std::string& path :
       {outside + "/a.db", inside + "/../out/a.db", inside + "/link.db", inside + "/folder/a.db", folder + "/inner/a.db",
        inside + "/folder/missing.db", outside + "/missing.db", outside + "/missing/deeper.db", std::string("/etc/passwd"),
        std::string(":memory:"), "file:" + inside + "/a.db", std::string(""), std::string("a\0b", 3), inside, inside + "/pipe",
        std::string("/dev/zero"), std::string("/proc/self/fd/0"), std::string("/sys/kernel/uevent_seqnum")})
    EXPECT_EQ(fault_of(try_path(path)), Fault::path_not_allowed) << path << ": " << outcome_text(try_path(path));
  EXPECT_EQ(outcome_text(try_path(outside + "/back.db")), "ok") << "the end of a path counts, not its beginning";
  EXPECT_EQ(outcome_text(try_path(inside + "/missing.db")), "open_failed: no such file");
  EXPECT_FALSE(Engine::make(loop, {.paths = {.allowed_folders = {inside + "/a.db"}}}));
}

// A disk mounted after the start.
TEST_F(Paths, AnAllowedFolderMayComeLater) {
  const std::string disk = folder + "/later/disk";
  auto guard = PathGuard::make({.allowed_folders = {disk}});
  ASSERT_TRUE(guard) << guard.error().message;
  const auto missing = guard->resolve(disk + "/data/a.db");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().fault, Fault::open_failed);
  EXPECT_NE(missing.error().message.find(disk), std::string::npos) << missing.error().message;
  EXPECT_EQ(guard->resolve(folder + "/elsewhere/a.db").error().fault, Fault::path_not_allowed);
  std::filesystem::create_directories(disk + "/data");
  EXPECT_EQ(guard->resolve(disk + "/data/a.db"), disk + "/data/a.db");
  EXPECT_FALSE(guard->resolve(folder + "/later/a.db"));
}

TEST_F(Paths, AnAllowedFolderMayBeALinkToWhatComesLater) {
  std::filesystem::create_directory_symlink("real/disk", folder + "/link");
  auto guard = PathGuard::make({.allowed_folders = {folder + "/link/data/"}});
  ASSERT_TRUE(guard) << guard.error().message;
  std::filesystem::create_directories(folder + "/real/disk/data");
  EXPECT_EQ(guard->resolve(folder + "/link/data/a.db"), folder + "/real/disk/data/a.db");
}

// A user with write access at the place of the missing folder must not choose its meaning.
TEST_F(Paths, ALinkThatComesInPlaceOfAnAllowedFolderLeadsNowhere) {
  auto guard = PathGuard::make({.allowed_folders = {folder + "/later"}});
  ASSERT_TRUE(guard);
  std::filesystem::create_directory(folder + "/outside");
  std::filesystem::create_directory_symlink("outside", folder + "/later");
  EXPECT_EQ(guard->resolve(folder + "/later/a.db").error().fault, Fault::path_not_allowed);
  EXPECT_EQ(guard->resolve(folder + "/outside/a.db").error().fault, Fault::path_not_allowed);
}

TEST_F(Paths, AnAllowedFolderThatIsAFileOrGoesInCirclesIsRefused) {
  std::ofstream(folder + "/file") << "no folder";
  EXPECT_FALSE(PathGuard::make({.allowed_folders = {folder + "/file"}}));
  EXPECT_FALSE(PathGuard::make({.allowed_folders = {folder + "/file/below"}}));
  std::filesystem::create_symlink("circle", folder + "/circle");
  EXPECT_FALSE(PathGuard::make({.allowed_folders = {folder + "/circle/data"}}));
}

TEST_F(Paths, H14WithoutAllowedFoldersAnyDatabaseButNoDevice) {
  start({});
  EXPECT_EQ(outcome_text(try_path(outside + "/a.db")), "ok");
  std::filesystem::create_symlink("/dev/zero", inside + "/zero.db");
  for (const char* path : {"/dev/zero", "/dev/null", "/proc/self/fd/0", "/proc/self/exe", ":memory:", "file:a.db?mode=ro"})
    EXPECT_EQ(fault_of(try_path(path)), Fault::path_not_allowed) << path;
  EXPECT_EQ(fault_of(try_path(inside + "/zero.db")), Fault::path_not_allowed);
  const int held = ::open((outside + "/a.db").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(fault_of(try_path("/proc/self/fd/" + std::to_string(held))), Fault::path_not_allowed);
  ::close(held);
  start({.paths = {.relative_paths = false}});
  EXPECT_EQ(outcome_text(try_path("a.db")), "path_not_allowed: the path must be absolute");
}

TEST_F(Paths, H14CompanionsThatAreSymlinksAreRefused) {
  for (const char* companion : {"-journal", "-wal", "-shm"}) {
    std::filesystem::create_symlink(outside + "/target", inside + "/a.db" + companion);
    EXPECT_EQ(fault_of(try_path(inside + "/a.db")), Fault::path_not_allowed) << companion;
    std::filesystem::remove(inside + "/a.db" + companion);
  }
  EXPECT_EQ(outcome_text(try_path(inside + "/a.db")), "ok");
  // Placed there after the opening: a write fails, and no file appears at the other end.
  db = inside + "/a.db";
  std::filesystem::create_symlink(outside + "/target", inside + "/a.db-journal");
  EXPECT_FALSE(execute("INSERT INTO t VALUES('x')"));
  EXPECT_FALSE(std::filesystem::exists(outside + "/target"));
}

TEST_F(Paths, H14StrictPathsRefuseASecondName) {
  ASSERT_EQ(::link((outside + "/a.db").c_str(), (inside + "/hard.db").c_str()), 0);
  EXPECT_EQ(outcome_text(try_path(inside + "/hard.db")), "ok") << "only a warning is logged";
  start({.paths = {.allowed_folders = {inside}, .strict = true}});
  EXPECT_EQ(fault_of(try_path(inside + "/hard.db")), Fault::path_not_allowed);
}

// A thread exchanges the file, or its folder, for a symlink to another database, as fast as possible; the other thread opens and
// reads.
class Swaps : public Paths {
 protected:
  struct Seen {
    int inside = 0;
    int outside = 0;
    int refused = 0;
    // Both states of the path occurred often enough for a real race.
    [[nodiscard]] bool both() const { return inside > 100 && refused > 100; }
  };
  // Continues beyond `rounds` if the scheduler has let one of the two threads sleep through most of them.
  template <class Exchange>
  Seen race(const std::string& path, int rounds, Exchange exchange) {
    auto guard = PathGuard::make({.allowed_folders = {inside}});
    PARLANCE_CHECK(guard, "a guard");
    std::atomic<bool> stop = false;
    std::thread attacker([&] {
      while (!stop) exchange();
    });
    Seen seen;
    std::thread worker([&] {
      for (int i = 0; i < rounds || (!seen.both() && i < 100 * rounds); ++i) {
        class Run run(never);
        Session session(*guard, {}, path);
        Collected sink;
        auto connection = session.reader(run);
        auto page = connection ? read(**connection, run, {.sql = "SELECT a FROM t"}, sink)
                               : Outcome<Page>(std::unexpected(connection.error()));
        if (!page) ++seen.refused;
        else if (sink.rows == std::vector<std::string>{"'inside'"}) ++seen.inside;
        else ++seen.outside;
      }
    });
    worker.join();
    stop = true;
    attacker.join();
    return seen;
  }
};

constexpr int rounds = 20'000;

TEST_F(Swaps, H14NoEscapeWhenTheFileIsExchangedForASymlink) {
  const std::string path = inside + "/swap.db";
  const std::string link = inside + "/link";
  std::filesystem::copy_file(inside + "/a.db", path);
  std::filesystem::create_symlink(outside + "/a.db", link);
  const Seen seen = race(path, rounds, [&] {
    ::renameat2(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE);
    std::this_thread::yield();
  });
  EXPECT_EQ(seen.outside, 0) << seen.inside << " inside, " << seen.refused << " refused";
  EXPECT_TRUE(seen.both()) << seen.inside << " inside, " << seen.refused << " refused: the exchange went unnoticed";
}

TEST_F(Swaps, H14NoEscapeWhenAFolderIsExchangedForASymlink) {
  std::filesystem::create_directory(inside + "/d");
  std::filesystem::copy_file(inside + "/a.db", inside + "/d/a.db");
  const Seen seen = race(inside + "/d/a.db", rounds, [&] {
    ::rename((inside + "/d").c_str(), (inside + "/away").c_str());
    static_cast<void>(::symlink(outside.c_str(), (inside + "/d").c_str()));
    std::this_thread::yield();
    ::unlink((inside + "/d").c_str());
    ::rename((inside + "/away").c_str(), (inside + "/d").c_str());
    std::this_thread::yield();
  });
  EXPECT_EQ(seen.outside, 0) << seen.inside << " inside, " << seen.refused << " refused";
  EXPECT_TRUE(seen.both()) << seen.inside << " inside, " << seen.refused << " refused";
}

TEST_F(Swaps, H14NoEscapeWhenTheFileIsExchangedForAnotherFile) {
  // No symlink at all: a real folder with a database from outside takes the place of the pinned one's.
  const std::string path = inside + "/d/a.db";
  std::filesystem::create_directory(inside + "/d");
  std::filesystem::copy_file(inside + "/a.db", path);
  auto guard = PathGuard::make({.allowed_folders = {inside}});
  const auto pinned = guard->pin(path, false);
  ASSERT_TRUE(pinned);
  std::filesystem::rename(inside + "/d", inside + "/old");
  std::filesystem::rename(outside, inside + "/d");
  std::thread([&] {
    PinnedFile::activate(&*pinned);
    class Run run(never);
    EXPECT_EQ(fault_of(Connection::open(*pinned, Use::read, {}, run)), Fault::open_failed);
    PinnedFile::activate(nullptr);
  }).join();
}

}  // namespace
}  // namespace parlance::sqlite::test

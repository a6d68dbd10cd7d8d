// SPDX-License-Identifier: Apache-2.0
// Announcements and values, without a server.
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/face/ide/announcement.h"
#include "parlance/face/ide/editor_values.h"
#include "parlance/face/ide/test_support.h"
#include "parlance/transport/private_file.h"

namespace parlance::face::ide {
namespace {

class AnnouncementTest : public test::IdeTest {
 protected:
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_private_file((folder / name).string(), text));
  }
  bool there(const char* name) const { return test::fs::exists(folder / name); }
};

TEST_F(AnnouncementTest, StaleFilesOfParlanceAreRemoved) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const std::string dead = std::to_string(gone);
  const std::string alive = std::to_string(::getpid());
  write("1.lock", R"({"server":"parlance","serverPid":)" + dead + "}");
  write("2.lock", R"({"server":"parlance","serverPid":)" + alive + "}");
  write("3.lock", R"({"server":"another","serverPid":)" + dead + "}");
  write("4.lock", R"({"pid":)" + dead + "}");
  write("5.lock", "no JSON");
  write("6.json", R"({"server":"parlance","serverPid":)" + dead + "}");
  test::fs::create_symlink(folder / "6.json", folder / "7.lock");
  EXPECT_EQ(remove_stale(folder.string(), ".lock"), 1U);
  EXPECT_FALSE(there("1.lock"));
  for (const char* kept : {"2.lock", "3.lock", "4.lock", "5.lock", "6.json", "7.lock"}) EXPECT_TRUE(there(kept)) << kept;
  EXPECT_EQ(remove_stale((folder / "none").string(), ".lock"), 0U);
}

TEST_F(AnnouncementTest, FileIsRemovedWithItsLastOwner) {
  auto first = Announcement::write((folder / "a" / "b").string(), "x.lock", "{}");
  ASSERT_TRUE(first) << first.error().message;
  const std::string path = first->path();
  EXPECT_EQ(test::mode_of(path), 0600U);
  {
    Announcement second = *std::move(first);
    EXPECT_TRUE(test::fs::exists(path));
  }
  EXPECT_FALSE(test::fs::exists(path));
}

TEST(EditorValues, PathsAndUris) {
  EXPECT_EQ(file_uri("/w/a b/é%.cpp"), "file:///w/a%20b/%C3%A9%25.cpp");
  for (const char* path : {"/w/a b/é%.cpp", "/", "/w/"}) EXPECT_EQ(path_of(file_uri(path)), path);
  EXPECT_EQ(path_of("/w/a%20b"), "/w/a%20b") << "a path is no URI";
  EXPECT_EQ(path_of("file:///w/100%"), "/w/100%") << "no escape: as it stands";
}

TEST(EditorValues, TextIsFoundAsEditorsCount) {
  EXPECT_EQ(find_text("abc", "c"), (hub::editor::Position{0, 2}));
  EXPECT_EQ(find_text("é\n𝄞x", "x"), (hub::editor::Position{1, 2}));
  EXPECT_EQ(find_text("abc", "d"), std::nullopt);
  EXPECT_EQ(find_text("abc", ""), std::nullopt);
}

}  // namespace
}  // namespace parlance::face::ide

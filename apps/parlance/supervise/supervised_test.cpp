// SPDX-License-Identifier: Apache-2.0
// What a supervisor and its services say to each other and leave in files.
#include "apps/parlance/supervise/supervised.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "apps/parlance/supervise/ready.h"
#include "apps/parlance/supervise/running.h"
#include "parlance/store/test_folder.h"

namespace parlance::app {
namespace {

// ---- updates ------------------------------------------------------------------------------------------------------------------------

TEST(ServiceUpdate, ReturnUnchanged) {
  for (const ServiceUpdate& update :
       {ServiceUpdate{.service = "embed", .up = true, .detail = "http://127.0.0.1:1/"},
        ServiceUpdate{.service = "agent", .up = false, .detail = "it said \"no\"\nand ended"}, ServiceUpdate{}}) {
    const std::string line = update_line(update);
    EXPECT_FALSE(line.contains('\n')) << "a line is one line";
    const auto read = read_update(line);
    ASSERT_TRUE(read.has_value()) << line;
    EXPECT_EQ(read->service, update.service);
    EXPECT_EQ(read->up, update.up);
    EXPECT_EQ(read->detail, update.detail);
  }
}

TEST(ServiceUpdate, ForeignLinesAreSkipped) {
  for (const char* line : {"", "{", "hello", "[]", "7", R"({"service":"embed"})"})
    EXPECT_FALSE(read_update(line).has_value()) << line;
}

TEST(ServiceUpdate, OnlyTrueIsUp) {
  for (const char* up : {"false", "null", "1", "\"true\"", "{}"})
    EXPECT_FALSE(read_update(R"({"service":"a","up":)" + std::string(up) + "}")->up) << up;
}

TEST(ServiceUpdate, AdditionsOfALaterSupervisorDoNoHarm) {
  EXPECT_TRUE(read_update(R"({"up":true,"service":"a","since":7})")->up);
}

// ---- the browser --------------------------------------------------------------------------------------------------------------------

// A fake browser that keeps its page.
TEST(Browser, ReceivesTheTokenInAFileForOurEyesAlone) {
  const store::TestFolder folder;
  const auto at = [&](const std::string& name) { return folder.path() + "/" + name; };
  std::ofstream(at("xdg-open")) << "#!/bin/sh\ncp -p \"$1\" \"$HOME/page\"\necho \"$1\" > \"$HOME/done\"\n";
  ::chmod(at("xdg-open").c_str(), 0700);
  ASSERT_EQ(::mkfifo(at("done").c_str(), 0600), 0);  // a read waits for the browser
  const std::string path = std::getenv("PATH");
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  ::setenv("PATH", (folder.path() + ":" + path).c_str(), 1);
  ::setenv("HOME", folder.path().c_str(), 1);
  open_in_browser("http://127.0.0.1:1/#token=s3cret</script>");
  ::setenv("PATH", path.c_str(), 1);
  ::setenv("HOME", home.c_str(), 1);
  const auto content = [&](const std::string& name) {
    std::ifstream file(at(name));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string done = content("done");
  EXPECT_TRUE(done.starts_with(at("parlance-open-"))) << done;
  EXPECT_FALSE(done.contains("s3cret"));
  EXPECT_TRUE(content("page").contains("location.replace(\"http://127.0.0.1:1/#token=s3cret\\u003c/script>\")"))
      << content("page");
  EXPECT_EQ(std::filesystem::status(at("page")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

// ---- the memory ---------------------------------------------------------------------------------------------------------------------

TEST(OwnMemory, IsClosedToOtherProcessesOfTheAccountExceptOnRequest) {
  for (const bool wanted : {false, true}) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (wanted) ::setenv("PARLANCE_DUMPABLE", "1", 1);
      else ::unsetenv("PARLANCE_DUMPABLE");
      keep_memory_to_ourselves();
      ::_exit(::prctl(PR_GET_DUMPABLE));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), wanted ? 1 : 0);
  }
}

// ---- the ready file -----------------------------------------------------------------------------------------------------------------

TEST(ReadyFile, IsForOurEyesAloneAndWholeAtOnce) {
  const store::TestFolder folder;
  const std::string path = folder.path() + "/ready.json";
  std::ofstream(path) << "an earlier run's";
  ::chmod(path.c_str(), 0644);
  ASSERT_TRUE(write_ready_file(path, "{}\n").has_value());
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "{}\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing is left beside it";
}

TEST(ReadyFile, DoesNotWriteThroughALink) {
  const store::TestFolder folder;
  const std::string other = folder.path() + "/other";
  std::ofstream(other) << "mine";
  std::filesystem::create_symlink(other, folder.path() + "/ready.json");
  ASSERT_TRUE(write_ready_file(folder.path() + "/ready.json", "{}").has_value());
  std::ifstream file(other);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "mine");
}

TEST(ReadyFile, AnEarlierRunsFileIsRemovedAndAMissingFileIsNoFault) {
  const store::TestFolder folder;
  const std::string path = folder.path() + "/ready.json";
  EXPECT_TRUE(prepare_ready_file("").has_value());
  EXPECT_TRUE(prepare_ready_file(path).has_value());
  std::ofstream(path) << "{}";
  EXPECT_TRUE(prepare_ready_file(path).has_value());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ReadyFile, AnImpossiblePathIsNamedWithItsFlagBeforeTheStart) {
  const store::TestFolder folder;
  for (const std::string& path : {folder.path(), folder.path() + "/none/ready.json"}) {
    const auto prepared = prepare_ready_file(path);
    ASSERT_FALSE(prepared.has_value()) << path;
    EXPECT_TRUE(prepared.error().message.starts_with("--ready-file")) << prepared.error().message;
    EXPECT_NE(prepared.error().message.find(path), std::string::npos) << prepared.error().message;
  }
  EXPECT_TRUE(prepare_ready_file(folder.path() + "/ready.json"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "no file before readiness";
}

// ---- one at a time ------------------------------------------------------------------------------------------------------------------

// Locks belong to processes, so a child asks for the holder.
AlreadyRunning seen_by_another(const std::string& folder) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto claimed = claim_running(folder);
    const auto* other = claimed ? std::get_if<AlreadyRunning>(&*claimed) : nullptr;
    const std::string line = other != nullptr ? std::to_string(other->pid) + " " + other->url : "0 free";
    static_cast<void>(!::write(ends[1], line.data(), line.size()));
    ::_exit(0);
  }
  ::close(ends[1]);
  char text[512];
  const ssize_t size = ::read(ends[0], text, sizeof text);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  const std::string line(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t blank = line.find(' ');
  return {.pid = std::stoi(line), .url = line.substr(blank + 1)};
}

TEST(RunningUp, ASecondStartLearnsTheFirstsProcessAndPage) {
  const store::TestFolder folder;
  auto claimed = claim_running(folder.path());
  ASSERT_TRUE(claimed.has_value());
  auto* mine = std::get_if<RunningUp>(&*claimed);
  ASSERT_NE(mine, nullptr);
  EXPECT_EQ(seen_by_another(folder.path()).pid, ::getpid());
  EXPECT_EQ(seen_by_another(folder.path()).url, "") << "while it starts";
  mine->publish("http://127.0.0.1:1/?token=a-long-one");
  EXPECT_EQ(seen_by_another(folder.path()).url, "http://127.0.0.1:1/?token=a-long-one");
  mine->publish("http://x/");
  EXPECT_EQ(seen_by_another(folder.path()).url, "http://x/") << "nothing is left of the longer one";
}

TEST(RunningUp, AfterItsEndThePlaceIsFree) {
  const store::TestFolder folder;
  { ASSERT_TRUE(claim_running(folder.path()).has_value()); }
  EXPECT_EQ(seen_by_another(folder.path()).url, "free");
}

TEST(RunningUp, TheLockMovesWithItsOwner) {
  const store::TestFolder folder;
  auto claimed = claim_running(folder.path());
  ASSERT_TRUE(claimed.has_value());
  const RunningUp moved = std::move(std::get<RunningUp>(*claimed));
  EXPECT_EQ(seen_by_another(folder.path()).pid, ::getpid());
}

TEST(RunningUp, AMissingFolderOrALinkInItsPlaceIsAnError) {
  const store::TestFolder folder;
  EXPECT_FALSE(claim_running(folder.path() + "/none").has_value());
  std::filesystem::create_symlink(folder.path() + "/elsewhere", folder.path() + "/up.lock");
  const auto claimed = claim_running(folder.path());
  ASSERT_FALSE(claimed.has_value());
  EXPECT_EQ(claimed.error().code, Errc::denied);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/elsewhere"));
}

}  // namespace
}  // namespace parlance::app

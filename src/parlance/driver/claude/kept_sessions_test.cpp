// SPDX-License-Identifier: Apache-2.0
// The list of a folder's sessions: a recorded session, generated sessions, and other files.
#include "parlance/driver/claude/kept_sessions.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/limits.h"
#include "parlance/store/test_folder.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;

class KeptSessions : public testing::Test {
 protected:
  void keep(const std::string& session, const std::string& text, int seconds_ago, const std::string& project = "-home-ann-code") {
    const fs::path path = fs::path(folder.path()) / "projects" / project / (session + ".jsonl");
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
  }
  static std::string said(const std::string& words, const std::string& cwd = "/home/ann/code") {
    return R"({"type":"user","uuid":"u","cwd":")" + cwd + R"(","message":{"role":"user","content":")" + words + "\"}}\n";
  }
  std::string listed(const std::string& of = "/home/ann/code") {
    std::string all;
    for (const hub::KeptSession& kept_session : claude_kept_sessions(folder.path(), of))
      all += kept_session.id + ": " + kept_session.title + "\n";
    return all;
  }
  store::TestFolder folder;
};

TEST_F(KeptSessions, TheNewestFirstByTheirTitlesOrFirstWords) {
  keep("older", said("first words") + said("second"), 60);
  keep("newer",
       R"({"type":"summary","summary":"Tabs or spaces"})"
       "\n" +
           said("hello"),
       30);
  keep("newest",
       said("typed") + R"({"type":"custom-title","customTitle":"Mine"})"
                       "\n",
       1);
  EXPECT_EQ(listed(), "newest: Mine\nnewer: Tabs or spaces\nolder: first words\n");
  const auto all = claude_kept_sessions(folder.path(), "/home/ann/code");
  EXPECT_EQ(all.front().folder, "/home/ann/code");
  EXPECT_TRUE(all.front().updated_at.ends_with("Z")) << all.front().updated_at;
}

TEST_F(KeptSessions, SessionWithoutMessagesIsOmitted) {
  keep("empty", "", 1);
  keep("odd", "no json\n{\"type\":\"user\"}\n{\"cut", 1);
  keep("meta",
       R"({"type":"user","isMeta":true,"cwd":"/home/ann/code","message":{"content":"caveat"}})"
       "\n",
       1);
  keep("side",
       R"({"type":"user","isSidechain":true,"cwd":"/home/ann/code","message":{"content":"task"}})"
       "\n",
       1);
  keep("results",
       R"({"type":"user","cwd":"/home/ann/code","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}})"
       "\n",
       1);
  EXPECT_EQ(listed(), "");
  EXPECT_EQ(listed("/nowhere"), "");
}

TEST_F(KeptSessions, CommandAppearsAsTyped) {
  keep("command", said("<command-name>/review</command-name><command-args>1.txt</command-args>"), 1);
  EXPECT_EQ(listed(), "command: /review 1.txt\n");
}

TEST_F(KeptSessions, EqualFolderNameIsAnotherFolder) {
  keep("mine", said("a", "/home/ann/code"), 2);
  keep("other", said("b", "/home/ann-code"), 1);  // both are -home-ann-code
  EXPECT_EQ(listed(), "mine: a\n");
}

TEST_F(KeptSessions, FolderWithACutNameIsFound) {
  const std::string deep = "/home/" + std::string(300, 'x');
  const std::string name = ("-home-" + std::string(300, 'x')).substr(0, 200);
  keep("deep", said("a", deep), 1, name + "-1a2b");
  EXPECT_EQ(listed(deep), "deep: a\n");
}

TEST_F(KeptSessions, AtMostSoMany) {
  for (std::size_t i = 0; i < limits::kept_sessions + 5; ++i) keep("s" + std::to_string(i), said("w"), static_cast<int>(i));
  const auto all = claude_kept_sessions(folder.path(), "/home/ann/code");
  ASSERT_EQ(all.size(), limits::kept_sessions);
  EXPECT_EQ(all.front().id, "s0");
}

}  // namespace
}  // namespace parlance::driver

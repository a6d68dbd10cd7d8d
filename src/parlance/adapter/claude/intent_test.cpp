// SPDX-License-Identifier: Apache-2.0
// The tools of Claude Code are judged by where their files really lie, as ours are.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/adapter/claude/tools.h"
#include "parlance/hub/conversation/mode.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/store/test_folder.h"

namespace parlance::adapter {
namespace {

namespace fs = std::filesystem;

class ClaudeIntent : public testing::Test {
 protected:
  ClaudeIntent() {
    fs::create_directories(folder + "/.git/hooks");
    fs::create_directories(folder + "/src");
    fs::create_symlink(".git", folder + "/docs");
    std::ofstream(base + "/key") << "SECRET";
    fs::create_symlink("../key", folder + "/key");
  }
  hub::ToolIntent intent(const std::string& tool, const std::string& path) const {
    json::Object input;
    input.set("file_path", path);
    return claude_intent({.tool = tool, .input = std::move(input)}, {.own = folder},
                         [](const std::string&) { return std::nullopt; });
  }
  hub::Effect decided(const hub::ToolIntent& intent, hub::Mode mode) const {
    return hub::decide(
               {.conversation = "c", .agent = "claude", .folder = folder, .mode = mode, .tool = "Write", .intent = intent}, {})
        .effect;
  }
  store::TestFolder held;
  std::string base = fs::canonical(held.path()).string();
  std::string folder = base + "/project";
};

TEST_F(ClaudeIntent, AChangeInAGuardedPlaceIsAskedWhateverLeadsThere) {
  for (const std::string& path : {folder + "/docs/config", folder + "/.git/hooks/pre-commit", std::string("docs/hooks/x")})
    for (const char* tool : {"Write", "Edit", "MultiEdit", "NotebookEdit"}) {
      const hub::ToolIntent seen = intent(tool, path);
      ASSERT_TRUE(seen.guarded) << tool << " " << path;
      EXPECT_EQ(seen.guarded->path, folder + "/.git");
      for (const hub::Mode mode : {hub::Mode::auto_edit, hub::Mode::yolo}) EXPECT_EQ(decided(seen, mode), hub::Effect::ask);
    }
  EXPECT_EQ(decided(intent("Write", folder + "/src/new.cpp"), hub::Mode::auto_edit), hub::Effect::allow);
}

TEST_F(ClaudeIntent, ALinkToTheOutsideIsOutside) {
  const hub::ToolIntent seen = intent("Read", "key");
  EXPECT_FALSE(seen.path_inside);
  EXPECT_EQ(seen.path, folder + "/key");
  EXPECT_EQ(seen.real_path, base + "/key");
  EXPECT_EQ(decided(seen, hub::Mode::default_), hub::Effect::ask);
  EXPECT_EQ(decided(intent("Write", "key"), hub::Mode::yolo), hub::Effect::ask);
}

// Under the hub, Claude Code asks before its calls. A mode that Claude Code reports can only lower the conversation's mode.
TEST(ClaudeMode, ClaudeCodeNeverRaisesTheMode) {
  using enum hub::Mode;
  for (const hub::Mode before : {default_, auto_edit, smart, yolo, plan}) {
    EXPECT_EQ(claude_run_mode(before), before == plan ? "plan" : "default");
    for (const char* name : {"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto", "yolo", ""}) {
      const hub::Mode after = lowered_mode(name, before);
      EXPECT_FALSE(hub::is_raised(before, after)) << name << " in " << to_string(before);
      EXPECT_EQ(after, std::string_view(name) == "plan" ? plan : before) << name;
    }
  }
}

// Claude Code runs commands itself, without our protection against programs that a repository starts.
TEST_F(ClaudeIntent, ItsCommandsAreNeverFree) {
  json::Object input;
  input.set("command", "git status");
  const hub::ToolIntent seen = claude_intent({.tool = "Bash", .input = std::move(input)}, {.own = folder},
                                             [](const std::string&) { return std::nullopt; });
  EXPECT_FALSE(seen.look);
  EXPECT_EQ(decided(seen, hub::Mode::smart), hub::Effect::ask);
}

}  // namespace
}  // namespace parlance::adapter

// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/folder_programs.h"

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FolderPrograms : public test::ConfigTest {
 protected:
  void put(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(base) / "work" / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::vector<FolderProgram> found(std::string_view agent, const std::string& folder = "") const {
    return folder_programs(base + "/work" + folder, agent);
  }
  std::vector<std::string> names(std::string_view agent, const std::string& folder = "") const {
    std::vector<std::string> all;
    for (const FolderProgram& program : found(agent, folder)) all.push_back(program.name);
    return all;
  }
};

TEST_F(FolderPrograms, EachAgentHasItsFiles) {
  const std::string hooks = R"({"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch RAN"}]}]}})";
  const std::string servers = R"({"mcpServers":{"x":{"command":"./evil"}}})";
  put(".claude/settings.json", hooks);
  put(".claude/settings.local.json", R"({"apiKeyHelper":"./key.sh"})");
  put(".claude/commands/deep/x.md", "Run !`touch RAN` now\n");
  put(".claude/agents/x.md", "---\nhooks:\n  Stop: x\n---\n");
  put(".mcp.json", servers);
  put(".gemini/settings.json", servers);
  put(".qwen/settings.json", R"({"tools":{"discoveryCommand":"./find"}})");
  put(".iflow/settings.json", servers);
  put(".codex/config.toml", "# nothing\n[mcp_servers.x]\ncommand = \"./evil\"\n");
  put("opencode.json", R"({"plugin":["./evil.js"]})");
  put(".opencode/plugin/x.js", "run()");
  put(".github/hooks/x.json", "{}");
  EXPECT_THAT(names("claude"), ElementsAre(".claude/agents/x.md", ".claude/commands/deep/x.md", ".claude/settings.json",
                                           ".claude/settings.local.json", ".mcp.json"));
  EXPECT_THAT(names("gemini"), ElementsAre(".gemini/settings.json"));
  EXPECT_THAT(names("qwen"), ElementsAre(".qwen/settings.json"));
  EXPECT_THAT(names("iflow"), ElementsAre(".iflow/settings.json"));
  EXPECT_THAT(names("codex-acp"), ElementsAre(".codex/config.toml"));
  EXPECT_THAT(names("opencode"), ElementsAre(".opencode/plugin/x.js", "opencode.json"));
  EXPECT_EQ(names("an agent of next year").size(), 12U) << "unknown: any of them may be read";
  EXPECT_THAT(found("claude")[2].what, HasSubstr("touch RAN"));
  EXPECT_THAT(found("codex-acp")[0].what, testing::AllOf(HasSubstr("./evil"), testing::Not(HasSubstr("nothing"))));
}

TEST_F(FolderPrograms, KeysOfFrontMatterCountInAnySpelling) {
  for (const std::string key : {"hooks:", "\"hooks\":", "'hooks' :", "\"\\x68ooks\":", "{hooks: x}"}) {
    put(".claude/skills/x/SKILL.md", "---\nname: x\n" + key + "\n---\nText about work\n");
    EXPECT_THAT(names("claude"), ElementsAre(".claude/skills/x/SKILL.md")) << key;
  }
  put(".claude/skills/x/SKILL.md", "---\nname: x\n---\nA text about hooks\n");
  EXPECT_THAT(names("claude"), IsEmpty());
}

TEST_F(FolderPrograms, HarmlessFilesHideNoProgram) {
  put(".opencode/plugin/evil.ts", "run()");
  for (int i = 0; i < 1000; ++i) put(".opencode/plugin/" + std::to_string(i) + ".ts", "");
  EXPECT_THAT(names("opencode"), ElementsAre(".opencode/plugin/evil.ts"));
  std::string deep = ".opencode/plugin/";
  for (int i = 0; i < 12; ++i) deep += "d/";
  put(deep + "evil.ts", "run()");
  const auto all = found("opencode");
  EXPECT_TRUE(std::ranges::any_of(all, [](const FolderProgram& program) { return !program.can_be_allowed; }));
}

TEST_F(FolderPrograms, ALargeFileIsIdentifiedByItsContents) {
  const std::string padding(2 << 20, ' ');
  put(".gemini/settings.json", R"({"mcpServers":{"x":{"command":"./one"}}})" + padding);
  const std::string first = found("gemini").at(0).file.sha256;
  put(".gemini/settings.json", R"({"mcpServers":{"x":{"command":"./two"}}})" + padding);
  EXPECT_NE(found("gemini").at(0).file.sha256, first);
  fs::resize_file(base + "/work/.gemini/settings.json", 17 << 20);
  EXPECT_FALSE(found("gemini").at(0).can_be_allowed);
}

// Files of a folder with permissions for an agent that has no hook of ours: its questions would end.
TEST_F(FolderPrograms, PermissionsOfTheFolderCount) {
  put(".claude/settings.json", R"({"permissions":{"allow":["Bash"]}})");
  put(".qwen/settings.json", R"({"permissions":{"allow":["Bash"]}})");
  for (const char* const key : {"policyPaths", "adminPolicyPaths"}) {
    put(".gemini/settings.json", std::string(R"({")") + key + R"(":["./p.toml"]})");
    EXPECT_THAT(names("gemini"), ElementsAre(".gemini/settings.json")) << key;
  }
  EXPECT_THAT(names("qwen"), ElementsAre(".qwen/settings.json"));
  EXPECT_THAT(names("claude-acp"), ElementsAre(".claude/settings.json"));
  EXPECT_THAT(names("claude"), IsEmpty()) << "our hook judges its calls";
}

TEST_F(FolderPrograms, FilesWithoutProgramsDoNotCount) {
  put(".claude/settings.json", R"({"permissions":{"allow":["Bash"]},"model":"opus","hooks":{},"env":null})");
  put(".claude/commands/x.md", "Summarise the changes.\n");
  put(".mcp.json", R"({"mcpServers":{}})");
  put(".gemini/settings.json", "");
  put(".codex/config.toml", "# only\n\n  # comments\n");
  put("opencode.json", R"({"theme":"dark"})");
  for (const char* const agent : {"claude", "gemini", "codex-acp", "opencode"}) EXPECT_THAT(names(agent), IsEmpty()) << agent;
  EXPECT_THAT(names("other"), ElementsAre(".claude/settings.json")) << "its permissions may count there";
  EXPECT_THAT(folder_programs(base + "/none", "claude"), IsEmpty());
}

TEST_F(FolderPrograms, UnreadableAndInvalidFilesCount) {
  put(".mcp.json", "{ // a comment\n\"mcpServers\": {} }");
  put(".claude/settings.json", std::string(2 << 20, ' '));
  fs::create_directories(base + "/work/.claude/settings.local.json");
  EXPECT_THAT(names("claude"), ElementsAre(".claude/settings.json", ".claude/settings.local.json", ".mcp.json"));
}

TEST_F(FolderPrograms, FoldersAboveCountUpToTheRootOfTheRepository) {
  const std::string servers = R"({"mcpServers":{"x":{"command":"./evil"}}})";
  put(".mcp.json", servers);
  put("sub/deep/a.txt", "");
  EXPECT_THAT(names("claude", "/sub/deep"), IsEmpty()) << "no repository";
  fs::create_directories(base + "/work/.git");
  EXPECT_THAT(names("claude", "/sub/deep"), ElementsAre("../../.mcp.json"));
  fs::create_directories(base + "/work/sub/.git");
  EXPECT_THAT(names("claude", "/sub/deep"), IsEmpty()) << "a repository of its own";
  std::ofstream(base + "/home/.mcp.json") << servers;
  EXPECT_THAT(folder_programs(base + "/home", "claude"), IsEmpty()) << "the home folder is the person's own";
}

}  // namespace
}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// Folders with programs or permissions of their own: no real agent starts there before a person has allowed the file. Afterwards the file has
// its effect, so that each case proves its row of folder_programs.cpp.
#include "apps/parlance/config/trusting_agent.h"
#include "parlance/hub/conversation/conversation.h"
#include "tests/peers/acp/real_agents.h"

namespace parlance::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct FolderCase {
  std::string_view name;
  std::string_view preset;
  std::string_view file;
  std::string_view text;         // {out}/RAN is made by its program
  bool lifts_questions = false;  // … or it allows `touch made.txt`
};

constexpr std::array cases{
    FolderCase{"GeminiServer", "gemini", ".gemini/settings.json",
               R"({"mcpServers":{"x":{"command":"touch","args":["{out}/RAN"]}}})"},
    FolderCase{"GeminiPolicy", "gemini", ".gemini/settings.json", R"({"policyPaths":["{w}/p.toml"]})", true},
    FolderCase{"GeminiAdminPolicy", "gemini", ".gemini/settings.json", R"({"adminPolicyPaths":["{w}/p.toml"]})", true},
    FolderCase{"QwenHook", "qwen", ".qwen/settings.json",
               R"({"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch {out}/RAN"}]}]}})"},
    FolderCase{"QwenPermission", "qwen", ".qwen/settings.json", R"x({"permissions":{"allow":["Bash(touch *)"]}})x", true},
    FolderCase{"CopilotHook", "copilot", ".github/hooks/x.json",
               R"({"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch {out}/RAN"}]}})"},
    FolderCase{"CodexServer", "codex-acp", ".codex/config.toml",
               "[mcp_servers.x]\ncommand = \"touch\"\nargs = [\"{out}/RAN\"]\n"},
    FolderCase{"ClaudeHook", "claude-acp", ".claude/settings.json",
               R"({"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch {out}/RAN"}]}]}})"},
    FolderCase{"ClaudePermission", "claude-acp", ".claude/settings.json", R"x({"permissions":{"allow":["Bash(touch:*)"]}})x",
               true}};

class AgentTrust : public RealAgentTest, public ::testing::WithParamInterface<FolderCase> {
 protected:
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(base + "/work/" + name).parent_path());
    std::ofstream(base + "/work/" + name) << text;
  }
  void open_trusting_hub() {
    driver::AcpAgentSettings settings = settings_of_agent();
    const std::string folder = fs::canonical(base + "/work").string();  // which two agents trust by their own files
    if (real.preset == "codex-acp")
      std::ofstream(base + "/home/.codex/config.toml", std::ios::app)
          << "[projects.\"" << folder << "\"]\ntrust_level = \"trusted\"\n";
    if (real.preset == "claude-acp")
      std::ofstream(base + "/home/.claude.json") << R"({"projects":{")" << folder << R"(":{"hasTrustDialogAccepted":true}}})";
    hub = std::make_unique<hub::Hub>(loop, store, hub::HubSettings{.workspace = toolbox::agent_workspaces(loop)});
    hub->add_agent(app::in_trusted_folders(driver::agent_via_acp(loop, std::move(settings)), base + "/state"));
    ASSERT_TRUE(loop.block_on(hub->start()));
  }
  std::string conversation_here() {
    auto made = loop.block_on(hub->create({.agent = std::string(real.preset), .folder = base + "/work"}));
    EXPECT_TRUE(made) << made.error().message;
    return made ? made->id : "";
  }
};

TEST_P(AgentTrust, NothingOfTheFolderHasAnEffectBeforeApproval) {
  const FolderCase& given = GetParam();
  needs_agent(given.preset);
  if (IsSkipped() || HasFatalFailure()) return;
  put(std::string(given.file), placed(std::string(given.text)));
  put("p.toml", "[[rule]]\ntoolName = \"run_shell_command\"\ndecision = \"allow\"\npriority = 900\n");
  const std::string effect = base + (given.lifts_questions ? "/work/made.txt" : "/out/RAN");
  const std::string words = given.lifts_questions ? replaced(std::string(real.tools.command), "%", "touch made.txt") : "hello";
  open_trusting_hub();
  const std::string id = conversation_here();

  begin(id, words);
  hub::Ask ask = asked();
  EXPECT_THAT(ask.detail.value_or(""), HasSubstr(given.file));
  answer(ask, hub::OptionKind::reject_once);
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_THAT(last_failure(id), HasSubstr("does not start"));
  EXPECT_FALSE(fs::exists(effect));

  begin(id, words);
  answer(asked(), hub::OptionKind::allow_always);
  until([&] { return fs::exists(effect) || hub->find(id)->state == hub::ConversationState::idle; }, "the effect of the file");
  until_idle(id);
  EXPECT_TRUE(fs::exists(effect)) << "this file has no effect: " << last_failure(id) << said(id);
}

INSTANTIATE_TEST_SUITE_P(Folder, AgentTrust, ::testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace parlance::test

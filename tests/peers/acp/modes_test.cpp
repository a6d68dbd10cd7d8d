// SPDX-License-Identifier: Apache-2.0
// The effect of each mode of ours with the real programs of the presets; docs/agent_modes.md prints the results. A model script attempts
// each action in each mode, and the test refuses every request for approval. PARLANCE_WRITE_TABLES=1 writes the page.
#include <array>
#include <map>

#include "parlance/driver/acp/presets.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {
namespace {

using hub::Mode;

constexpr std::array modes{Mode::default_, Mode::auto_edit, Mode::smart, Mode::yolo, Mode::plan};
constexpr std::string_view page = PARLANCE_SOURCE_DIR "/docs/agent_modes.md";

struct Attempt {
  std::string_view what;
  std::string_view words;  // for the model, with {w} and {out}
};

std::string content_of(std::string_view name) {
  std::ifstream in{std::string(name), std::ios::binary};
  return {std::istreambuf_iterator<char>(in), {}};
}

class AgentModesTest : public AcpAgentTest {
 protected:
  void begin_with(const std::string& preset, std::vector<std::string> command,
                  std::vector<std::pair<std::string, std::string>> environment) {
    driver::AcpAgentSettings settings = driver::settings_of(*driver::find_acp_preset(preset));
    settings.command = std::move(command);
    settings.environment.insert(settings.environment.end(), {{"HOME", base + "/home"}, {"IS_SANDBOX", "1"}});
    settings.environment.insert(settings.environment.end(), environment.begin(), environment.end());
    name_ = settings.name;
    open_hub(std::move(settings));
  }
  std::string program(const std::string& peer, const std::string& file) const {
    return peers_folder() + "/" + peer + "/node_modules/" + file;
  }

  void compare(const std::vector<Attempt>& attempts) {
    std::map<std::string_view, std::string> rows;
    for (const Mode mode : modes) {
      const std::string id = conversation(mode);
      for (const Attempt& attempt : attempts) rows[attempt.what] += " " + outcome(id, mode, attempt) + " |";
    }
    std::string table = "\n| action | default | autoEdit | smart | yolo | plan |\n| --- | --- | --- | --- | --- | --- |\n";
    for (const Attempt& attempt : attempts) table += "| " + std::string(attempt.what) + " |" + rows[attempt.what] + "\n";
    hold(table + "\n");
  }

 private:
  std::string filled(std::string text) const {
    for (const auto& [name, path] : {std::pair{std::string("{w}"), base + "/work"}, {std::string("{out}"), base + "/out"}})
      for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) text.replace(at, name.size(), path);
    return text;
  }
  void reset() const {
    namespace fs = std::filesystem;
    fs::create_directories(base + "/out");
    for (const char* file : {"new.txt", "made.txt"}) fs::remove(base + "/work/" + file);
    std::ofstream(base + "/work/a.txt") << "one INSIDE\n";
    std::ofstream(base + "/out/b.txt") << "SECRET\n";
  }
  bool changed() const { return file("a.txt") != "one INSIDE\n" || std::filesystem::exists(base + "/work/new.txt") || made(); }
  bool made() const { return std::filesystem::exists(base + "/work/made.txt"); }

  // asked: a person refused, without an effect. done: an effect without a question. refused: no question and no effect.
  std::string outcome(const std::string& id, Mode mode, const Attempt& attempt) {
    reset();
    const std::size_t before = store.logs[id].size();
    begin(id, filled(std::string(attempt.words)));
    bool asks = false;
    until(
        [&] {
          for (const hub::Ask& ask : hub->snapshot().asks)
            if (ask.state == hub::AskState::open) {
              asks = true;
              answer(ask, hub::OptionKind::reject_once);
            }
          return hub->find(id)->state == hub::ConversationState::idle;
        },
        "the end of a turn");
    const bool reads = attempt.what.starts_with("read");
    const bool happened = reads ? told_since(id, before) : changed();
    EXPECT_FALSE(asks && happened) << name_ << ": " << attempt.what << " was refused, and happened";
    if (mode == Mode::plan && !reads) EXPECT_FALSE(happened) << name_ << ": plan mode changed something: " << attempt.what;
    if (mode == Mode::default_ && !reads) EXPECT_FALSE(happened) << name_ << ": unasked: " << attempt.what;
    return asks ? "asked" : happened ? "done" : "refused";
  }
  bool told_since(const std::string& id, std::size_t before) const {
    std::string all;
    const auto& log = store.logs.at(id);
    for (std::size_t i = before; i < log.size(); ++i) {
      if (const auto* text = std::get_if<hub::event::Text>(&log[i].body)) all += text->text;
      if (const auto* output = std::get_if<hub::event::ToolOutput>(&log[i].body)) all += output->text;
    }
    return all.contains("INSIDE") || all.contains("SECRET");
  }

  void hold(const std::string& table) const {
    std::string text = content_of(page);
    const std::string head = "<!-- " + name_ + ": printed by tests/peers/acp/modes_test.cpp -->\n";
    const std::size_t at = text.find(head);
    const std::size_t end = text.find("<!-- end of " + name_ + " -->");
    ASSERT_TRUE(at != std::string::npos && end != std::string::npos) << page << " has no section of " << name_;
    const std::size_t begin = at + head.size();
    if (std::getenv("PARLANCE_WRITE_TABLES") == nullptr) {
      EXPECT_EQ(text.substr(begin, end - begin), table) << "run this test with PARLANCE_WRITE_TABLES=1";
      return;
    }
    text.replace(begin, end - begin, table);
    std::ofstream(std::string(page), std::ios::binary) << text;
  }

  std::string name_;
};

TEST_F(AgentModesTest, Codex) {
  needs("codex-acp", "@agentclientprotocol/codex-acp/dist/index.js");
  if (IsSkipped() || HasFatalFailure()) return;
  std::filesystem::create_directories(base + "/home/.codex");
  std::ofstream(base + "/home/.codex/config.toml")
      << "model = \"gpt-5.5\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\nbase_url = \""
      << started_model("mock-responses") << "/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n";
  begin_with("codex-acp", {PARLANCE_NODE, program("codex-acp", "@agentclientprotocol/codex-acp/dist/index.js")},
             {{"MOCK_KEY", "x"}, {"OPENAI_API_KEY", "x"}});
  compare(
      {{"make a file",
        R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Add File: {w}/new.txt\n+x\n*** End Patch"})"},
       {"change a file",
        R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Update File: {w}/a.txt\n@@\n-one INSIDE\n+two\n*** End Patch"})"},
       {"delete a file",
        R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Delete File: {w}/a.txt\n*** End Patch"})"},
       {"command `touch`", R"(@mock tool {"name":"exec_command","args":{"cmd":"touch made.txt"}})"},
       {"the same outside the sandbox of Codex",
        R"(@mock tool {"name":"exec_command","args":{"cmd":"touch made.txt","sandbox_permissions":"require_escalated","justification":"j"}})"},
       {"read a file inside the folder", "@mock tool {\"name\":\"exec_command\",\"args\":{\"cmd\":\"cat a.txt\"}}\n@mock echo"},
       {"read a file outside it", "@mock tool {\"name\":\"exec_command\",\"args\":{\"cmd\":\"cat {out}/b.txt\"}}\n@mock echo"}});
}

TEST_F(AgentModesTest, OpenCode) {
  needs("opencode", "opencode-linux-x64/bin/opencode");
  if (IsSkipped() || HasFatalFailure()) return;
  std::filesystem::create_directories(base + "/home/.config/opencode");
  std::ofstream(base + "/home/.config/opencode/opencode.json")
      << R"({"model":"mock/mock","provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":")"
      << started_model() << R"(/v1","apiKey":"x"},"models":{"mock":{"name":"mock"}}}}})";
  begin_with("opencode", {program("opencode", "opencode-linux-x64/bin/opencode"), "acp"},
             {{"OPENCODE_DISABLE_MODELS_FETCH", "1"}, {"OPENCODE_DISABLE_AUTOUPDATE", "1"}});
  compare({{"make a file", R"(call:write {"filePath":"{w}/new.txt","content":"x\n"})"},
           {"change a file", R"(call:edit {"filePath":"{w}/a.txt","oldString":"one","newString":"two"})"},
           {"command `rm`", R"(call:bash {"command":"rm a.txt","description":"d"})"},
           {"command `touch`", R"(call:bash {"command":"touch made.txt","description":"d"})"},
           {"read a file inside the folder", R"(call:read {"filePath":"{w}/a.txt"})"},
           {"read a file outside it", R"(call:read {"filePath":"{out}/b.txt"})"}});
}

TEST_F(AgentModesTest, ClaudeBehindAcp) {
  needs("claude-agent-acp", "@agentclientprotocol/claude-agent-acp/dist/index.js");
  if (IsSkipped() || HasFatalFailure()) return;
  begin_with("claude-acp", {PARLANCE_NODE, program("claude-agent-acp", "@agentclientprotocol/claude-agent-acp/dist/index.js")},
             {{"ANTHROPIC_BASE_URL", started_model("mock-anthropic")},
              {"ANTHROPIC_API_KEY", "dummy"},
              {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
              {"DISABLE_TELEMETRY", "1"},
              {"DISABLE_AUTOUPDATER", "1"},
              {"DISABLE_ERROR_REPORTING", "1"}});
  compare(
      {{"make a file", R"(@mock tool {"name":"Write","input":{"file_path":"{w}/new.txt","content":"x\n"}})"},
       {"change a file",
        "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"{w}/a.txt\"}}\n"
        "@mock tool {\"name\":\"Edit\",\"input\":{\"file_path\":\"{w}/a.txt\",\"old_string\":\"one\",\"new_string\":\"two\"}}"},
       {"command `rm`", R"(@mock tool {"name":"Bash","input":{"command":"rm a.txt","description":"d"}})"},
       {"command `touch`", R"(@mock tool {"name":"Bash","input":{"command":"touch made.txt","description":"d"}})"},
       {"read a file inside the folder", "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"{w}/a.txt\"}}\n@mock echo"},
       {"read a file outside it", "@mock tool {\"name\":\"Read\",\"input\":{\"file_path\":\"{out}/b.txt\"}}\n@mock echo"}});
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// The effect of each mode of ours with the real programs of the presets; docs/agent_modes.md prints the results. A model script attempts
// each action in each mode, and the test refuses every request for approval. PARLANCE_WRITE_TABLES=1 writes the page.
#include <array>
#include <map>
#include <optional>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/transport/http/http_server.h"
#include "tests/peers/acp/real_agents.h"

namespace parlance::test {
namespace {

using hub::Mode;

constexpr std::array modes{Mode::default_, Mode::auto_edit, Mode::smart, Mode::yolo, Mode::plan};
constexpr std::string_view page = PARLANCE_SOURCE_DIR "/docs/agent_modes.md";

// Without words for the model, `what` ends with the reason, and the cells of the row stay empty.
struct Attempt {
  std::string what;
  std::string words;  // with {w} and {out}
};

std::string filled(std::string_view pattern, std::string_view value) { return replaced(std::string(pattern), "%", value); }

class AgentModesTest : public RealAgentTest {
 protected:
  void begin_with(std::string_view preset) {
    needs_agent(preset);
    if (IsSkipped() || HasFatalFailure()) return;
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) {
      ++visits_;
      return answer_page(exchange);
    });
    ASSERT_TRUE(listening) << listening.error().message;
    pages_ = *std::move(listening);
    driver::AcpAgentSettings settings = settings_of_agent();
    settings.mcp_servers = [near = server_near()] { return std::vector{near}; };
    name_ = settings.name;
    open_hub(std::move(settings));
  }
  void TearDown() override {
    RealAgentTest::TearDown();
    pages_.reset();
  }
  std::vector<Attempt> usual() const {
    const AgentTools& tools = real.tools;
    const std::string address = "http://127.0.0.1:" + std::to_string(pages_->port()) + "/page";
    const std::string visit = std::string(PARLANCE_NODE) + R"( -e \"fetch(')" + address + R"(')\")";
    std::vector<Attempt> all{{"read a file inside the folder", filled(tools.read, "{w}/a.txt")},
                             {"read a file outside it", filled(tools.read, "{out}/b.txt")},
                             {"make a file", filled(tools.write, "{w}/new.txt")},
                             {"change a file", std::string(tools.change)},
                             {"make a file outside the folder", filled(tools.write, "{out}/new.txt")},
                             {"make a file in a guarded place", filled(tools.write, "{w}/.mcp.json")}};
    if (tools.fetch.empty()) all.push_back({.what = "fetch a page: the agent offers no tool for it here"});
    else all.push_back({"fetch a page", filled(tools.fetch, address)});
    all.push_back({"tool of an MCP server", std::string(tools.mcp)});
    for (const auto& [what, command] : {std::pair<std::string, std::string>{"command `rm`", "rm a.txt"},
                                        {"command `mv`", "mv a.txt new.txt"},
                                        {"command `ln -s`", "ln -s a.txt new.txt"},
                                        {"command `touch`", "touch made.txt"},
                                        {"command that opens a connection", visit}})
      all.push_back({what, filled(tools.command, command)});
    return all;
  }

  void compare(const std::vector<Attempt>& attempts) {
    std::map<std::string, std::string> rows;
    for (const Mode mode : modes) {
      const std::string id = conversation(mode);
      for (const Attempt& attempt : attempts)
        rows[attempt.what] += " " + (attempt.words.empty() ? "" : outcome(id, mode, attempt)) + " |";
    }
    std::string table = "\n| action | default | autoEdit | smart | yolo | plan |\n| --- | --- | --- | --- | --- | --- |\n";
    for (const Attempt& attempt : attempts) table += "| " + attempt.what + " |" + rows[attempt.what] + "\n";
    hold(table + "\n");
  }

 private:
  static Task<void> answer_page(HttpExchange& exchange) { co_await exchange.respond({.body = "a page"}); }

  // An unchanged file keeps its time, because some agents read changed files again.
  void reset() {
    namespace fs = std::filesystem;
    for (const char* file : {"/work/new.txt", "/work/made.txt", "/work/.mcp.json", "/out/new.txt"}) fs::remove(base + file);
    for (const auto& [path, text] : {std::pair{base + "/work/a.txt", "one INSIDE\n"}, {base + "/out/b.txt", "SECRET\n"}})
      if (content_of(path) != text) std::ofstream(path) << text;
    visits_ = 0;
  }
  std::string files() const {
    std::map<std::string, std::string> all;
    for (const char* const folder : {"/work", "/out"})
      for (const auto& entry : std::filesystem::recursive_directory_iterator(base + folder))
        all[entry.path()] = entry.is_symlink() ? "a link" : entry.is_regular_file() ? content_of(entry.path()) : "";
    std::string text;
    for (const auto& [path, content] : all) text += path + "=" + content + "\n";
    return text;
  }

  std::optional<hub::Ask> open_ask() const {
    for (hub::Ask& ask : open_asks(*hub))
      if (ask.state == hub::AskState::open) return std::move(ask);
    return std::nullopt;
  }
  // asked: a person refused, without an effect. done: an effect without a question. refused: no question and no effect.
  std::string outcome(const std::string& id, Mode mode, const Attempt& attempt) {
    reset();
    const std::string files_before = files();
    const std::size_t before = store.logs[id].size();
    begin(id, placed(attempt.words));
    bool asks = false;
    until(
        [&] {
          while (const auto ask = open_ask()) {  // the next request may come during an answer
            asks = true;
            answer(*ask, hub::OptionKind::reject_once);
          }
          return hub->find(id)->state == hub::ConversationState::idle;
        },
        "the end of a turn");
    const std::string files_after = files();
    const std::string text = text_since(id, before);
    const bool reads = attempt.what.starts_with("read");
    const bool happened = reads                              ? text.contains("INSIDE") || text.contains("SECRET")
                          : attempt.what.starts_with("tool") ? text.contains("This is a simple text response")
                                                             : files_after != files_before || visits_ > 0;
    const std::string where = name_ + ", mode " + std::string(to_string(mode)) + ": " + attempt.what;
    EXPECT_FALSE(asks && happened) << where << " was refused, and happened\n" << files_before << files_after << text;
    if (mode == Mode::plan && !reads) EXPECT_FALSE(happened) << where << ": plan mode changed something\n" << files_after;
    if (mode == Mode::default_ && !reads) EXPECT_FALSE(happened) << where << " happened unasked\n" << files_after;
    if (std::getenv("PARLANCE_SHOW_TURNS") != nullptr) std::cerr << where << ": " << text << "\n";
    return asks ? "asked" : happened ? "done" : "refused";
  }
  std::string text_since(const std::string& id, std::size_t before) const {
    std::string all;
    const auto& log = store.logs.at(id);
    for (std::size_t i = before; i < log.size(); ++i) {
      if (const auto* text = std::get_if<hub::event::Text>(&log[i].body)) all += text->text;
      if (const auto* output = std::get_if<hub::event::ToolOutput>(&log[i].body)) all += output->text;
    }
    return all;
  }

  void hold(const std::string& table) const {
    std::string text = content_of(std::string(page));
    const std::string head = "<!-- " + name_ + ": printed by tests/peers/acp/modes_test.cpp -->\n";
    const std::size_t at = text.find(head);
    const std::size_t end = text.find("<!-- end of " + name_ + " -->");
    ASSERT_TRUE(at != std::string::npos && end != std::string::npos) << page << " has no section of " << name_;
    const std::string version_line = "\nVersion " + version() + " of";
    const std::size_t heading = text.rfind("\n## ", at);
    EXPECT_NE(text.substr(heading, at - heading).find(version_line), std::string::npos) << page << ": write" << version_line;
    const std::size_t begin = at + head.size();
    if (std::getenv("PARLANCE_WRITE_TABLES") == nullptr) {
      EXPECT_EQ(text.substr(begin, end - begin), table) << "run this test with PARLANCE_WRITE_TABLES=1";
      return;
    }
    text.replace(begin, end - begin, table);
    std::ofstream(std::string(page), std::ios::binary) << text;
  }

  std::string name_;
  std::unique_ptr<HttpServer> pages_;
  int visits_ = 0;
};

TEST_F(AgentModesTest, Gemini) {
  begin_with("gemini");
  if (!IsSkipped() && !HasFatalFailure()) compare(usual());
}

TEST_F(AgentModesTest, QwenCode) {
  begin_with("qwen");
  if (!IsSkipped() && !HasFatalFailure()) compare(usual());
}

TEST_F(AgentModesTest, Copilot) {
  begin_with("copilot");
  if (IsSkipped() || HasFatalFailure()) return;
  std::ofstream(base + "/tmp/c.txt") << "SECRET\n";
  std::vector<Attempt> all = usual();
  all.insert(all.begin() + 2, {"read a file in the folder for temporary files", filled(real.tools.read, base + "/tmp/c.txt")});
  compare(all);
}

TEST_F(AgentModesTest, Codex) {
  begin_with("codex-acp");
  if (IsSkipped() || HasFatalFailure()) return;
  std::vector<Attempt> all = usual();
  all.push_back({"delete a file by a patch",
                 R"(@mock custom {"name":"apply_patch","input":"*** Begin Patch\n*** Delete File: {w}/a.txt\n*** End Patch"})"});
  all.push_back(
      {"command `touch` outside the sandbox of Codex",
       R"(@mock tool {"name":"exec_command","args":{"cmd":"touch made.txt","sandbox_permissions":"require_escalated","justification":"j"}})"});
  compare(all);
}

TEST_F(AgentModesTest, OpenCode) {
  begin_with("opencode");
  if (!IsSkipped() && !HasFatalFailure()) compare(usual());
}

TEST_F(AgentModesTest, ClaudeBehindAcp) {
  begin_with("claude-acp");
  if (!IsSkipped() && !HasFatalFailure()) compare(usual());
}

}  // namespace
}  // namespace parlance::test

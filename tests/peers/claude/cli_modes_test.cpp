// SPDX-License-Identifier: Apache-2.0
// The promise of each mode with the real Claude Code. A scripted model attempts each action in each mode, and the test refuses every request.
// docs/agent_modes.md holds the result; PARLANCE_WRITE_TABLES=1 writes the table.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

namespace fs = std::filesystem;

constexpr std::array modes{hub::Mode::default_, hub::Mode::auto_edit, hub::Mode::smart, hub::Mode::yolo, hub::Mode::plan};

struct Attempt {
  std::string what;
  std::string tool;
  std::string input;  // {work} and {out} are folders
  std::array<std::string_view, modes.size()> outcomes;
};

Attempt command(std::string what, const std::string& text, std::array<std::string_view, modes.size()> outcomes) {
  json::Object input;
  input.set("command", text);
  input.set("description", "a command");
  return {std::move(what), "Bash", json::to_text(json::Value(std::move(input))), outcomes};
}

std::vector<Attempt> attempts() {
  const std::array<std::string_view, modes.size()> free{"done", "done", "done", "done", "done"};
  const std::array<std::string_view, modes.size()> asked{"asked", "asked", "asked", "asked", "asked"};
  const std::array<std::string_view, modes.size()> edits{"asked", "done", "asked", "done", "refused"};
  const std::array<std::string_view, modes.size()> commands{"asked", "asked", "asked", "done", "refused"};
  const std::array<std::string_view, modes.size()> never{"asked", "asked", "asked", "asked", "refused"};
  return {
      {"read a file inside the folder", "Read", R"({"file_path":"{work}/change.txt"})", free},
      {"read a file outside it", "Read", R"({"file_path":"{out}/secret"})", asked},
      {"make a file", "Write", R"({"file_path":"{work}/new.txt","content":"x"})", edits},
      {"change a file", "Edit", R"({"file_path":"{work}/change.txt","old_string":"one","new_string":"two"})", edits},
      {"make a file outside the folder", "Write", R"({"file_path":"{out}/new.txt","content":"x"})", never},
      {"make a file in a guarded place", "Write", R"({"file_path":"{work}/.claude/settings.json","content":"{}"})", never},
      {"make a file in `.git`", "Write", R"({"file_path":"{work}/.git/hooks/x","content":"x"})", never},
      command("command `ls`", "ls", commands),
      command("command `git status; touch MADE`", "git status; touch MADE", commands),
      command("command `rm`", "rm delete.txt", commands),
      command("command `mv`", "mv move.txt moved.txt", commands),
      command("command `cp`", "cp change.txt copied.txt", commands),
      command("command `ln -s`", "ln -s change.txt linked.txt", commands),
      command("command `sed -i`", "sed -i s/in/out/ inplace.txt", commands),
      {"tool of an MCP server", "mcp__near__test_simple_text", "{}", commands},
      {"command of a sub-agent", "Task",
       R"({"description":"d","subagent_type":"general-purpose","prompt":"@mock tool {\"name\":\"Bash\",\"input\":)"
       R"({\"command\":\"touch subagent.txt\",\"description\":\"d\"}}\n@mock text {}"})",
       commands},
  };
}

class ClaudeModes : public ClaudeCli {
 protected:
  std::string placed(std::string text) const {
    for (const auto& [name, folder] : {std::pair{"{work}", "/work"}, std::pair{"{out}", "/out"}})
      for (std::size_t at = 0; (at = text.find(name)) != std::string::npos;) text.replace(at, std::strlen(name), base + folder);
    return text;
  }
  void make_files() const {
    fs::remove_all(base + "/work");
    fs::create_directories(base + "/work/.git");
    fs::create_directories(base + "/out");
    for (const char* const name : {"work/change.txt", "work/delete.txt", "work/move.txt", "work/inplace.txt", "out/secret"})
      std::ofstream(base + "/" + name) << "one\n";
  }
  // All files in both folders with their contents, in one line.
  std::string files() const {
    std::vector<std::string> all;
    for (const char* const folder : {"/work", "/out"})
      for (const auto& entry : fs::recursive_directory_iterator(base + folder))
        all.push_back(entry.path().string() + (entry.is_regular_file() ? "=" + read_file(entry.path()) : ""));
    std::ranges::sort(all);
    std::string text;
    for (const std::string& one : all) text += one + " ";
    return text;
  }
  // Runs a turn with all attempts and refuses every request; returns the calls with a request.
  std::set<std::string> play(const std::string& id) {
    std::string prompt;
    for (const Attempt& attempt : attempts()) prompt += tool_step(attempt.tool, placed(attempt.input));
    begin(id, prompt + step("echo"));
    std::set<std::string> asked;
    until(
        [&] {
          for (const hub::Ask& ask : open_asks(*hub))
            if (ask.state == hub::AskState::open && asked.insert(ask.call.value_or("")).second) answer(ask, "reject");
          return hub->find(id)->state == hub::ConversationState::idle;
        },
        "the end of the turn");
    return asked;
  }
  // By attempt, of the newest turn.
  std::vector<std::string> outcomes(const std::string& id, const std::set<std::string>& asked) const {
    const std::size_t most = attempts().size();
    std::vector<std::string> calls;
    std::map<std::string, std::string> inside;  // the call of a sub-agent, by its parent
    std::map<std::string, hub::ToolEndState> ends;
    for (const hub::Event& event : store.logs.at(id)) {
      if (std::holds_alternative<hub::event::TurnStart>(event.body)) calls.clear();
      if (const auto* start = std::get_if<hub::event::ToolStart>(&event.body)) {
        // 2.1.332 asks about the call of a sub-agent before the stream names its parent; the sub-agent is the last attempt.
        if (start->parent || calls.size() == most) inside[start->parent.value_or(calls.back())] = start->call;
        else calls.push_back(start->call);
      }
      if (const auto* end = std::get_if<hub::event::ToolEnd>(&event.body)) ends[end->call] = end->state;
    }
    std::vector<std::string> all;
    for (const std::string& call : calls) {
      const std::string& one = inside.contains(call) ? inside[call] : call;
      all.emplace_back(asked.contains(one)                           ? "asked"
                       : !ends.contains(one)                         ? "no result"
                       : ends.at(one) == hub::ToolEndState::done     ? "done"
                       : ends.at(one) == hub::ToolEndState::rejected ? "refused"
                                                                     : "failed");
    }
    return all;
  }
};

constexpr std::string_view begin_mark = "<!-- Claude Code: printed by tests/peers/claude/cli_modes_test.cpp -->\n";
constexpr std::string_view end_mark = "<!-- end of Claude Code -->\n";

std::string table_of(const std::map<std::string, std::array<std::string, modes.size()>>& rows) {
  std::string table = "| action |";
  std::string line = "| --- |";
  for (const hub::Mode mode : modes) table += " " + std::string(to_string(mode)) + " |", line += " --- |";
  table += "\n" + line + "\n";
  for (const Attempt& attempt : attempts()) {
    table += "| " + attempt.what + " |";
    for (const std::string& outcome : rows.at(attempt.what)) table += " " + outcome + " |";
    table += "\n";
  }
  return table;
}

TEST_F(ClaudeModes, EachModeKeepsItsPromiseForEachAction) {
  mcp_servers = [] {
    return adapter::claude_mcp_config(
        std::vector<toolbox::McpServerSettings>{{.name = "near", .command = {PARLANCE_BINARY_DIR "/bin/mcp_fixture_server"}}});
  };
  open_hub();
  make_files();
  const std::string id = conversation();
  std::map<std::string, std::array<std::string, modes.size()>> rows;
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    make_files();
    const std::string before = files();
    ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.mode = modes[mode]}})));
    const std::set<std::string> asked = play(id);
    std::vector<std::string> actual = outcomes(id, asked);
    const std::vector<Attempt> all = attempts();
    // 2.1.332 ends a sub-agent whose call the hook refuses as failed. The comparison of the files below shows no effect.
    if (modes[mode] == hub::Mode::plan && !actual.empty() && actual.back() == "failed") actual.back() = "refused";
    ASSERT_EQ(actual.size(), all.size()) << said(id);
    for (std::size_t i = 0; i < all.size(); ++i) {
      rows[all[i].what][mode] = actual[i];
      EXPECT_EQ(actual[i], all[i].outcomes[mode]) << all[i].what << " in mode " << to_string(modes[mode]);
    }
    EXPECT_EQ(hub->find(id)->mode, modes[mode]);
    const std::string after = files();
    if (modes[mode] == hub::Mode::default_ || modes[mode] == hub::Mode::smart || modes[mode] == hub::Mode::plan) {
      EXPECT_EQ(after, before) << "nothing happens before somebody allows it, in mode " << to_string(modes[mode]);
    } else {
      EXPECT_THAT(after, testing::HasSubstr("/work/new.txt=x"));
      EXPECT_THAT(after, testing::HasSubstr("/work/change.txt=two"));
      EXPECT_EQ(after.contains("/work/subagent.txt"), modes[mode] == hub::Mode::yolo);
      for (const char* const never : {"/.claude/settings.json", "/.git/hooks/x", "/out/new.txt"})
        EXPECT_THAT(after, testing::Not(testing::HasSubstr(never)));
    }
  }
  const std::string path = PARLANCE_SOURCE_DIR "/docs/agent_modes.md";
  std::string page = read_file(path);
  const std::size_t from = page.find(begin_mark);
  const std::size_t to = page.find(end_mark);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to) << path << " has no section of Claude Code";
  const std::size_t table_at = from + begin_mark.size();
  const std::string table = "\n" + table_of(rows) + "\n";
  if (std::getenv("PARLANCE_WRITE_TABLES") != nullptr) {
    page.replace(table_at, to - table_at, table);
    std::ofstream(path) << page;
  } else {
    EXPECT_EQ(page.substr(table_at, to - table_at), table) << "run this test with PARLANCE_WRITE_TABLES=1";
  }
}

// A settings file of the folder cannot turn the gate off, or allow what the policy asks about.
TEST_F(ClaudeModes, SettingsOfTheFolderAllowNothing) {
  fs::create_directories(base + "/work/.claude");
  std::ofstream(base + "/work/.claude/settings.json")
      << R"x({"disableAllHooks":true,"permissions":{"allow":["Bash","Write","Read(//**)"],"defaultMode":"acceptEdits"}})x";
  std::ofstream(base + "/secret") << "x";
  const std::string id = conversation();
  begin(id, bash_step("touch made.txt") + tool_step("Write", R"({"file_path":")" + base + R"(/work/new.txt","content":"x"})") +
                tool_step("Read", R"({"file_path":")" + base + R"(/secret"})") + step("echo"));
  for (const char* const tool : {"Bash", "Write", "Read"}) {
    const hub::Ask ask = asked();
    EXPECT_EQ(ask.tool, tool);
    answer(ask, "reject");
    until([&] { return store.asks.at(ask.id).state != hub::AskState::open; }, "the answer");
  }
  until_idle(id);
  EXPECT_FALSE(fs::exists(base + "/work/made.txt"));
  EXPECT_FALSE(fs::exists(base + "/work/new.txt"));
  EXPECT_EQ(hub->find(id)->mode, hub::Mode::default_);
}

}  // namespace
}  // namespace parlance::service

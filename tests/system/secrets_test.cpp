// SPDX-License-Identifier: Apache-2.0
// The secrets of the processes below `parlance up`: in their environment, on their command line, behind their descriptors.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "tests/system/runner.h"

namespace parlance::test {
namespace {

using testing::IsEmpty;
using namespace std::string_literals;

// Each value contains the name of its variable.
const Variables secrets{{"PARLANCE_TOKEN", "hidden-PARLANCE_TOKEN-0123456789"},
                        {"PARLANCE_API_KEY", "hidden-PARLANCE_API_KEY-0123456789"},
                        {"PARLANCE_EMBED_API_KEY", "hidden-PARLANCE_EMBED_API_KEY-0123456789"},
                        {"OPENCLAW_UI_TOKEN", "hidden-OPENCLAW_UI_TOKEN-0123456789"},
                        {"OPENCLAW_API_KEY", "hidden-OPENCLAW_API_KEY-0123456789"},
                        {"PGPASSWORD", "hidden-PGPASSWORD-0123456789"},
                        {"ANTHROPIC_API_KEY", "hidden-ANTHROPIC_API_KEY-0123456789"},
                        {"NAMED_TOKEN", "hidden-NAMED_TOKEN-0123456789"}};

constexpr std::array ours{"up", "gateway", "agent", "embed", "sqlite", "runner"};

// Answers as an agent behind ACP, and has its host run a command in a terminal.
constexpr const char* terminal_agent = R"(#!/bin/sh
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\("[^"]*"\|[0-9]*\).*/\1/p')
  case "$line" in
    (*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":1,"agentCapabilities":{}}}';;
    (*'"session/new"'*) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"sessionId":"s"}}';;
    (*'"session/prompt"'*) echo '{"jsonrpc":"2.0","id":900,"method":"terminal/create","params":{"sessionId":"s","command":"env","args":["KIND=terminal","sleep","1000"]}}';;
  esac
done
)";
// Replaces Claude Code: after the first prompt, reports a call, for which the gateway runs the person's hook.
constexpr const char* claude_with_a_call = R"(#!/bin/sh
read -r initialize
read -r prompt
echo '{"type":"control_request","request_id":"r","request":{"subtype":"hook_callback","callback_id":"parlance_hook_gate","tool_use_id":"t","input":{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_path":"a"},"tool_use_id":"t"}}}'
KIND=claude exec sleep 1000
)";

class Secrets : public RunnerTest {
 protected:
  std::string script(const std::string& name, const std::string& text) const {
    write_file(path(name), text);
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
    return path(name);
  }
  // A long-running program with its name in its environment.
  std::string program(const std::string& name) const {
    return script(name, "#!/bin/sh\n[ \"$1\" = --version ] && echo 1.0 && exit\nKIND=" + name + " exec sleep 1000\n");
  }
  // A program for each kind of child.
  void write_configuration() const {
    write_file(path("hooks.json"), R"([{"event":"PreToolUse","command":"KIND=hook exec sleep 1000"}])");
    const auto table = [&](const std::string& name, const std::string& command) {
      return "[agents." + name + "]\ncommand = [\"" + command + "\"]\n";
    };
    write_file(path("more.toml"), "claude_command = \"" + script("claude", claude_with_a_call) + "\"\nclaude_hooks = \"" +
                                      path("hooks.json") + "\"\ndatabases = [\"" + path("a.db") + "\"]\n" +
                                      "[mcp.m]\ncommand = [\"" + program("mcp") + "\"]\nenv = [\"NAMED_TOKEN\"]\n" +
                                      table("evil", program("acp")) + table("iflow", program("iflow")) +
                                      table("seller", script("seller", terminal_agent)));
    write_file(path("runner.toml"), table("evil", program("runner-acp")));
  }
  // "mcp", "command" … of the programs of the test, "gateway" … of a program of ours.
  std::string kind_of(pid_t pid) const {
    const std::string words = read_file("/proc/" + std::to_string(pid) + "/cmdline");
    const std::string environment = '\0' + read_file("/proc/" + std::to_string(pid) + "/environ");
    if (const std::size_t at = environment.find("\0KIND="s); at != std::string::npos)
      return environment.substr(at + 6, environment.find('\0', at + 6) - at - 6);
    for (const char* script : {"acp", "claude", "iflow", "mcp", "runner-acp", "seller"})  // before its `exec`
      if (words.starts_with("/bin/sh\0"s + path(script) + '\0')) return script;
    for (const char* kind : ours)
      if (words.starts_with(with_program({kind}).front() + '\0' + kind + '\0')) return kind;
    return "another: " + words;
  }
  static std::set<std::string> held_by(pid_t pid) {
    std::set<std::string> held;
    for (const char* file : {"environ", "cmdline"}) {
      const std::string text = read_file("/proc/" + std::to_string(pid) + "/" + file);
      for (const auto& [name, value] : secrets)
        if (text.find(value) != std::string::npos)
          held.insert(file == std::string("environ") ? name : name + " on the command line");
    }
    return held;
  }
  // Beyond 0, 1 and 2: a shell opens its script, Node an event loop; a socket, a pipe or a file of the state folder came from us.
  std::vector<std::string> inherited_by(pid_t pid) const {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", none)) {
      if (std::stoi(entry.path().filename()) <= 2) continue;
      const std::string target = std::filesystem::read_symlink(entry.path(), none);
      if (target.starts_with("socket:") || target.starts_with("pipe:") || target.starts_with(state())) found.push_back(target);
    }
    return found;
  }
};

TEST_F(Secrets, EachProcessHoldsOnlyThoseItNeeds) {
  write_configuration();
  start_up({"--config", path("more.toml"), "--model", "rehearsal"}, secrets);
  auto page = connect();
  until_agent();
  Words words = runner_words(base, "box");
  words.insert(words.end(), {"--agent", "evil", "--config", path("runner.toml"), "--model", "rehearsal"});
  std::filesystem::create_directories(farm());
  Variables of_runner = secrets;
  of_runner.emplace_back(mark_name, folder());
  of_runner.emplace_back("PARLANCE_DUMPABLE", "1");
  const auto runner = launch(words, of_runner);
  until_connected(*runner);
  const auto begin = [&](const std::string& agent, const std::string& text) {
    const std::string where = agent.starts_with("box/") ? farm() : work();
    const std::string id = text_at(done(*page, "new", R"("agent":")" + agent + R"(","mode":"yolo","folder":")" + where + "\""),
                                   {"conversation", "id"});
    static_cast<void>(page->request("prompt", R"("conversation":")" + id + R"(","text":")" + text + "\""));
  };
  begin("parlance", "run env KIND=command sleep 1000");
  begin("box/parlance", "run env KIND=runner-command sleep 1000");
  for (const char* agent : {"evil", "claude", "iflow", "seller", "box/evil"}) begin(agent, "hello");

  std::map<std::string, std::set<std::string>> held;
  std::string missing;
  const auto look = [&] {
    held.clear();
    missing.clear();
    for (const pid_t pid : marked_processes()) {
      const std::string kind = kind_of(pid);
      for (const std::string& name : held_by(pid)) held[kind].insert(name);
      held[kind];
    }
    for (const char* kind : {"up", "gateway", "agent", "embed", "sqlite", "runner", "mcp", "acp", "claude", "hook", "iflow",
                             "terminal", "command", "runner-acp", "runner-command"})
      if (!held.contains(kind)) missing += std::string(kind) + " ";
    return missing.empty();
  };
  ASSERT_NO_THROW(until_observed(look, "all kinds of processes")) << "missing: " << missing << "\n"
                                                                  << up->errors << runner->errors;
  const std::set<std::string> of_agents{"ANTHROPIC_API_KEY", "NAMED_TOKEN"};  // an agent signs in with keys of the person
  EXPECT_EQ(held["embed"], (std::set<std::string>{"PARLANCE_EMBED_API_KEY"}));
  EXPECT_EQ(held["agent"], (std::set<std::string>{"PARLANCE_API_KEY", "PARLANCE_EMBED_API_KEY", "OPENCLAW_API_KEY",
                                                  "ANTHROPIC_API_KEY", "PGPASSWORD"}));
  EXPECT_EQ(held["mcp"], (std::set<std::string>{"NAMED_TOKEN"})) << "named in its table";
  for (const auto& [kind, names] : held) {
    if (std::set<std::string>{"up", "gateway", "agent", "embed", "runner", "mcp"}.contains(kind)) continue;
    const bool is_agent = std::set<std::string>{"acp", "claude", "iflow", "runner-acp", "seller"}.contains(kind);
    if (is_agent) EXPECT_EQ(names, of_agents) << kind;
    else EXPECT_THAT(names, IsEmpty()) << kind;
  }
  for (const pid_t pid : marked_processes())
    if (const std::string kind = kind_of(pid); std::ranges::none_of(ours, [&](std::string_view one) { return kind == one; }))
      EXPECT_THAT(inherited_by(pid), IsEmpty()) << kind;
}

}  // namespace
}  // namespace parlance::test

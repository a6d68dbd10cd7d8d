// SPDX-License-Identifier: Apache-2.0
// Which secrets the processes below `parlance up` hold: in their environment, on their command line, behind their descriptors.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::IsEmpty;
using namespace std::string_literals;

// Each value says of which variable it is.
const Variables secrets{{"PARLANCE_TOKEN", "hidden-PARLANCE_TOKEN-0123456789"},
                        {"PARLANCE_API_KEY", "hidden-PARLANCE_API_KEY-0123456789"},
                        {"PARLANCE_EMBED_API_KEY", "hidden-PARLANCE_EMBED_API_KEY-0123456789"},
                        {"OPENCLAW_UI_TOKEN", "hidden-OPENCLAW_UI_TOKEN-0123456789"},
                        {"OPENCLAW_API_KEY", "hidden-OPENCLAW_API_KEY-0123456789"},
                        {"PGPASSWORD", "hidden-PGPASSWORD-0123456789"},
                        {"ANTHROPIC_API_KEY", "hidden-ANTHROPIC_API_KEY-0123456789"},
                        {"NAMED_TOKEN", "hidden-NAMED_TOKEN-0123456789"}};

class Secrets : public ConversationsTest {
 protected:
  // A program that stays, and that is known by its name.
  std::string program(const std::string& name) const {
    write_file(path(name), "#!/bin/sh\nexec sleep 1000\n# " + name + "\n");
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
    return path(name);
  }
  // "mcp", "agent" … of the script that runs, "gateway" … of a service of ours.
  std::string kind_of(pid_t pid) const {
    const std::string words = read_file("/proc/" + std::to_string(pid) + "/cmdline");
    const std::string environment = read_file("/proc/" + std::to_string(pid) + "/environ");
    for (const char* kind : {"up", "gateway", "agent", "embed", "sqlite"})
      if (words.starts_with(with_program({kind}).front() + '\0' + kind + '\0')) return kind;
    for (const char* kind : {"KIND=mcp", "KIND=acp"})
      if (environment.find(std::string(kind) + '\0') != std::string::npos) return kind + 5;
    if (environment.find("CLAUDE_CODE_ENTRYPOINT=sdk-cpp\0"s) != std::string::npos) return "claude";
    if (words.find("sleep\0001234"s) != std::string::npos || words.find("sleep 1234") != std::string::npos) return "command";
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
  write_file(path("more.toml"), "claude_command = \"" + program("claude") + "\"\ndatabases = [\"" + path("a.db") + "\"]\n" +
                                    "[mcp.m]\ncommand = [\"" + program("mcp") + "\"]\nenv = [\"KIND=mcp\", \"NAMED_TOKEN\"]\n" +
                                    "[agents.evil]\ncommand = [\"" + program("acp") + "\"]\nenv = [\"KIND=acp\"]\n");
  start_up({"--config", path("more.toml"), "--model", "rehearsal"}, secrets);
  auto page = connect();
  until_agent();
  const auto begin = [&](const std::string& agent, const std::string& text) {
    const std::string id = text_at(done(*page, "new", R"("agent":")" + agent + R"(","mode":"yolo","folder":")" + work() + "\""),
                                   {"conversation", "id"});
    static_cast<void>(page->request("prompt", R"("conversation":")" + id + R"(","text":")" + text + "\""));
  };
  begin("parlance", "run sleep 1234");
  begin("evil", "hello");
  begin("claude", "hello");

  std::map<std::string, std::set<std::string>> held;
  const auto look = [&] {
    held.clear();
    for (const pid_t pid : marked_processes()) {
      const std::string kind = kind_of(pid);
      for (const std::string& name : held_by(pid)) held[kind].insert(name);
      held[kind];
    }
    return std::ranges::all_of(std::array{"up", "gateway", "agent", "embed", "sqlite", "mcp", "acp", "claude", "command"},
                               [&](const char* kind) { return held.contains(kind); });
  };
  until(look, "all kinds of processes");
  EXPECT_EQ(held["embed"], (std::set<std::string>{"PARLANCE_EMBED_API_KEY"}));
  EXPECT_EQ(held["agent"], (std::set<std::string>{"PARLANCE_API_KEY", "PARLANCE_EMBED_API_KEY", "OPENCLAW_API_KEY",
                                                  "ANTHROPIC_API_KEY", "PGPASSWORD"}));
  EXPECT_EQ(held["mcp"], (std::set<std::string>{"NAMED_TOKEN"})) << "named in its table";
  EXPECT_EQ(held["acp"], (std::set<std::string>{"ANTHROPIC_API_KEY", "NAMED_TOKEN"}))
      << "an agent signs in with keys of the person";
  EXPECT_EQ(held["claude"], (std::set<std::string>{"ANTHROPIC_API_KEY", "NAMED_TOKEN"}));
  for (const auto& [kind, names] : held)
    if (kind == "sqlite" || kind == "command" || kind.starts_with("another")) EXPECT_THAT(names, IsEmpty()) << kind;
  for (const pid_t pid : marked_processes())
    if (const std::string kind = kind_of(pid); !std::set<std::string>{"up", "gateway", "agent", "embed", "sqlite"}.contains(kind))
      EXPECT_THAT(inherited_by(pid), IsEmpty()) << kind;
}

}  // namespace
}  // namespace parlance::test

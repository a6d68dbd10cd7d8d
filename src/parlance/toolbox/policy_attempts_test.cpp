// SPDX-License-Identifier: Apache-2.0
// tests/policy/attempts.txt, run through the real tools: the effect, the decision, and for permitted calls the execution.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/commands/command_words.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/store/test_folder.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/command_runner.h"

namespace parlance::toolbox {
namespace {

namespace fs = std::filesystem;
using hub::Effect;
using hub::Mode;

struct Attempt {
  std::size_t line = 0;
  std::string verdict;
  std::string what;
  std::string argument;
};
struct World {
  std::vector<std::vector<std::string>> changes;
  std::vector<Attempt> attempts;
};

std::vector<std::string> cut(std::string_view text, std::size_t pieces) {
  std::vector<std::string> out;
  while (out.size() + 1 < pieces && text.find(' ') != std::string_view::npos) {
    out.emplace_back(text.substr(0, text.find(' ')));
    text.remove_prefix(text.find(' ') + 1);
  }
  out.emplace_back(text);
  return out;
}

std::vector<World> read_worlds() {
  std::ifstream file(std::string(PARLANCE_SOURCE_DIR) + "/tests/policy/attempts.txt");
  std::vector<World> worlds;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    if (line == "@ fresh") {
      worlds.emplace_back();
    } else if (line.front() == '@') {
      worlds.back().changes.push_back(cut(std::string_view(line).substr(2), 3));
    } else {
      const auto first = line.find('|');
      const auto second = line.find('|', first + 1);
      worlds.back().attempts.push_back({.line = number,
                                        .verdict = std::string(trim(line.substr(0, first))),
                                        .what = std::string(trim(line.substr(first + 1, second - first - 1))),
                                        .argument = line.substr(second + 2)});
    }
  }
  return worlds;
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void put(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

// Sets a variable during its lifetime.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() {
    if (before_) ::setenv(name_.c_str(), before_->c_str(), 1);
    else ::unsetenv(name_.c_str());
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

// A folder with its surroundings, made as described at the beginning of the file.
class Place {
 public:
  explicit Place(const World& world) {
    fs::create_directories(other());
    fs::create_directories(base() / "home");
    put(other() / "key", "SECRET\n");
    make_trap(trap());
    put(project() / "a.txt", "one\ntwo\n");
    put(project() / "src/b.cpp", "int two = 2;\n");
    put(project() / "notes.md", "notes\n");
    shell("git init -q -b main . && git add . && git -c user.name=me -c user.email=me@example.org commit -qm first");
    put(project() / "a.txt", "three\n");
    for (const auto& [name, target] : std::map<std::string, std::string>{{"docs", ".git"},
                                                                         {"out", other()},
                                                                         {"key", other() / "key"},
                                                                         {"alias", "a.txt"},
                                                                         {"self", "."},
                                                                         {"dangling", "nowhere"},
                                                                         {"up", ".."},
                                                                         {"abs", project() / "src"},
                                                                         {"hooks", ".git/hooks"}})
      fs::create_symlink(target, project() / name);
    fs::create_directories(project() / "two");
    fs::create_symlink("../docs", project() / "two/docs");
    fs::create_symlink(project() / "src", base() / "way");
    fs::create_hard_link(other() / "key", project() / "hard");
    for (const char* folder : {"bare/objects", "bare/refs", "half/objects"}) fs::create_directories(project() / folder);
    for (const char* file : {"bare/HEAD", "half/HEAD", "tree/HEAD", "tree/commondir"}) put(project() / file, "x\n");
    put(project() / "sub/.git", "gitdir: ../.git/modules/sub\n");
    variables_.push_back(std::make_unique<Variable>("HOME", (base() / "home").string()));
    for (const auto& words : world.changes) change(words);
  }

  fs::path base() const { return fs::canonical(folder_.path()); }
  fs::path project() const { return base() / "project"; }
  fs::path other() const { return base() / "other"; }
  fs::path trap() const { return base() / "trap"; }
  fs::path mark() const { return base() / "mark"; }
  bool went_off() const {
    const bool there = fs::exists(mark());
    fs::remove(mark());
    return there;
  }
  std::string filled(std::string text) const {
    for (const auto& [name, path] :
         std::map<std::string, fs::path>{{"{base}", base()}, {"{project}", project()}, {"{other}", other()}, {"{trap}", trap()}})
      for (auto at = text.find(name); at != std::string::npos; at = text.find(name)) text.replace(at, name.size(), path.string());
    return text;
  }

 private:
  void make_trap(const fs::path& file) const {
    put(file, "#!/bin/sh\n: > " + mark().string() + "\nexit 1\n");
    fs::permissions(file, fs::perms(0755));
  }
  void shell(const std::string& command) const {
    fs::create_directories(project());
    const std::string line = "cd '" + project().string() + "' && env -i PATH=/usr/local/bin:/usr/bin:/bin HOME='" +
                             (base() / "home").string() + "' /bin/sh -c '" + command + "'";
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  }
  void change(const std::vector<std::string>& words) {
    const auto word = [&](std::size_t i) { return filled(words.at(i)); };
    const std::string& what = words.at(0);
    if (what == "git") shell("git config " + word(1) + " \"" + word(2) + "\"");
    else if (what == "append") put(project() / word(1), word(2) + "\n");
    else if (what == "hook") make_trap(project() / ".git/hooks" / word(1));
    else if (what == "script") make_trap(project() / word(1));
    else if (what == "move") fs::rename(project() / word(1), project() / word(2));
    else if (what == "link") fs::create_symlink(word(2), project() / word(1));
    else if (what == "env") variables_.push_back(std::make_unique<Variable>(word(1), word(2)));
    else if (what == "signed")
      shell(
          "git cat-file commit HEAD | sed \"s/^committer.*/&\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP "
          "SIGNATURE-----/\" | git hash-object -t commit -w --stdin | xargs git update-ref HEAD");
    else FAIL() << "unknown change: " << what;
  }

  store::TestFolder folder_;
  std::vector<std::unique_ptr<Variable>> variables_;
};

class PolicyAttempts : public testing::Test {
 protected:
  void make(const World& world) {
    Place place(world);
    ASSERT_FALSE(HasFatalFailure());
    const auto runner = command_runner(loop);
    BuiltinTools tools(loop, *runner, nullptr);
    setup.folder = place.project().string();
    for (const Attempt& attempt : world.attempts) {
      SCOPED_TRACE("tests/policy/attempts.txt:" + std::to_string(attempt.line) + ": " + attempt.verdict + " " + attempt.what +
                   " " + attempt.argument);
      place.went_off();
      if (attempt.what == "run") command(place, tools, *runner, attempt);
      else file(place, tools, attempt);
      EXPECT_EQ(content(place.other() / "key"), "SECRET\n");
      EXPECT_FALSE(fs::exists(place.other() / "new.txt"));
      ++made;
    }
  }

 private:
  Effect decided(const hub::ToolIntent& intent, const std::string& tool, Mode mode, std::vector<hub::Rule> rules = {}) const {
    return hub::decide({.conversation = setup.id,
                        .agent = "parlance",
                        .folder = setup.folder,
                        .mode = mode,
                        .tool = tool,
                        .intent = intent},
                       rules)
        .effect;
  }

  // ---- commands ----

  void command(const Place& place, BuiltinTools& tools, workspace::CommandRunner& runner, const Attempt& attempt) {
    const std::string line = place.filled(attempt.argument);
    if (attempt.verdict == "trap") {
      static_cast<void>(loop.block_on(runner.run({.command = line, .folder = setup.folder, .timeout = patience}, {})));
      EXPECT_TRUE(place.went_off()) << "a trap that never goes off shows nothing";
      return;
    }
    json::Object arguments;
    arguments.set("command", line);
    const hub::ToolCall call{
        .id = "call", .tool = "run_command", .arguments_json = json::to_text(json::Value(std::move(arguments)))};
    const auto intent = loop.block_on(tools.intent(setup, call));
    ASSERT_TRUE(intent) << intent.error().message;
    const std::string why = intent->look ? intent->look->problem : "not inspected";
    const hub::Offer offer = hub::standard_offer({.conversation = setup.id,
                                                  .agent = "parlance",
                                                  .folder = setup.folder,
                                                  .mode = Mode::default_,
                                                  .tool = "run_command",
                                                  .intent = *intent});
    for (const Mode mode : {Mode::default_, Mode::auto_edit}) EXPECT_EQ(decided(*intent, "run_command", mode), Effect::ask);
    const bool free = attempt.verdict == "free";
    EXPECT_EQ(decided(*intent, "run_command", Mode::smart), free ? Effect::allow : Effect::ask) << why;
    EXPECT_EQ(offer.rules.size(), free ? 2U : 0U) << why;
    if (free && !offer.rules.empty()) {
      EXPECT_EQ(decided(*intent, "run_command", Mode::default_, {offer.rules[0].rule}), Effect::allow);
    }
    by_old_rules(*intent, attempt);
    EXPECT_FALSE(place.went_off()) << "looking started it";
    if (free) run_freely(place, tools, call);
  }

  // Rules in the form of versions before the table.
  void by_old_rules(const hub::ToolIntent& intent, const Attempt& attempt) {
    const auto words = hub::simple_command(*intent.command);
    if (!words) {
      EXPECT_EQ(attempt.verdict, "ask");
      return;
    }
    for (std::size_t count = 1; count <= std::min<std::size_t>(2, words->size()); ++count) {
      const hub::Rule rule{.effect = Effect::allow,
                           .tool = "run_command",
                           .command_words = {words->begin(), words->begin() + static_cast<std::ptrdiff_t>(count)}};
      const bool whole = count == std::min<std::size_t>(2, words->size());
      const bool allowed = decided(intent, "run_command", Mode::default_, {rule}) == Effect::allow;
      if (attempt.verdict == "ask") EXPECT_FALSE(allowed) << count << " words";
      else if (whole) EXPECT_TRUE(allowed) << (intent.look ? intent.look->problem : "");
    }
  }

  void run_freely(const Place& place, BuiltinTools& tools, const hub::ToolCall& call) {
    // Makes git's index outdated.
    fs::last_write_time(place.project() / "src/b.cpp", fs::file_time_type::clock::now());
    const hub::ToolOutcome outcome = loop.block_on(tools.call(setup, call, {}));
    EXPECT_FALSE(place.went_off()) << outcome.text;
    EXPECT_EQ(outcome.text.find("SECRET"), std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text.find("exit status 127"), std::string::npos) << outcome.text;
  }

  // ---- files ----

  void file(const Place& place, BuiltinTools& tools, const Attempt& attempt) {
    static const std::map<std::string, std::string> names{{"write", "write_file"},
                                                          {"edit", "edit_file"},
                                                          {"read", "read_file"},
                                                          {"list", "list_files"},
                                                          {"search", "search_files"}};
    const std::string tool = names.at(attempt.what);
    const bool changes = attempt.what == "write" || attempt.what == "edit";
    json::Object arguments;
    arguments.set("path", place.filled(attempt.argument));
    if (attempt.what == "write") arguments.set("content", "[core]\n");
    if (attempt.what == "edit") {
      arguments.set("old_text", "[core]");  // the content left by an earlier write, or by git
      arguments.set("new_text", "[core] # changed");
    }
    if (attempt.what == "search") arguments.set("pattern", "e");
    const hub::ToolCall call{.id = "call", .tool = tool, .arguments_json = json::to_text(json::Value(std::move(arguments)))};
    const auto intent = loop.block_on(tools.intent(setup, call));
    if (attempt.verdict == "refused") {
      if (intent) {
        EXPECT_EQ(loop.block_on(tools.call(setup, call, {})).state, hub::ToolEndState::failed);
      }
      return;
    }
    ASSERT_TRUE(intent) << intent.error().message;
    const Effect wanted = attempt.verdict == "allow" ? Effect::allow : Effect::ask;
    EXPECT_EQ(decided(*intent, tool, changes ? Mode::auto_edit : Mode::default_), wanted);
    EXPECT_EQ(decided(*intent, tool, Mode::yolo), wanted);
    if (wanted == Effect::ask) never_by_rule(*intent, tool);
    else EXPECT_EQ(loop.block_on(tools.call(setup, call, {})).state, hub::ToolEndState::done);
    if (wanted == Effect::ask && !changes) allowed_by_a_person(place, tools, call, *intent);
  }

  void never_by_rule(const hub::ToolIntent& intent, const std::string& tool) {
    const hub::Rule by_tool{.effect = Effect::allow, .tool = tool};
    hub::Rule in_folder = by_tool;
    in_folder.path_prefix = setup.folder;
    hub::Rule everything = by_tool;
    everything.tool.reset();
    for (const hub::Rule& rule : {by_tool, in_folder, everything})
      for (const Mode mode : {Mode::default_, Mode::auto_edit, Mode::yolo})
        EXPECT_EQ(decided(intent, tool, mode, {rule}), Effect::ask);
    if (intent.guarded) {
      hub::Rule deny{.effect = Effect::deny, .path_prefix = intent.guarded->path};
      EXPECT_EQ(decided(intent, tool, Mode::yolo, {deny}), Effect::deny);
    }
  }

  void allowed_by_a_person(const Place& place, BuiltinTools& tools, const hub::ToolCall& call, const hub::ToolIntent& intent) {
    const hub::ToolOutcome outcome = loop.block_on(tools.call(setup, call, {}));
    EXPECT_EQ(outcome.text.find("Access denied"), intent.real_path ? std::string::npos : 0U) << outcome.text;
    if (call.tool == "read_file" && intent.real_path == (place.other() / "key").string()) {
      EXPECT_EQ(outcome.text, "SECRET\n");
    }
  }

 protected:
  static constexpr std::chrono::milliseconds patience{60000};
  Loop loop;
  hub::SessionSetup setup{.id = "conv_1"};
  std::size_t made = 0;
};

TEST_F(PolicyAttempts, EveryOneEndsAsItIsWritten) {
  for (const World& world : read_worlds()) {
    make(world);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(made, 300U);
}

}  // namespace
}  // namespace parlance::toolbox

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/policy.h"

#include <functional>

#include <gtest/gtest.h>

#include "parlance/hub/commands/command_words.h"
#include "parlance/hub/commands/free_commands.h"
#include "parlance/hub/conversation/tool_words.h"

namespace parlance::hub {
namespace {

ToolIntent reading(bool inside = true) {
  const std::string path = inside ? "/f/a" : "/etc/passwd";
  return {.kind = ToolKind::read, .path = path, .real_path = path, .path_inside = inside};
}
ToolIntent editing(std::string path = "/f/a", bool inside = true) {
  return {.kind = ToolKind::edit, .path = path, .real_path = path, .path_inside = inside};
}
// An intent with a link's target, as resolved by the path guard.
ToolIntent editing_through(std::string shown, std::string real) {
  return {.kind = ToolKind::edit, .path = std::move(shown), .real_path = std::move(real), .path_inside = true};
}
ToolIntent editing_guarded(std::string path, std::string place) {
  ToolIntent intent = editing(std::move(path));
  intent.guarded = GuardedPlace{.path = std::move(place), .why = in_words(ReasonId::git_runs), .reason = ReasonId::git_runs};
  return intent;
}
// Checked, without findings.
ToolIntent running(std::string command, std::vector<std::string> reads = {}) {
  return {.kind = ToolKind::execute, .command = std::move(command), .look = CommandLook{.paths = std::move(reads)}};
}
ToolIntent other() { return {.kind = ToolKind::other}; }

Decision decided(Mode mode, const ToolIntent& intent, std::vector<Rule> rules = {}, std::string_view tool = "tool") {
  return decide({.conversation = "c1", .agent = "parlance", .folder = "/f", .mode = mode, .tool = tool, .intent = intent}, rules);
}

TEST(Policy, EveryModeDecidesEveryKind) {
  struct Row {
    const char* what;
    ToolIntent intent;
    std::string effects;  // default autoEdit yolo plan smart; a, ?, d
  };
  const std::vector<Row> table{
      {"read inside", reading(), "aaaaa"},
      {"read outside", reading(false), "?????"},
      {"edit inside", editing(), "?aad?"},
      {"edit outside", editing("/etc/passwd", false), "???d?"},
      {"edit of git's own files", editing_guarded("/f/.git/hooks/post-checkout", "/f/.git"), "???d?"},
      {"an uninspected file", {.kind = ToolKind::edit, .path = "/f/a", .path_inside = true}, "???d?"},
      {"an uninspected file to read", {.kind = ToolKind::read, .path = "/f/a", .path_inside = true}, "?????"},
      {"reading command", running("git status --short"), "??ada"},
      {"writing command", running("rm -rf x"), "??ad?"},
      {"uninspected reading command", {.kind = ToolKind::execute, .command = "git status"}, "??ad?"},
      {"reading command with a problem",
       {.kind = ToolKind::execute, .command = "git status", .look = CommandLook{.problem = "x"}},
       "??ad?"},
      {"look into the memory", {.kind = ToolKind::memory}, "aaaaa"},
      {"keep unasked", {.kind = ToolKind::memory, .memory = MemoryUse::keep}, "??a??"},
      {"keep what the person's message asks for",
       {.kind = ToolKind::memory, .memory = MemoryUse::keep, .asked_for = true},
       "aaaaa"},
      {"forget", {.kind = ToolKind::memory, .memory = MemoryUse::forget, .asked_for = true}, "?????"},
      {"question", {.kind = ToolKind::ask}, "aaaaa"},
      {"unknown tool", other(), "??ad?"},
  };
  for (const Row& row : table) {
    std::string effects;
    for (const Mode mode : {Mode::default_, Mode::auto_edit, Mode::yolo, Mode::plan, Mode::smart})
      effects += "d?a"[static_cast<int>(decided(mode, row.intent).effect)];
    EXPECT_EQ(effects, row.effects) << row.what;
    const Decision decision = decided(Mode::default_, row.intent);
    const bool of_the_look = row.intent.look && !row.intent.look->problem.empty();  // reason from the command check
    if (!of_the_look) EXPECT_TRUE(decision.why.ends_with(in_words(decision.reason)) && !decision.reason.id.empty()) << row.what;
  }
}

TEST(Policy, FirstMatchingRuleDecides) {
  const std::vector<Rule> rules{{.id = "1", .effect = Effect::deny, .label = "no secrets", .path_prefix = "/f/secret"},
                                {.id = "2", .effect = Effect::allow, .label = "all of f", .path_prefix = "/f"}};
  EXPECT_EQ(decided(Mode::default_, editing("/f/secret/key"), rules).effect, Effect::deny);
  EXPECT_EQ(decided(Mode::yolo, editing("/f/secret"), rules).why, "rule: no secrets");
  EXPECT_EQ(decided(Mode::yolo, editing("/f/secret"), rules).reason, Reason(ReasonId::rule, {"no secrets"}));
  EXPECT_EQ(decided(Mode::default_, editing("/f/secrets"), rules).rule, "2") << "whole components";
  EXPECT_EQ(decided(Mode::default_, editing("/fg"), rules).effect, Effect::ask);
  EXPECT_EQ(decided(Mode::plan, editing("/f/x"), rules).effect, Effect::deny) << "no rule lifts plan mode";
}

TEST(Policy, ARuleDecidesOverTheMemoryBeforeThePersonsWordsDo) {
  const ToolIntent forget{.kind = ToolKind::memory, .memory = MemoryUse::forget};
  const ToolIntent asked{.kind = ToolKind::memory, .memory = MemoryUse::keep, .asked_for = true};
  const auto rule = [](Effect effect, std::string tool) { return Rule{.effect = effect, .tool = std::move(tool)}; };
  EXPECT_EQ(decided(Mode::default_, forget, {rule(Effect::allow, "memory_forget")}, "memory_forget").effect, Effect::allow);
  EXPECT_EQ(decided(Mode::yolo, asked, {rule(Effect::deny, "memory_store")}, "memory_store").effect, Effect::deny);
  EXPECT_EQ(decided(Mode::default_, asked, {rule(Effect::ask, "memory_store")}, "memory_store").effect, Effect::ask);
  EXPECT_EQ(decided(Mode::default_, asked).why, "your message asks for this");
}

TEST(Policy, AllFieldsOfARuleMustFit) {
  const Rule rule{.effect = Effect::allow, .agent = "parlance", .conversation = "c1", .folder = "/f", .tool = "tool"};
  EXPECT_EQ(decided(Mode::default_, other(), {rule}).effect, Effect::allow);
  for (const auto& change : std::vector<std::function<void(Rule&)>>{
           [](Rule& r) { r.agent = "claude"; }, [](Rule& r) { r.conversation = "c2"; }, [](Rule& r) { r.folder = "/g"; },
           [](Rule& r) { r.tool = "x"; }, [](Rule& r) { r.path_prefix = "/"; }, [](Rule& r) { r.command_words = {"a"}; }}) {
    Rule changed = rule;
    change(changed);
    EXPECT_EQ(decided(Mode::default_, other(), {changed}).effect, Effect::ask);
  }
}

// The same path on the gateway's machine and on those of two runners is three folders.
TEST(Policy, PathRuleAppliesToItsMachineOnly) {
  const ToolIntent intent = editing();
  const auto at = [&intent](std::string_view runner) {
    return Action{
        .conversation = "c1", .agent = "parlance", .folder = "/f", .runner = runner, .tool = "edit_file", .intent = intent};
  };
  for (const std::string_view runner : {"", "box", "other"}) {
    const Offer offer = standard_offer(at(runner));
    ASSERT_EQ(offer.rules.front().option, "allow_folder");
    EXPECT_EQ(offer.rules.front().rule.label.ends_with(" on " + std::string(runner)), !runner.empty());
    for (const std::string_view elsewhere : {"", "box", "other"})
      EXPECT_EQ(matches(offer.rules.front().rule, at(elsewhere)), runner == elsewhere) << runner << " " << elsewhere;
  }
  EXPECT_TRUE(matches({.effect = Effect::deny, .path_prefix = "/f"}, at("box")))
      << "a prohibition of a path holds on all machines";
  EXPECT_TRUE(matches({.effect = Effect::allow, .tool = "edit_file"}, at("box"))) << "no path is named";
}

TEST(Policy, AnAllowRuleNeverCoversMoreThanItsCommand) {
  const Rule rule{.effect = Effect::allow, .command_words = {"git", "status"}};
  for (const char* good : {"git status", "git  status -s", "git 'status'", "git status src/a.cpp", "git status \"my file\""})
    EXPECT_EQ(decided(Mode::default_, running(good), {rule}).effect, Effect::allow) << good;
  for (const char* bad : {"git push",
                          "git",
                          "git status; rm -rf /",
                          "git status && rm x",
                          "git status | sh",
                          "git status $(rm x)",
                          "git status `rm x`",
                          "git status > /etc/passwd",
                          "git status\nrm x",
                          "PATH=. git status",
                          "git status \"$(rm x)\"",
                          "git status &",
                          "git statusx",
                          "git status ${IFS}",
                          "g''it status; x",
                          "git status 'unbalanced",
                          "(git status)",
                          "git status <(rm x)",
                          "git status \\\nx",
                          "sudo git status",
                          "git status *",
                          "",
                          "   "})
    EXPECT_EQ(decided(Mode::default_, running(bad), {rule}).effect, Effect::ask) << bad;
}

TEST(Policy, ADenyRuleFindsItsCommandInsideOthers) {
  const Rule rule{.effect = Effect::deny, .command_words = {"rm"}};
  for (const char* bad :
       {"rm x", "ls; rm x", "ls && rm x", "ls | rm x", "echo $(rm x)", "echo `rm x`", "sudo rm x", "A=1 rm x", "'rm' x", "r\\m x",
        "if true; then rm x; fi", "echo \"$(rm x)\"", "ls\nrm x", "env -i rm x", "{ rm x; }", "(rm x)"})
    EXPECT_EQ(decided(Mode::yolo, running(bad), {rule}).effect, Effect::deny) << bad;
  for (const char* good : {"echo rm", "rmdir x", "ls rm"})
    EXPECT_EQ(decided(Mode::yolo, running(good), {rule}).effect, Effect::allow) << good;
}

TEST(Policy, AllowRuleOfATabledProgramCoversOnlyReads) {
  const auto allowed = [](std::vector<std::string> words, std::string command) {
    return decided(Mode::default_, running(std::move(command)),
                   {Rule{.effect = Effect::allow, .command_words = std::move(words)}})
               .effect == Effect::allow;
  };
  EXPECT_TRUE(allowed({"git", "log"}, "git log --oneline"));
  EXPECT_TRUE(allowed({"git"}, "git log --oneline"));
  EXPECT_FALSE(allowed({"git"}, "git -c alias.x='!touch F' x"));
  EXPECT_FALSE(allowed({"git"}, "git --no-pager log"));
  EXPECT_FALSE(allowed({"git", "-c"}, "git -c alias.x='!touch F' x"));
  EXPECT_FALSE(allowed({"git", "log"}, "git log --output=/tmp/x"));
  EXPECT_FALSE(allowed({"git"}, "git push")) << "a rule of one word does not name it";
  EXPECT_TRUE(allowed({"git", "push"}, "git push origin")) << "a rule from before the table";
  EXPECT_FALSE(allowed({"git", "branch"}, "git branch -D main"));
  EXPECT_FALSE(allowed({"/usr/bin/git", "log"}, "/usr/bin/git log"));
  EXPECT_FALSE(allowed({"sort"}, "sort -o x y"));
  EXPECT_TRUE(allowed({"npm", "test"}, "npm test -- -u"));
  ToolIntent started = running("git push");
  started.look->problem = "the repository names a program";
  EXPECT_EQ(decided(Mode::default_, started, {Rule{.effect = Effect::allow, .command_words = {"git", "push"}}}).effect,
            Effect::ask);
}

TEST(Policy, GuardNeedsARuleWithThePath) {
  const ToolIntent hook = editing_guarded("/f/.git/hooks/pre-commit", "/f/.git");
  const auto with = [&](std::optional<std::string> prefix) {
    return decided(Mode::auto_edit, hook, {Rule{.effect = Effect::allow, .tool = "tool", .path_prefix = std::move(prefix)}})
        .effect;
  };
  EXPECT_EQ(with(std::nullopt), Effect::ask);
  EXPECT_EQ(with("/f"), Effect::ask);
  EXPECT_EQ(with("/"), Effect::ask);
  EXPECT_EQ(with("/f/.git"), Effect::allow);
  EXPECT_EQ(with("/f/.git/hooks/pre-commit"), Effect::allow);
  EXPECT_EQ(with("/f/.git/config"), Effect::ask);
  const Rule all{.effect = Effect::allow, .tool = "tool"};
  EXPECT_EQ(decided(Mode::default_, editing("/etc/x", false), {all}).effect, Effect::ask)
      << "outside, a rule has to name the place";
  EXPECT_EQ(decided(Mode::default_, reading(false), {Rule{.effect = Effect::allow, .path_prefix = "/etc"}}).effect,
            Effect::allow);
}

TEST(Policy, RulesGoByWhereAFileReallyLies) {
  const ToolIntent linked = editing_through("/f/docs/config", "/f/.git/config");
  const Rule deny{.effect = Effect::deny, .path_prefix = "/f/.git"};
  EXPECT_EQ(decided(Mode::yolo, linked, {deny}).effect, Effect::deny);
  EXPECT_EQ(decided(Mode::yolo, linked, {Rule{.effect = Effect::deny, .path_prefix = "/f/docs"}}).effect, Effect::deny);
  EXPECT_EQ(decided(Mode::default_, linked, {Rule{.effect = Effect::allow, .path_prefix = "/f/docs"}}).effect, Effect::ask);
  ToolIntent canonical = editing("/link/secret");
  canonical.canonical_path = "/real/secret";
  EXPECT_EQ(decided(Mode::yolo, canonical, {Rule{.effect = Effect::deny, .path_prefix = "/real"}}).effect, Effect::deny);
}

TEST(Policy, ForbiddenPathAppliesToCommandsToo) {
  const Rule deny{.effect = Effect::deny, .label = "no secrets", .path_prefix = "/f/secret"};
  EXPECT_EQ(decided(Mode::smart, running("cat secret/key", {"/f/secret/key"}), {deny}).effect, Effect::deny);
  EXPECT_EQ(decided(Mode::smart, running("cat a", {"/f/a"}), {deny}).effect, Effect::allow);
  EXPECT_EQ(decided(Mode::smart, running("grep -r x .", {"/f"}), {deny}).effect, Effect::ask);
  const Rule other{.effect = Effect::deny, .tool = "write_file", .path_prefix = "/f/secret"};
  EXPECT_EQ(decided(Mode::smart, running("cat secret/key", {"/f/secret/key"}), {other}, "run_command").effect, Effect::allow);
}

TEST(Policy, AReadOfAFolderMeetsTheRulesBelow) {
  const std::vector<Rule> rules{{.effect = Effect::deny, .path_prefix = "/f/secret"}};
  const auto reads = [&](const std::string& path, Mode mode) {
    return decided(mode, {.kind = ToolKind::read, .path = path, .real_path = path, .path_inside = true}, rules).effect;
  };
  for (const Mode mode : {Mode::default_, Mode::smart, Mode::yolo}) {
    EXPECT_EQ(reads("/f", mode), Effect::ask);
    EXPECT_EQ(reads("/f/secret/key", mode), Effect::deny);
    EXPECT_EQ(reads("/f/sec", mode), Effect::allow);
  }
}

TEST(FreeCommands, TableContainsReadOnlyForms) {
  const auto free = [](const char* command) {
    const auto words = simple_command(command);
    return words && free_form(*words);
  };
  for (const char* good :
       {"ls -la", "cat src/a.cpp", "git log --oneline -5", "git diff HEAD~1", "grep -rn foo src", "rg foo", "wc -l a b",
        "git log a..b", "head -20 a", "head -n20 a", "head -n 20 a", "git log -n 3 --format=%H", "find . -name '*.cpp' -type f",
        "echo --anything -e", "git branch -vv", "git stash list", "sort -k2 -u a"})
    EXPECT_TRUE(free(good)) << good;
  for (const char* bad : {"rg --pre=sh foo",
                          "git log --output=x",
                          "git log --out=x",
                          "git push",
                          "git -c core.pager=sh log",
                          "find . -delete",
                          "find . -exec rm x",
                          "cat a > b",
                          "ls; rm x",
                          "git diff --ext-diff",
                          "sed -i s/a/b/ x",
                          "xargs rm",
                          "/bin/ls",
                          "ls $HOME",
                          "ls *",
                          "sort -o x y",
                          "sort -ox y",
                          "git branch new",
                          "git tag v1",
                          "wc --files0-from=x",
                          "git blame --contents=x a",
                          "diff --to-file=x a",
                          "tail -f a",
                          "ls -L",
                          "grep -R x .",
                          "git remote add a b",
                          "git stash",
                          "head -n",
                          "true x",
                          "git"})
    EXPECT_FALSE(free(bad)) << bad;
}

TEST(FreeCommands, PossibleFileNamesOfACommandAreReturned) {
  const auto paths = [](const char* command) {
    std::string text;
    for (const PathWord& path : free_form(*simple_command(command))->paths) text += path.word + " ";
    return text;
  };
  EXPECT_EQ(paths("cat -n a -- -b"), "a -b ");
  EXPECT_EQ(paths("grep -rn x a b"), "a b ");
  EXPECT_EQ(paths("grep -e x a b"), "a b ");
  EXPECT_EQ(paths("grep a -e x b"), "a b ");
  EXPECT_EQ(paths("grep -fp a"), "a p ");
  EXPECT_EQ(paths("grep --file=p a --exclude-from q"), "a p q ");
  EXPECT_EQ(paths("git log main -- a"), "main a ");
  EXPECT_EQ(paths("find a b -newer c -name d"), "a b c ");
  EXPECT_EQ(paths("rg x a"), "x a ");
  EXPECT_EQ(paths("echo a"), "");
}

TEST(Policy, AlwaysOffersAreNarrow) {
  const auto offer = [](const ToolIntent& intent, std::string_view tool) {
    return standard_offer(
        {.conversation = "c1", .agent = "parlance", .folder = "/f", .mode = Mode::default_, .tool = tool, .intent = intent});
  };
  const ToolIntent log = running("git log --oneline -3");
  const Offer good = offer(log, "run_command");
  ASSERT_EQ(good.options.size(), 5U);
  EXPECT_EQ(good.options[1].label, "Always allow `git log`, for reading only, in this folder");
  ASSERT_EQ(good.rules.size(), 2U);
  EXPECT_EQ(good.rules[0].rule.command_words, (std::vector<std::string>{"git", "log"}));
  EXPECT_EQ(good.rules[0].rule.folder, "/f");
  EXPECT_EQ(offer(editing("/f/a"), "edit_file").options[1].label, "Always allow “Edit file” in this folder");
  EXPECT_EQ(offer(editing("/f/a"), "edit_file").rules[1].rule.label, "“Edit file” in this conversation");
  EXPECT_EQ(good.rules[1].rule.conversation, "c1");
  // The rule matches its label.
  EXPECT_EQ(decided(Mode::default_, log, {good.rules[0].rule}, "run_command").effect, Effect::allow);
  EXPECT_EQ(decided(Mode::default_, running("git log --output=x"), {good.rules[0].rule}, "run_command").effect, Effect::ask);
  ToolIntent unseen = log;
  unseen.look.reset();
  for (const ToolIntent& risky :
       {running("a; b"), running("python3 -c 'x'"), running("bash x"), running("sudo ls"), running("npm test"),
        running("git --no-pager log"), unseen, editing("/etc/x", false), editing_guarded("/f/.git/config", "/f/.git")}) {
    EXPECT_EQ(offer(risky, "x").options.size(), 3U) << risky.command.value_or("path");
    EXPECT_TRUE(offer(risky, "x").rules.empty());
  }
}

TEST(Policy, HiddenCharactersAreNeverAllowedAlways) {
  const auto options = [](const ToolIntent& intent, std::string_view tool = "t") {
    return standard_offer({.conversation = "c1", .agent = "a", .folder = "/f", .tool = tool, .intent = intent}).options.size();
  };
  EXPECT_EQ(options(running("git log")), 5U);
  EXPECT_EQ(options(running("git log \u202Ehs.")), 3U);
  EXPECT_EQ(options(running("git log\u00A0")), 3U);
  EXPECT_EQ(options(editing("/f/a\u202Etxt.hs")), 3U);
  EXPECT_EQ(options(editing("/f/a"), "edit\u200B"), 3U);
  ToolIntent change = editing("/f/a");
  change.diff = Diff{.path = "/f/a", .before = "x", .after = "x\U000E0041"};
  EXPECT_EQ(options(change), 3U);
  change.diff->before = "\uFEFFx";  // the file has hidden characters of its own
  EXPECT_EQ(options(change), 5U);
}

TEST(Policy, AToolIsNamedInWords) {
  for (const auto& [id, words] : {std::pair{"edit_file", "Edit file"},
                                  {"mcp__my_notes__find", "My notes find"},
                                  {"Bash", "Bash"},
                                  {"a.b_", "A b"},
                                  {"_", ""}})
    EXPECT_EQ(tool_in_words(id), words) << id;
}

}  // namespace
}  // namespace parlance::hub

#include "hub/policy.h"

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

ToolIntent reading(bool inside = true) {
  return {.kind = ToolKind::read, .path = inside ? "/f/a" : "/etc/passwd", .path_inside = inside};
}
ToolIntent editing(std::string path = "/f/a", bool inside = true) {
  return {.kind = ToolKind::edit, .path = std::move(path), .path_inside = inside};
}
ToolIntent running(std::string command) { return {.kind = ToolKind::execute, .command = std::move(command)}; }
ToolIntent other() { return {.kind = ToolKind::other}; }

Decision decided(Mode mode, const ToolIntent& intent, std::vector<Rule> rules = {}, std::string_view tool = "tool") {
  return decide({.conversation = "c1", .agent = "parlance", .folder = "/f", .mode = mode, .tool = tool, .intent = intent}, rules);
}

TEST(Policy, WhatEveryModeDoesWithEveryKind) {
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
      {"edit of git's own files", editing("/f/.git/hooks/post-checkout"), "???d?"},
      {"a file that only looks like git's", editing("/f/.github/x"), "?aad?"},
      {"reading command", running("git status --short"), "??ada"},
      {"writing command", running("rm -rf x"), "??ad?"},
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
      effects += "a?d"[static_cast<int>(decided(mode, row.intent).effect)];
    EXPECT_EQ(effects, row.effects) << row.what;
  }
}

TEST(Policy, TheFirstRuleThatFitsDecidesAndSaysSo) {
  const std::vector<Rule> rules{{.id = "1", .effect = Effect::deny, .label = "no secrets", .path_prefix = "/f/secret"},
                                {.id = "2", .effect = Effect::allow, .label = "all of f", .path_prefix = "/f"}};
  EXPECT_EQ(decided(Mode::default_, editing("/f/secret/key"), rules).effect, Effect::deny);
  EXPECT_EQ(decided(Mode::yolo, editing("/f/secret"), rules).why, "rule: no secrets");
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
  EXPECT_EQ(decided(Mode::default_, asked).why, "your message asks for it");
}

TEST(Policy, EverythingThatARuleNamesMustFit) {
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

TEST(Policy, SmartModeKnowsWhatOnlyReads) {
  for (const char* good : {"ls -la", "cat src/a.cpp", "git log --oneline -5", "git diff HEAD~1", "grep -rn foo src", "rg foo",
                           "wc -l a b", "git log a..b"})
    EXPECT_TRUE(is_read_only_command(good)) << good;
  for (const char* bad : {"cat /etc/passwd",
                          "cat ~/.ssh/id_rsa",
                          "cat ../x",
                          "ls a/../../b",
                          "grep -f/etc/passwd x",
                          "rg --pre=sh foo",
                          "git log --output=x",
                          "git log --out=x",
                          "git push",
                          "git -c core.pager=sh log",
                          "find . -delete",
                          "cat a > b",
                          "ls; rm x",
                          "git diff --ext-diff",
                          "sed -i s/a/b/ x",
                          "xargs rm",
                          "cat --file=/etc/passwd",
                          "git show HEAD:../x",
                          "/bin/ls",
                          "ls $HOME",
                          "ls *"})
    EXPECT_FALSE(is_read_only_command(bad)) << bad;
}

TEST(Policy, WhatIsOfferedAlwaysIsNarrow) {
  const auto offer = [](const ToolIntent& intent, std::string_view tool) {
    return standard_offer(
        {.conversation = "c1", .agent = "parlance", .folder = "/f", .mode = Mode::default_, .tool = tool, .intent = intent});
  };
  const ToolIntent test = running("npm test -- --watch=false");
  const Offer good = offer(test, "run_command");
  ASSERT_EQ(good.options.size(), 4U);
  EXPECT_EQ(good.options[1].label, "Always allow `npm test` in this folder");
  ASSERT_EQ(good.rules.size(), 2U);
  EXPECT_EQ(good.rules[0].rule.command_words, (std::vector<std::string>{"npm", "test"}));
  EXPECT_EQ(good.rules[0].rule.folder, "/f");
  EXPECT_EQ(good.rules[1].rule.conversation, "c1");
  // The rule does what its label says.
  EXPECT_EQ(decided(Mode::default_, test, {good.rules[0].rule}, "run_command").effect, Effect::allow);
  EXPECT_EQ(decided(Mode::default_, running("npm publish"), {good.rules[0].rule}, "run_command").effect, Effect::ask);
  for (const ToolIntent& risky :
       {running("a; b"), running("python3 -c 'x'"), running("bash x"), running("sudo ls"), editing("/etc/x", false)}) {
    EXPECT_EQ(offer(risky, "x").options.size(), 2U) << risky.command.value_or("path");
    EXPECT_TRUE(offer(risky, "x").rules.empty());
  }
}

}  // namespace
}  // namespace parlance::hub

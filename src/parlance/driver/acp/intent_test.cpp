// SPDX-License-Identifier: Apache-2.0
// The effect of a call for policy: decided by the resolved paths of the call, never by an agent's claim.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/permission_asks.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/store/test_folder.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;

struct Place {
  Place() {
    fs::create_directories(folder.path() + "/w/.git");
    fs::create_directories(folder.path() + "/out");
    std::ofstream(folder.path() + "/w/a.txt") << "a";
    std::ofstream(folder.path() + "/out/b.txt") << "b";
    fs::create_symlink(folder.path() + "/out/b.txt", folder.path() + "/w/link.txt");
    setup.folder = folder.path() + "/w";
    setup.mode = hub::Mode::auto_edit;
  }
  hub::ToolIntent intent(hub::CallKind kind, std::vector<std::string> locations, std::string input = "{}",
                         std::vector<std::string> changed = {}) {
    AcpUpdates::Call call{.tool = "tool", .title = "title", .input_json = std::move(input), .kind = kind};
    for (std::string& path : locations) call.locations.push_back({.path = std::move(path)});
    for (std::string& path : changed) call.content.push_back({acp::ToolDiff{.path = std::move(path), .new_text = "new"}});
    return acp_intent(call, setup);
  }
  hub::Effect effect(const hub::ToolIntent& intent) {
    return hub::decide({.folder = setup.folder, .mode = setup.mode, .tool = "tool", .intent = intent}, {}).effect;
  }
  store::TestFolder folder;
  hub::SessionSetup setup;
};

TEST(AcpIntent, EditInsideTheFolderHasEditIntent) {
  Place at;
  const auto intent = at.intent(hub::CallKind::edit, {at.setup.folder + "/a.txt"}, "{}", {"a.txt"});
  EXPECT_EQ(intent.kind, hub::ToolKind::edit);
  EXPECT_TRUE(intent.path_inside && intent.real_path);
  EXPECT_EQ(intent.diff->after, "new");
  EXPECT_EQ(at.effect(intent), hub::Effect::allow);
}

TEST(AcpIntent, PathOutsideTheFolderNeedsARequest) {
  Place at;
  for (const std::string path : {"link.txt", "../out/b.txt", "/etc/hosts"})
    EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {path})), hub::Effect::ask) << path;
}

TEST(AcpIntent, DiffOfAnUnnamedFileNeedsARequest) {
  Place at;
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {"a.txt"}, "{}", {"../out/b.txt"})), hub::Effect::ask);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {"a.txt"}, R"({"file_path":"/etc/hosts"})")), hub::Effect::ask);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {"a.txt", "c.txt"})), hub::Effect::allow) << "both lie inside";
}

TEST(AcpIntent, AGuardedPlaceIsAsked) {
  Place at;
  const auto intent = at.intent(hub::CallKind::edit, {".git/config"});
  EXPECT_TRUE(intent.guarded);
  EXPECT_EQ(at.effect(intent), hub::Effect::ask);
}

TEST(AcpIntent, CallWithoutPathNeedsARequest) {
  Place at;
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {})), hub::Effect::ask);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::other, {}, R"({"x":1})")), hub::Effect::ask);
  EXPECT_EQ(at.intent(hub::CallKind::other, {}, R"({"x":1})").detail, R"({"x":1})");
}

TEST(AcpIntent, CommandsAreReadFromManyFields) {
  Place at;
  const auto command = [&](std::string input) { return *at.intent(hub::CallKind::execute, {}, std::move(input)).command; };
  EXPECT_EQ(command(R"({"command":"ls -l"})"), "ls -l");
  EXPECT_EQ(command(R"({"command":["git","log"]})"), "git log");
  EXPECT_EQ(command(R"({"cmd":"make"})"), "make");
  EXPECT_EQ(command("{}"), "title") << "what the agent shows is all there is";
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::execute, {}, R"({"command":"rm -rf /"})")), hub::Effect::ask);
}

// A person and a rule see all that changes the effect of a command.
TEST(AcpIntent, OnlyAPlainShellIsOmittedFromItsCommand) {
  Place at;
  const auto shown = [&](const std::string& members) {
    return *at.intent(hub::CallKind::execute, {}, R"({"command":)" + members + "}").command;
  };
  EXPECT_EQ(shown(R"(["bash","-lc","npm test"])"), "npm test");
  EXPECT_EQ(shown(R"(["/bin/sh","-ec","npm test"])"), "npm test");
  EXPECT_EQ(shown(R"(["/usr/bin/zsh","-c","npm test"])"), "npm test");
  EXPECT_EQ(shown(R"(["./evil/bash","-c","npm test"])"), "./evil/bash -c 'npm test'");
  EXPECT_EQ(shown(R"(["bash","--norc","npm test"])"), "bash --norc 'npm test'");
  EXPECT_EQ(shown(R"(["bash","-nc","npm test"])"), "bash -nc 'npm test'");
  EXPECT_EQ(shown(R"("npm test","cwd":")" + at.setup.folder + "/\""), "npm test");
  EXPECT_EQ(shown(R"("npm test","cwd":".","env":{})"), "npm test");
  EXPECT_EQ(shown(R"("npm test","cwd":"/etc")"), "cd /etc; npm test");
  EXPECT_EQ(shown(R"("npm test","env":{"PATH":"/tmp/a b"})"), "export 'PATH=/tmp/a b'; npm test");
  EXPECT_EQ(shown(R"("npm test","env":[{"name":"A","value":"1"},"B=2"])"), "export 'A=1'; export 'B=2'; npm test");
  EXPECT_EQ(shown(R"("npm test","directory":"/etc")"), "cd /etc; npm test");
  EXPECT_EQ(shown(R"("npm test","cwd":["/etc"])"), "cd /etc; npm test");
  fs::create_directory_symlink(at.setup.folder, at.folder.path() + "/link");
  EXPECT_EQ(shown(R"("npm test","cwd":")" + at.folder.path() + "/link\""), "npm test") << "the same folder";
  const AcpUpdates::Call twice{.tool = "bash",
                               .input_json = R"({"command":"npm test"})",
                               .args_json = R"({"command":"npm test","cwd":"/etc","env":{"A":"1"}})",
                               .kind = hub::CallKind::execute};
  EXPECT_EQ(*acp_intent(twice, at.setup).command, "cd /etc; export 'A=1'; npm test");
  const hub::Rule rule{.effect = hub::Effect::allow, .command_words = {"npm", "test"}};
  for (const std::string members : {R"(["./evil/bash","-c","npm test"])", R"("npm test","cwd":"/etc")"}) {
    const auto intent = at.intent(hub::CallKind::execute, {}, R"({"command":)" + members + "}");
    EXPECT_EQ(hub::decide({.folder = at.setup.folder, .tool = "tool", .intent = intent}, std::vector{rule}).effect,
              hub::Effect::ask)
        << members;
  }
}

TEST(AcpIntent, ReadsInsideTheFolderNeedNoQuestion) {
  Place at;
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::read, {"a.txt"})), hub::Effect::allow);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::read, {"../out/b.txt"})), hub::Effect::ask);
}

// A label, an input, locations, and the effect in modes default, autoEdit, yolo and plan: a allows, ? asks, x refuses.
struct Lie {
  hub::CallKind label;
  std::string input;
  std::vector<std::string> locations;
  std::string_view effects;
};

TEST(AcpIntent, ACommandUnderTwoNamesIsShownOnce) {
  const AcpUpdates::Call call{
      .tool = "bash", .kind = hub::CallKind::execute, .input_json = R"({"command":"echo hi","commands":["echo hi"]})"};
  EXPECT_EQ(acp_intent(call, {.folder = "/nowhere"}).command, "echo hi");
}

TEST(AcpIntent, ALabelNeverMakesACommandIntoSomethingElse) {
  Place at;
  using enum hub::CallKind;
  const std::string w = at.setup.folder;
  const std::vector<Lie> lies{
      {search, R"({"command":["/bin/bash","-lc","find . -exec touch F {} +"],"cwd":")" + w + "\"}", {w}, "??ax"},
      {search, R"({"command":["rg","--pre","./evil.sh","foo","."]})", {}, "??ax"},
      {read, R"({"command":"rm -rf /"})", {}, "??ax"},
      {read, R"({"command":["cat","a.txt"],"cwd":"/root"})", {w + "/a.txt"}, "??ax"},
      {read, "{}", {}, "????"},
      {read, R"({"input":{"cmd":"id"}})", {w}, "??ax"},
      {read, R"({"arguments":"{\"script\":\"id > F\"}"})", {w}, "??ax"},
      {think, R"({"program":"rm","args":["-rf","."]})", {}, "??ax"},
      {search, R"("rm -rf .")", {w}, "??ax"},
      {edit, R"({"commands":["touch F"]})", {w + "/a.txt"}, "??ax"},
      {search, "{}", {w}, "aaaa"},
      {read, R"({"path":"a.txt"})", {}, "aaaa"},
      {read, R"({"path":"a.txt","cwd":"/etc"})", {}, "????"},
      {read, R"({"path":"~/.ssh/id_rsa"})", {}, "????"},
      {read, R"({"uri":"file:///etc/hosts"})", {}, "????"},
      {read, R"({"uri":"https://example.com"})", {}, "????"},
      {read, R"({"paths":["a.txt","/etc/hosts"]})", {}, "????"},
      {read, "{}", {w + "/a.txt", w + "/c.txt"}, "aaaa"},
      {move, R"({"source":"a.txt","destination":"c.txt"})", {}, "?aax"},
      {move, R"({"source":"a.txt","destination":".git/config"})", {}, "???x"},
      {delete_, "{}", {"link.txt"}, "???x"},
      {other, R"({"x":1})", {}, "??ax"},
      {other, "{}", {"/etc/hosts"}, "???x"},
      {other, R"({"file":"a.txt"})", {}, "??ax"},
      {fetch, R"({"url":"file:///etc/hosts"})", {}, "???x"},
      {think, "{}", {"../out/b.txt"}, "???x"},
      {other, "{}", {".git/config"}, "???x"}};
  for (const Lie& lie : lies) {
    std::string got;
    for (const hub::Mode mode : {hub::Mode::default_, hub::Mode::auto_edit, hub::Mode::yolo, hub::Mode::plan}) {
      at.setup.mode = mode;
      const hub::Effect effect = at.effect(at.intent(lie.label, lie.locations, lie.input));
      got += effect == hub::Effect::allow ? 'a' : effect == hub::Effect::ask ? '?' : 'x';
    }
    EXPECT_EQ(got, lie.effects) << hub::to_string(lie.label) << " " << lie.input << testing::PrintToString(lie.locations);
  }
}

TEST(AcpIntent, DenyRuleFitsEveryPathAndCommandsInsideAShell) {
  Place at;
  at.setup.mode = hub::Mode::yolo;
  const auto denied = [&](const hub::ToolIntent& intent, const hub::Rule& rule) {
    return hub::decide({.folder = at.setup.folder, .mode = at.setup.mode, .tool = "tool", .intent = intent}, std::vector{rule})
               .effect == hub::Effect::deny;
  };
  const hub::Rule place{.effect = hub::Effect::deny, .path_prefix = at.setup.folder + "/keep"};
  EXPECT_TRUE(denied(at.intent(hub::CallKind::read, {"a.txt", "keep/b.txt"}), place));
  EXPECT_TRUE(denied(at.intent(hub::CallKind::search, {"keep"}, R"({"command":"cat x"})"), place));
  EXPECT_FALSE(denied(at.intent(hub::CallKind::read, {"a.txt"}), place));
  const hub::Rule program{.effect = hub::Effect::deny, .command_words = {"rm"}};
  EXPECT_TRUE(denied(at.intent(hub::CallKind::read, {}, R"({"command":["/bin/sh","-c","ls; rm x"]})"), program));
}

// A report of a runner: paths of its machine, already resolved there.
hub::ToolIntent reported(const std::string& members, AcpUpdates::Call call = {.kind = hub::CallKind::read}) {
  call.title = "title";
  if (call.tool.empty()) call.tool = "tool";
  return reported_intent(call, R"({"parlance":{"intent":{"title":"a.txt","memory":"look","askedFor":true,)" + members + "}}}",
                         {.folder = "/far"});
}

TEST(ReportedIntent, RunnersResolvedPathsDecide) {
  Place at;
  EXPECT_EQ(at.effect(reported(R"("kind":"edit","path":"/far/a","realPath":"/far/a","pathInside":true)")), hub::Effect::allow);
  EXPECT_EQ(at.effect(reported(R"("kind":"edit","path":"/far/a","pathInside":true)")), hub::Effect::ask) << "it leads nowhere";
  EXPECT_EQ(at.effect(reported(R"("kind":"read","path":"/etc/a","realPath":"/etc/a","pathInside":false)")), hub::Effect::ask);
  EXPECT_EQ(at.effect(reported(R"("kind":"edit","path":"/far/.git/config","realPath":"/far/.git/config","pathInside":true,)"
                               R"("guarded":{"path":"/far/.git","why":"git obeys it"})")),
            hub::Effect::ask);
  const auto guarded = reported(R"("kind":"edit","path":"/far/.git/x","realPath":"/far/.git/x","pathInside":true,)"
                                R"("guarded":{"path":"/far/.git","why":"git obeys it","reason":{"id":"git_runs"}})")
                           .guarded;
  ASSERT_TRUE(guarded);
  EXPECT_EQ(guarded->reason, hub::Reason(hub::ReasonId::git_runs));
  EXPECT_EQ(at.effect(reported(R"("kind":"memory","pathInside":false)", {.tool = "memory_search"})), hub::Effect::allow);
  EXPECT_EQ(at.effect(reported(R"("kind":"ask","pathInside":false)", {.tool = "update_plan"})), hub::Effect::allow);
  EXPECT_EQ(reported(R"("kind":"execute","pathInside":false,"command":"ls")").command, "ls");
}

// Each favourable claim of a runner is checked against the call's facts and the names of its paths.
TEST(ReportedIntent, ARunnersWordOnlyMakesTheVerdictStricter) {
  Place at;
  at.setup.mode = hub::Mode::yolo;
  const auto yolo = [&](const std::string& members, AcpUpdates::Call call = {.kind = hub::CallKind::read}) {
    return at.effect(reported(members, std::move(call)));
  };
  EXPECT_EQ(yolo(R"("kind":"read","path":"/etc/a","realPath":"/etc/a","pathInside":true)"), hub::Effect::ask);
  EXPECT_EQ(yolo(R"("kind":"read","path":"/far/a","realPath":"/far/../etc/a","pathInside":true)"), hub::Effect::ask);
  EXPECT_EQ(yolo(R"("kind":"read","path":"/far/a","realPath":"/far/a","pathInside":true)",
                 {.kind = hub::CallKind::read, .locations = {{.path = "/etc/a"}}}),
            hub::Effect::ask);
  EXPECT_EQ(yolo(R"("kind":"edit","path":"/far/.git/x","realPath":"/far/.git/x","pathInside":true)"), hub::Effect::ask);
  at.setup.mode = hub::Mode::default_;
  EXPECT_EQ(yolo(R"("kind":"read","pathInside":true)"), hub::Effect::ask) << "no place";
  EXPECT_EQ(yolo(R"("kind":"ask","pathInside":true)", {.tool = "shell"}), hub::Effect::ask);
  EXPECT_EQ(yolo(R"("kind":"memory","pathInside":true)", {.tool = "memory_store"}), hub::Effect::ask)
      << "askedFor is not its word";
  EXPECT_EQ(yolo(R"("kind":"memory","pathInside":true)", {.tool = "memory_search", .input_json = R"({"command":"id"})"}),
            hub::Effect::ask);
  at.setup.mode = hub::Mode::smart;
  const std::string look = R"("kind":"execute","pathInside":true,"command":"cat x","look":{"problem":"","paths":[")";
  EXPECT_EQ(yolo(look + R"(/far/x"]})", {.kind = hub::CallKind::execute}), hub::Effect::allow);
  EXPECT_EQ(yolo(look + R"(/etc/x"]})", {.kind = hub::CallKind::execute}), hub::Effect::ask);
  EXPECT_EQ(yolo(look + R"(/far/x"]})", {.kind = hub::CallKind::execute, .input_json = R"({"command":"rm x"})"}),
            hub::Effect::ask);
}

TEST(ReportedIntent, EmptyReportHasUnknownEffect) {
  Place at;
  for (const char* meta :
       {"", "{}", "null", "no JSON", R"({"parlance":{}})", R"({"parlance":{"intent":{"kind":"read"}}})",
        R"({"parlance":{"intent":{"kind":"harmless","title":"","pathInside":true,"memory":"look","askedFor":true}}})"}) {
    const auto intent =
        reported_intent({.tool = "tool", .title = "title", .kind = hub::CallKind::read}, meta, {.folder = "/far"});
    EXPECT_EQ(intent.kind, hub::ToolKind::other) << meta;
    EXPECT_EQ(at.effect(intent), hub::Effect::ask) << meta;
  }
}

}  // namespace
}  // namespace parlance::driver

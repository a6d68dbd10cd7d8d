// What a call would do, for policy: judged by where all the paths lead that the agent names, and by nothing that it only claims.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/permission_asks.h"
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
    conversation.folder = folder.path() + "/w";
    conversation.mode = hub::Mode::auto_edit;
  }
  hub::ToolIntent intent(hub::CallKind kind, std::vector<std::string> locations, std::string input = "{}",
                         std::vector<std::string> changed = {}) {
    AcpUpdates::Call call{.tool = "tool", .title = "title", .input_json = std::move(input), .kind = kind};
    for (std::string& path : locations) call.locations.push_back({.path = std::move(path)});
    for (std::string& path : changed) call.content.push_back({acp::ToolDiff{.path = std::move(path), .new_text = "new"}});
    return acp_intent(call, conversation);
  }
  hub::Effect effect(const hub::ToolIntent& intent) {
    return hub::decide({.folder = conversation.folder, .mode = conversation.mode, .tool = "tool", .intent = intent}, {}).effect;
  }
  store::TestFolder folder;
  hub::Conversation conversation;
};

TEST(AcpIntent, AnEditInsideTheFolderIsOne) {
  Place at;
  const auto intent = at.intent(hub::CallKind::edit, {at.conversation.folder + "/a.txt"}, "{}", {"a.txt"});
  EXPECT_EQ(intent.kind, hub::ToolKind::edit);
  EXPECT_TRUE(intent.path_inside && intent.real_path);
  EXPECT_EQ(intent.diff->after, "new");
  EXPECT_EQ(at.effect(intent), hub::Effect::allow);
}

TEST(AcpIntent, WhatLeadsOutsideIsAsked) {
  Place at;
  for (const std::string path : {"link.txt", "../out/b.txt", "/etc/hosts"})
    EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {path})), hub::Effect::ask) << path;
}

TEST(AcpIntent, ADiffOfAnotherFileThanTheOneItNamesIsAsked) {
  Place at;
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {"a.txt"}, "{}", {"../out/b.txt"})), hub::Effect::ask);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {"a.txt"}, R"({"file_path":"/etc/hosts"})")), hub::Effect::ask);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {"a.txt", "c.txt"})), hub::Effect::ask);
}

TEST(AcpIntent, AGuardedPlaceIsAsked) {
  Place at;
  const auto intent = at.intent(hub::CallKind::edit, {".git/config"});
  EXPECT_TRUE(intent.guarded);
  EXPECT_EQ(at.effect(intent), hub::Effect::ask);
}

TEST(AcpIntent, ACallThatNamesNothingIsAsked) {
  Place at;
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::edit, {})), hub::Effect::ask);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::other, {}, R"({"x":1})")), hub::Effect::ask);
  EXPECT_EQ(at.intent(hub::CallKind::other, {}, R"({"x":1})").detail, R"({"x":1})");
}

TEST(AcpIntent, CommandsStandInManyPlaces) {
  Place at;
  const auto command = [&](std::string input) { return *at.intent(hub::CallKind::execute, {}, std::move(input)).command; };
  EXPECT_EQ(command(R"({"command":"ls -l"})"), "ls -l");
  EXPECT_EQ(command(R"({"command":["git","log"]})"), "git log");
  EXPECT_EQ(command(R"({"cmd":"make"})"), "make");
  EXPECT_EQ(command("{}"), "title") << "what the agent shows is all there is";
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::execute, {}, R"({"command":"rm -rf /"})")), hub::Effect::ask);
}

TEST(AcpIntent, ReadsInsideTheFolderNeedNoQuestion) {
  Place at;
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::read, {"a.txt"})), hub::Effect::allow);
  EXPECT_EQ(at.effect(at.intent(hub::CallKind::read, {"../out/b.txt"})), hub::Effect::ask);
}

// Of a runner: the paths are those of its machine, and it has looked where they lead.
hub::ToolIntent told(const std::string& members) {
  return told_intent({.tool = "tool", .title = "title", .input_json = "{}", .kind = hub::CallKind::read},
                     R"({"parlance":{"intent":{"title":"a.txt","memory":"look","askedFor":false,)" + members + "}}}");
}

TEST(ToldIntent, IsJudgedAsItWasSeenThere) {
  Place at;
  EXPECT_EQ(at.effect(told(R"("kind":"edit","path":"/far/a","realPath":"/far/a","pathInside":true)")), hub::Effect::allow);
  EXPECT_EQ(at.effect(told(R"("kind":"edit","path":"/far/a","pathInside":true)")), hub::Effect::ask) << "it leads nowhere";
  EXPECT_EQ(at.effect(told(R"("kind":"read","path":"/etc/a","realPath":"/etc/a","pathInside":false)")), hub::Effect::ask);
  EXPECT_EQ(at.effect(told(R"("kind":"edit","path":"/far/.git/config","realPath":"/far/.git/config","pathInside":true,)"
                           R"("guarded":{"path":"/far/.git","why":"git obeys it"})")),
            hub::Effect::ask);
  EXPECT_EQ(at.effect(told(R"("kind":"memory","pathInside":false)")), hub::Effect::allow);
  EXPECT_EQ(told(R"("kind":"execute","pathInside":false,"command":"ls")").command, "ls");
}

TEST(ToldIntent, WhatTellsNothingMayDoAnything) {
  Place at;
  for (const char* meta : {"", "{}", "null", "no JSON", R"({"parlance":{}})", R"({"parlance":{"intent":{"kind":"read"}}})",
                           R"({"parlance":{"intent":{"kind":"harmless","title":"","pathInside":true,"memory":"look","askedFor":true}}})"}) {
    const auto intent = told_intent({.tool = "tool", .title = "title", .kind = hub::CallKind::read}, meta);
    EXPECT_EQ(intent.kind, hub::ToolKind::other) << meta;
    EXPECT_EQ(at.effect(intent), hub::Effect::ask) << meta;
  }
}

}  // namespace
}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
// Searches of a page: an agent's own sessions and messages; and archived conversations.
#include <gtest/gtest.h>

#include "parlance/face/page/hub_over_page.h"
#include "parlance/face/page/test_support.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using test::conversation_member;
using test::PageBench;
using test::TestPage;

// A worker thread checks the folder.
json::Value answer_to(PageBench& bench, TestPage& page, std::string_view type, const std::string& members) {
  const auto number = page.request(type, members);
  while (page.answers_to(number) == 0) bench.loop.advance(1ms);
  return page.answer(number);
}

const std::string of_scripted = R"("agent":"scripted","folder":"/tmp")";

TEST(PageSessions, AreListedAndResumed) {
  PageBench bench;
  bench.log.kept = {{.id = "s-1", .folder = "/tmp", .title = "Tabs\nor spaces", .updated_at = "2026-01-02T03:04:05.000Z"}};
  bench.log.resuming = [](hub::ReplaySink& sink) -> Task<Result<void>> {
    sink.user("earlier", {});
    co_return Result<void>{};
  };
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const json::Value reply = answer_to(bench, page, "sessions", of_scripted);
  const json::Array& sessions = *reply.find("value")->find("sessions")->array();
  ASSERT_EQ(sessions.size(), 1U);
  EXPECT_EQ(json::to_text(sessions[0]), R"({"id":"s-1","title":"Tabs","updated_at":"2026-01-02T03:04:05.000Z"})");
  const json::Value adopted = answer_to(bench, page, "adopt", of_scripted + R"(,"session":"s-1")");
  const std::string id(adopted.find("value")->find("conversation")->text_or("id", ""));
  bench.loop.advance(100ms);
  EXPECT_EQ(page.conversations.at(id).text_or("title", ""), "earlier");
  EXPECT_TRUE(answer_to(bench, page, "sessions", of_scripted).find("value")->find("sessions")->array()->empty());
}

TEST(PageSessions, AgentsAreLookedForAgain) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  EXPECT_EQ(answer_to(bench, page, "look_for_agents", R"("more":1)").text_or("type", ""), "done");
  EXPECT_EQ(bench.log.looked_again, 1);
}

TEST(PageSetup, RecentFoldersExistAndAppearOnce) {
  PageBench bench;
  for (const char* folder : {"/tmp", "/no/such/folder", PARLANCE_SOURCE_DIR, "/tmp"}) {
    hub::test::create(bench.loop, *bench.hub, {.agent = "scripted", .folder = folder});
    bench.loop.advance(1s);
  }
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  EXPECT_EQ(json::to_text(*answer_to(bench, page, "setup", R"("more":1)").find("value")),
            R"({"agents":[],"folders":["/tmp",")" PARLANCE_SOURCE_DIR R"("]})");
}

TEST(PageSessions, AgentWithoutSessionsReportsAnError) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto code = [&](std::string_view type, const std::string& members) {
    return std::string(answer_to(bench, page, type, members).text_or("code", ""));
  };
  EXPECT_EQ(code("sessions", of_scripted), "unknown_method");
  EXPECT_EQ(code("sessions", R"("agent":"scripted","folder":"tmp")"), "invalid_params");
  EXPECT_EQ(code("adopt", R"("agent":"unknown","folder":"/tmp","session":"s")"), "not_found");
}

TEST(PageFiles, ListsMatchingFilesOfAFolder) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const json::Value reply =
      answer_to(bench, page, "files", R"("folder":")" PARLANCE_SOURCE_DIR R"(/fuzz","typed":"acpface.cpp")");
  EXPECT_EQ(json::to_text(*reply.find("value")), R"({"paths":["acp_face.cpp"],"all":true})");
  EXPECT_EQ(answer_to(bench, page, "files", R"("folder":"/no/such","typed":"")").text_or("code", ""), "not_found");
}

TEST(PageSearch, FindsTextInMessages) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.talk(id);
  bench.loop.advance(2s);
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto found = page.request("search", R"("words":"A")");
  const auto nothing = page.request("search", R"("words":" ")");
  bench.loop.advance(2s);
  const json::Value reply = page.answer(found);
  const json::Array& hits = *reply.find("value")->find("hits")->array();
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].text_or("conversation", ""), id);
  EXPECT_EQ(hits[0].text_or("snippet", ""), "a");
  EXPECT_EQ(page.code(nothing), "invalid_params");
}

TEST(PageArchive, ArchivedStateReachesAllPages) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  page.request("set", conversation_member(id) + R"(,"archived":true)");
  bench.loop.advance(100ms);
  EXPECT_TRUE(page.conversations.at(id).boolean_or("archived", false));
  page.request("set", conversation_member(id) + R"(,"archived":false)");
  bench.loop.advance(100ms);
  EXPECT_FALSE(page.conversations.at(id).boolean_or("archived", false));
}

}  // namespace
}  // namespace parlance::face

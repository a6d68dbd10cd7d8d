// SPDX-License-Identifier: Apache-2.0
// Requests of a page, and malformed messages.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "parlance/base/base64.h"
#include "parlance/base/limits.h"
#include "parlance/face/page/hub_over_page.h"
#include "parlance/face/page/test_support.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::AskRequest;
using hub::Prompt;
using hub::StopReason;
using hub::Turn;
using test::conversation_member;
using test::one_to;
using test::PageBench;
using test::TestPage;

// ---- requests ----------------------------------------------------------------------------------------------------------

TEST(HubOverPage, PromptsRunOrWaitAndCanBeWithdrawnAndStopped) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.script = [&bench](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    while (!turn.cancelled()) co_await sleep_for(bench.loop, 10ms);
    co_return StopReason::cancelled;
  };
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto first = page.request("prompt", conversation_member(id) + R"(,"text":"one")");
  const auto two = page.request("prompt", conversation_member(id) + R"(,"text":"two")");
  const std::string turn(page.answer(first).find("value")->text_or("turn", ""));
  const std::string queued(page.answer(two).find("value")->text_or("queued", ""));
  EXPECT_FALSE(turn.empty());
  EXPECT_FALSE(queued.empty());
  bench.loop.advance(50ms);
  EXPECT_EQ(page.conversations[id].find("queued")->array()->size(), 1U);
  const std::string withdraw = conversation_member(id) + R"(,"queued":")" + queued + '"';
  EXPECT_EQ(page.answer(page.request("withdraw", withdraw)).text_or("type", ""), "done");
  EXPECT_EQ(page.code(page.request("withdraw", withdraw)), "not_found");
  EXPECT_EQ(page.answer(page.request("stop", conversation_member(id))).text_or("type", ""), "done");
  bench.loop.advance(100ms);
  EXPECT_EQ(page.conversations[id].text_or("state", ""), "idle");
  EXPECT_EQ(bench.trace(id), "turn_start user notice turn_end:cancelled") << "the withdrawal of a prompt is reported";
}

TEST(HubOverPage, HeldQueueResumesAtThePersonsRequest) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.script = [&bench](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    while (prompt.text == "one" && !turn.cancelled()) co_await sleep_for(bench.loop, 10ms);
    co_return turn.cancelled() ? StopReason::cancelled : StopReason::end_turn;
  };
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  for (const std::string text : {"one", "two", "three"})
    page.request("prompt", conversation_member(id) + R"(,"text":")" + text + '"');
  page.request("go_on", conversation_member(id));
  bench.loop.advance(50ms);
  EXPECT_EQ(page.conversations[id].find("queued")->array()->size(), 2U) << "a turn runs: nothing overtakes it";
  page.request("stop", conversation_member(id));
  bench.loop.advance(100ms);
  EXPECT_EQ(page.conversations[id].find("queued")->array()->size(), 2U) << "held back";
  EXPECT_EQ(page.answer(page.request("go_on", conversation_member(id))).text_or("type", ""), "done");
  bench.loop.advance(100ms);
  EXPECT_EQ(page.conversations[id].find("queued")->array()->size(), 0U);
  EXPECT_EQ(bench.log.prompts, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(HubOverPage, FirstAnswerCountsAndTheOtherFails) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage first(bench.loop, bench.server, *bench.hub);
  TestPage second(bench.loop, bench.server, *bench.hub);
  for (TestPage* page : {&first, &second}) {
    page->ready();
    page->open(id);
  }
  bench.ask(id);
  ASSERT_EQ(first.asks.size(), 1U);
  const json::Value ask = first.asks.begin()->second;
  const auto answer_with = [&](std::string_view option, std::string_view digest) {
    return R"("ask":")" + std::string(ask.text_or("id", "")) + R"(","digest":")" + std::string(digest) + R"(","option":")" +
           std::string(option) + '"';
  };
  EXPECT_EQ(first.code(first.request("answer", answer_with("yes", "of something else"))), "invalid_request");
  EXPECT_EQ(first.code(first.request("answer", answer_with("perhaps", ask.text_or("digest", "")))), "invalid_params");
  const auto mine = first.request("answer", answer_with("yes", ask.text_or("digest", "")));
  const auto theirs = second.request("answer", answer_with("no", ask.text_or("digest", "")));
  bench.loop.advance(100ms);
  EXPECT_EQ(first.answer(mine).text_or("type", ""), "done");
  EXPECT_EQ(second.code(theirs), "failed");
  for (TestPage* page : {&first, &second}) {
    const json::Value& settled = page->asks.begin()->second;
    EXPECT_EQ(settled.text_or("state", ""), "answered");
    EXPECT_EQ(settled.text_or("chosen", ""), "yes");
    EXPECT_EQ(settled.text_or("by", ""), "person");
    EXPECT_EQ(page->seqs[id], one_to(bench.store.logs[id].size()));
  }
}

// The process died with an open ask: the ask still exists, and can be requested again.
TEST(HubOverPage, OrphanedAskIsListedAndRequestedAgain) {
  hub::test::Bench bench;
  bench.store.text_of = wire_form::event_json;
  bench.script = [](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    const std::string call = prompt.resume ? prompt.resume->call.id : "call";
    turn.emit(hub::event::ToolStart{.call = call, .tool = "write", .title = "a.txt"});
    const AskRequest request{.call = call,
                             .tool = "write",
                             .title = "a.txt",
                             .options = {{.id = "yes", .label = "Yes", .kind = hub::OptionKind::allow_once}}};
    auto answer = co_await turn.ask(request);
    turn.emit(hub::event::ToolEnd{.call = call});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.advance(50ms);
  bench.crash();

  PageServer server(bench.loop, {});
  TestPage page(bench.loop, server, *bench.hub);
  page.ready();
  page.open(id);
  ASSERT_EQ(page.asks.size(), 1U);
  const std::string orphan = page.asks.begin()->first;
  EXPECT_EQ(page.asks[orphan].text_or("state", ""), "orphaned");
  const auto again = page.request("reask", R"("ask":")" + orphan + '"');
  bench.loop.advance(50ms);
  EXPECT_FALSE(page.answer(again).find("value")->text_or("turn", "").empty());
  EXPECT_EQ(page.asks[orphan].text_or("state", ""), "cancelled");
  ASSERT_EQ(page.asks.size(), 2U);
  const json::Value& open = std::ranges::find_if(page.asks, [&](const auto& ask) { return ask.first != orphan; })->second;
  EXPECT_EQ(open.text_or("state", ""), "open");
  const auto answered = page.request("answer", R"("ask":")" + std::string(open.text_or("id", "")) + R"(","digest":")" +
                                                   std::string(open.text_or("digest", "")) + R"(","option":"yes")");
  bench.loop.advance(50ms);
  EXPECT_EQ(page.answer(answered).text_or("type", ""), "done");
  EXPECT_EQ(page.conversations[id].text_or("state", ""), "idle");
  EXPECT_EQ(page.seqs[id], one_to(bench.store.logs[id].size()));
}

TEST(HubOverPage, NewConversationNeedsAnExistingFolder) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto made_with = [&](std::string_view folder, std::string_view agent = "scripted") {
    const auto number =
        page.request("new", R"("agent":")" + std::string(agent) + R"(","folder":")" + std::string(folder) + R"(","mode":"plan")");
    while (page.answers_to(number) == 0) bench.loop.run_ready();  // a worker thread checks the folder
    return page.answer(number);
  };
  const std::string folder = std::filesystem::temp_directory_path().string();
  const json::Value made = made_with(folder + "/./");
  ASSERT_EQ(made.text_or("type", ""), "done") << json::to_text(made);
  const json::Value& conversation = *made.find("value")->find("conversation");
  EXPECT_EQ(conversation.text_or("folder", ""), folder);
  EXPECT_EQ(conversation.text_or("mode", ""), "plan");
  bench.loop.advance(50ms);
  EXPECT_TRUE(page.conversations.contains(std::string(conversation.text_or("id", ""))));
  EXPECT_EQ(made_with("relative").text_or("code", ""), "invalid_params");
  EXPECT_EQ(made_with("/no/such/folder").text_or("code", ""), "not_found");
  EXPECT_EQ(made_with("~/no/such/folder").text_or("message", ""), "/home/ann/no/such/folder: No such file or directory");
  EXPECT_EQ(made_with("/proc/self/status").text_or("code", ""), "not_found");
  EXPECT_EQ(made_with(folder, "unknown").text_or("code", ""), "not_found");
}

TEST(HubOverPage, MoreFoldersOfANewConversationAreCheckedLikeTheFirst) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto made_with = [&](const std::string& folders) {
    const auto number = page.request("new", R"("agent":"scripted","folder":")" + folder + R"(","folders":)" + folders);
    while (page.answers_to(number) == 0) bench.loop.run_ready();
    return page.answer(number);
  };
  const json::Value made = made_with(R"(["/usr/./","/etc"])");
  ASSERT_EQ(made.text_or("type", ""), "done") << json::to_text(made);
  EXPECT_EQ(json::to_text(*made.find("value")->find("conversation")->find("folders")), R"(["/usr","/etc"])");
  EXPECT_EQ(made_with(R"(["/usr","relative"])").text_or("code", ""), "invalid_params");
  EXPECT_EQ(made_with(R"(["/no/such/folder"])").text_or("message", ""), "/no/such/folder: No such file or directory");
}

TEST(HubOverPage, OddSettingsOfATurnAreRefusedAndNothingRuns) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  for (const char* options : {"7", "[]", R"("")", R"({"most_rounds":-1})", R"({"system":[]})"})
    EXPECT_EQ(page.code(page.request("prompt", conversation_member(id) + R"(,"text":"a","options":)" + options)),
              "invalid_params");
  for (const char* own : {"7", R"("true")", "[]"})
    EXPECT_EQ(page.code(page.request("stop", conversation_member(id) + R"(,"only_own":)" + own)), "invalid_params") << own;
  EXPECT_TRUE(bench.log.prompts.empty());
  EXPECT_EQ(page.code(page.request("get", conversation_member("conv_none"))), "not_found");
  EXPECT_EQ(page.code(page.request("prompt", conversation_member(id) + R"(,"text":"a","options":{"unknown":1})")), "");
  bench.loop.advance(50ms);
  EXPECT_EQ(bench.log.prompts, std::vector<std::string>{"a"});
}

TEST(HubOverPage, ConversationsAreSetAndDeleted) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto set = page.request("set", conversation_member(id) + R"(,"title":"New","mode":"autoEdit","model":"m","think":true)");
  EXPECT_EQ(page.answer(set).find("value")->find("conversation")->text_or("title", ""), "New");
  bench.loop.advance(50ms);
  EXPECT_EQ(page.conversations[id].text_or("title", ""), "New");
  EXPECT_EQ(page.conversations[id].text_or("mode", ""), "autoEdit");
  EXPECT_EQ(page.conversations[id].text_or("model", ""), "m");
  EXPECT_TRUE(page.conversations[id].boolean_or("think", false));
  EXPECT_EQ(page.answer(page.request("delete", conversation_member(id))).text_or("type", ""), "done");
  bench.loop.advance(50ms);
  EXPECT_FALSE(page.conversations.contains(id));
}

TEST(HubOverPage, UnknownIdsAreErrorsWithCodes) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  const std::string none = conversation_member("none");
  EXPECT_EQ(page.code(page.request("open", none + R"(,"after":0)")), "invalid_request") << "before ready";
  page.ready();
  EXPECT_EQ(page.code(page.request("open", none + R"(,"after":0)")), "not_found");
  EXPECT_EQ(page.code(page.request("older", none + R"(,"before":5)")), "not_found");
  EXPECT_EQ(page.code(page.request("prompt", none + R"(,"text":"x")")), "not_found");
  EXPECT_EQ(page.code(page.request("withdraw", none + R"(,"queued":"x")")), "not_found");
  EXPECT_EQ(page.code(page.request("stop", none)), "not_found");
  EXPECT_EQ(page.code(page.request("go_on", none)), "not_found");
  EXPECT_EQ(page.code(page.request("set", none + R"(,"title":"x")")), "not_found");
  EXPECT_EQ(page.code(page.request("delete", none)), "not_found");
  EXPECT_EQ(page.code(page.request("revoke", R"("rule":"none")")), "not_found");
  EXPECT_EQ(page.code(page.request("reask", R"("ask":"none")")), "not_found");
  EXPECT_EQ(page.code(page.request("answer", R"("ask":"none","digest":"x")")), "not_found");
  EXPECT_EQ(page.answer(page.request("close", none)).text_or("type", ""), "done") << "closed it is";
}

TEST(HubOverPage, AttachmentsMustFitTheAnnouncedLimits) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const json::Value& limits_json = *page.received.front().find("attachment_limits");
  EXPECT_EQ(limits_json.integer_or("files", 0), static_cast<std::int64_t>(limits::prompt_attachments));
  EXPECT_EQ(limits_json.integer_or("bytes", 0), static_cast<std::int64_t>(limits::prompt_attachment_bytes));
  EXPECT_EQ(json::to_text(*limits_json.find("media_types")),
            R"(["image/jpeg","image/png","image/gif","image/webp","application/pdf","text/*"])");
  const auto picture_bytes = static_cast<std::size_t>(limits_json.integer_or("picture_bytes", 0));

  const auto send = [&](std::string_view name, std::string_view media_type, std::string_view data) {
    return page.request("prompt", conversation_member(id) + R"(,"text":"","attachments":[{"name":")" + std::string(name) +
                                      R"(","media_type":")" + std::string(media_type) + R"(","data":")" + to_base64(data) +
                                      R"("}])");
  };
  std::string picture(picture_bytes, 'x');
  picture.replace(0, 3, "\xff\xd8\xff");
  const auto sent = send("a.png", "image/png", picture);
  bench.loop.advance(50ms);
  EXPECT_EQ(page.answer(sent).text_or("type", ""), "done");
  ASSERT_EQ(bench.store.attachments.size(), 1U);
  EXPECT_EQ(bench.store.attachments.begin()->second.data, picture);
  EXPECT_EQ(bench.store.attachments.begin()->second.about.media_type, "image/jpeg") << "by its first bytes";
  EXPECT_EQ(bench.store.attachments.begin()->second.about.name, "a.png");

  const auto refusal = [&](const std::string& number) { return std::string(page.answer(number).text_or("message", "")); };
  EXPECT_TRUE(refusal(send("a.png", "image/png", std::string(picture_bytes + 1, 'x'))).ends_with("make it smaller"));
  EXPECT_EQ(page.answer(send("a.txt", "text/plain", std::string(picture_bytes + 1, 'x'))).text_or("type", ""), "done");
  EXPECT_EQ(refusal(send("a", "picture", "x")), "$.attachments[0].media_type: expected a media type, for example image/png");
  EXPECT_TRUE(refusal(send("a.png", "image/png", "hello")).starts_with("$.attachments[0].data: the data is no picture"));
  EXPECT_EQ(refusal(send("a", "image/png", "")), "$.attachments[0].data: the file is empty");
  EXPECT_EQ(page.code(send("a", "text/plain", std::string(limits::prompt_attachment_bytes + 1, 'x'))), "invalid_params");
  EXPECT_EQ(refusal(page.request(
                "prompt", conversation_member(id) + R"(,"text":"","attachments":[{"name":"","media_type":"a/b","data":"%"}])")),
            "$.attachments[0].data: expected base64 text");
  EXPECT_EQ(bench.store.attachments.size(), 2U);
}

// ---- malformed messages --------------------------------------------------------------------------------------------------

struct Malformed {
  std::string_view message;
  std::string_view request;
  std::string_view code;
  std::string_view text;  // its beginning
};

TEST(HubOverPage, EveryMalformedMessageIsAnsweredWithThePlaceOfTheFault) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  std::size_t answered = 1;
  for (const auto& [message, request, code, text] : std::initializer_list<Malformed>{
           {"{nonsense", "", "invalid_request", ""},
           {"[]", "", "invalid_params", "$: expected an object"},
           {"{}", "", "invalid_params", "$.type: missing"},
           {R"({"request":"7"})", "7", "invalid_params", "$.type: missing"},
           {R"({"type":"fly","request":"8"})", "8", "unknown_method", "$.type: "},
           {R"({"type":"prompt","request":"9","conversation":"c"})", "9", "invalid_params", "$.text: missing"},
           {R"({"type":"prompt","request":"10","conversation":"c","text":5})", "10", "invalid_params",
            "$.text: expected text, found a number"},
           {R"({"text":"x","conversation":"c","type":"prompt"})", "", "invalid_params", "$.request: missing"},
           {R"({"type":"prompt","request":11,"conversation":"c","text":"x"})", "", "invalid_params",
            "$.request: expected text, found a number"},
           {R"({"type":"open","request":"12","conversation":"c","after":-1})", "12", "invalid_params", "$.after: "},
           {R"({"type":"open","request":"13","conversation":"c","after":1.5})", "13", "invalid_params",
            "$.after: expected an integer"},
           {R"({"type":"set","request":"14","conversation":"c","mode":"turbo"})", "14", "invalid_params",
            "$.mode: expected one of"},
           {R"({"type":"answer","request":"15","ask":"a","digest":"d","answers":[["x"],[1]]})", "15", "invalid_params",
            "$.answers[1][0]: expected text"},
           {R"({"type":"prompt","request":"16","conversation":"c","text":"x")", "16", "invalid_request", ""},
           {"{\"type\":\"prompt\",\"request\":\"17\",\"conversation\":\"c\",\"text\":\"\xff\"}", "", "invalid_request", ""},
       }) {
    page.send(message);
    ASSERT_EQ(page.received.size(), ++answered) << message;
    const json::Value& answer = page.received.back();
    EXPECT_EQ(answer.text_or("type", ""), "failed") << message;
    EXPECT_EQ(answer.text_or("request", "none"), request) << message;
    EXPECT_EQ(answer.text_or("code", ""), code) << message;
    EXPECT_TRUE(answer.text_or("message", "").starts_with(text)) << message << ": " << answer.text_or("message", "");
  }
  EXPECT_EQ(bench.server.statistics().malformed, answered - 1);
  page.ready();
  EXPECT_EQ(page.count("snapshot"), 2U) << "the connection lives on";
}

// ---- memory --------------------------------------------------------------------------------------------------------------

TEST(HubOverPage, MemoriesAreSearchedAndListed) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  bench.memory.document =
      R"({"count":1,"items":[{"id":"m1","text":"I like tea","category":"preference","importance":0.8,"source":"agent",)"
      R"("conversation":"conv_1","event":2,"created_at":"2024-05-06T07:08:09Z","score":"0.8313","matched":"both"}],"result":"x"})";
  const std::string found = page.request("memory_search", R"("query":"tea","category":"preference")");
  EXPECT_EQ(
      *page.answer(found).find("value"),
      *json::parse(
          R"({"memories":[{"id":"m1","text":"I like tea","category":"preference","importance":0.8,"source":"agent","conversation":"conv_1",)"
          R"("event":2,"created_at":"2024-05-06T07:08:09Z","score":0.8313,"matched":"both"}]})"));
  ASSERT_EQ(bench.memory.searches.size(), 1U);
  EXPECT_EQ(bench.memory.searches[0].query, "tea");
  EXPECT_EQ(bench.memory.searches[0].category, "preference");
  EXPECT_EQ(bench.memory.searches[0].min_score, std::nullopt) << "the agent's to decide";

  bench.memory.document = R"({"count":1,"items":[{"id":"m1","text":"I like tea"}],"next":"m1"})";
  const std::string listed =
      page.request("memory_list", R"("category":"fact","conversation":"conv_1","before":"m9","limit":100000)");
  EXPECT_EQ(
      *page.answer(listed).find("value"),
      *json::parse(
          R"({"memories":[{"id":"m1","text":"I like tea","category":"other","importance":0,"source":"manual","created_at":""}],)"
          R"("next":"m1"})"));
  ASSERT_EQ(bench.memory.listings.size(), 1U);
  EXPECT_EQ(bench.memory.listings[0].category, "fact");
  EXPECT_EQ(bench.memory.listings[0].conversation, "conv_1");
  EXPECT_EQ(bench.memory.listings[0].before, "m9");
  EXPECT_EQ(bench.memory.listings[0].limit, static_cast<std::int64_t>(limits::memory_page_entries));
  page.request("memory_list");
  EXPECT_EQ(bench.memory.listings[1].limit, std::nullopt);

  // Another agent may answer with text other than a document.
  bench.memory.document = "no memories yet";
  EXPECT_EQ(*page.answer(page.request("memory_list")).find("value"), *json::parse(R"({"memories":[]})"));
  EXPECT_EQ(page.code(page.request("memory_search", R"("query":" ")")), "invalid_params");
  bench.memory.document = fail(Errc::deadline_exceeded, "timeout waiting for agent at x");
  const std::string failed = page.request("memory_list");
  EXPECT_EQ(page.code(failed), "deadline_exceeded");
  EXPECT_EQ(page.answer(failed).text_or("message", ""), "timeout waiting for agent at x");
}

TEST(HubOverPage, AMemoryIsForgotten) {
  PageBench bench;
  TestPage page(bench.loop, bench.server, *bench.hub);
  EXPECT_EQ(page.answer(page.request("memory_forget", R"("id":"m1")")).text_or("type", ""), "done");
  EXPECT_EQ(bench.memory.forgotten, std::vector<std::string>{"m1"});
  EXPECT_EQ(page.code(page.request("memory_forget", R"("id":"m2")")), "not_found");
  EXPECT_EQ(page.code(page.request("memory_forget")), "invalid_params");
}

TEST(HubOverPage, AHostWithoutMemorySaysSo) {
  PageBench bench;
  PageServer server(bench.loop, {});
  TestPage page(bench.loop, server, *bench.hub);
  for (const auto& [type, members] : std::initializer_list<std::pair<const char*, const char*>>{
           {"memory_search", R"("query":"x")"}, {"memory_list", ""}, {"memory_forget", R"("id":"x")"}})
    EXPECT_EQ(page.code(page.request(type, members)), "unknown_method") << type;
}

}  // namespace
}  // namespace parlance::face

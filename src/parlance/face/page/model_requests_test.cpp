// SPDX-License-Identifier: Apache-2.0
// Options, cleared conversations, edited proposals, and editor context: requests of a page.
#include <gtest/gtest.h>

#include "parlance/face/page/hub_over_page.h"
#include "parlance/face/page/test_support.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using test::conversation_member;
using test::PageBench;
using test::TestPage;

TEST(HubOverPage, AnOptionIsChosenAndEveryPageSeesIt) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto& agents = *page.received.front().find("agents")->array();
  EXPECT_EQ(agents[0].find("options")->array()->size(), 2U);
  const std::string choose = conversation_member(id) + R"(,"option":"effort","value":")";
  EXPECT_EQ(page.answer(page.request("set_option", choose + R"(high")")).text_or("type", ""), "done");
  bench.loop.advance(50ms);
  EXPECT_EQ(page.conversations[id].find("options")->array()->front().text_or("value", ""), "high");
  EXPECT_EQ(page.code(page.request("set_option", choose + R"(most")")), "invalid_params");
}

TEST(HubOverPage, AConversationIsCleared) {
  PageBench bench;
  const std::string id = bench.conversation();
  bench.talk(id);
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  EXPECT_EQ(page.answer(page.request("clear", conversation_member(id))).text_or("type", ""), "done");
  EXPECT_EQ(bench.trace(id), "turn_start user text turn_end cleared");
  EXPECT_EQ(page.code(page.request("clear", conversation_member("unknown"))), "not_found");
}

TEST(HubOverPage, WhatThePersonLooksAtGoesWithThePrompt) {
  PageBench bench;
  const std::string id = bench.conversation();
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  const auto sent =
      page.request("prompt", conversation_member(id) +
                                 R"(,"text":"why?","context":[{"path":"a.cpp","range":{"first":3,"last":4},"text":"x"}])");
  EXPECT_EQ(page.answer(sent).text_or("type", ""), "done");
  bench.loop.advance(50ms);
  const auto* said = std::get_if<hub::event::UserMessage>(&bench.store.logs.at(id).at(1).body);
  ASSERT_NE(said, nullptr);
  ASSERT_TRUE(said->context);
  EXPECT_EQ(said->context->front(),
            (hub::PromptContext{.path = "a.cpp", .range = hub::LineRange{.first = 3, .last = 4}, .text = "x"}));
  EXPECT_EQ(page.code(page.request("prompt", conversation_member(id) + R"(,"text":"x","context":[{"path":""}])")),
            "invalid_params");
}

TEST(HubOverPage, AnAnswerBringsWhatThePersonMadeOfTheProposal) {
  PageBench bench;
  const std::string id = bench.conversation();
  std::optional<std::string> edited;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    hub::AskRequest request{
        .title = "make", .detail = "make", .options = hub::once_offer(), .editable = hub::EditablePart::command};
    const auto answer = co_await turn.ask(std::move(request));
    if (answer) edited = answer->edited;
    co_return hub::StopReason::end_turn;
  };
  TestPage page(bench.loop, bench.server, *bench.hub);
  page.ready();
  bench.prompt(id);
  bench.loop.advance(50ms);
  ASSERT_EQ(page.asks.size(), 1U);
  const json::Value ask = page.asks.begin()->second;
  EXPECT_EQ(ask.text_or("editable", ""), "command");
  const std::string answer = R"("ask":")" + std::string(ask.text_or("id", "")) + R"(","digest":")" +
                             std::string(ask.text_or("digest", "")) + R"(","option":"allow_once","edited":"make test")";
  EXPECT_EQ(page.answer(page.request("answer", answer)).text_or("type", ""), "done");
  bench.loop.advance(50ms);
  EXPECT_EQ(edited, "make test");
  EXPECT_EQ(page.asks.begin()->second.text_or("detail", ""), "make test") << "what was agreed to is what is shown";
}

}  // namespace
}  // namespace parlance::face

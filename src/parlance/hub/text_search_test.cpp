// SPDX-License-Identifier: Apache-2.0
// Search in messages: across pieces, case-insensitive, on both sides of a clear.
#include "parlance/hub/conversation/text_search.h"

#include <gtest/gtest.h>

#include "parlance/base/utf8.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

std::optional<FoundText> search(std::string_view words, std::vector<EventBody> said) {
  TextSearch search(words);
  std::uint64_t seq = 0;
  for (EventBody& body : said) search.add({.seq = ++seq, .body = std::move(body)});
  return search.newest();
}

TEST(TextSearch, FindsWordsThatCameInPieces) {
  const auto found = search("race condition", {event::UserMessage{.text = "why?"}, event::Text{"It is a rac"},
                                               event::Text{"e Cond"}, event::Text{"ition."}, event::TurnEnd{}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seq, 2U);
  EXPECT_EQ(found->snippet, "It is a race Condition.");
}

TEST(TextSearch, TwoTextsAreNotOne) {
  EXPECT_FALSE(search("ab", {event::Text{"a"}, event::ToolStart{.call = "c"}, event::Text{"b"}}));
  EXPECT_FALSE(search("ab", {event::UserMessage{.text = "a"}, event::Text{"b"}}));
}

TEST(TextSearch, TellsTheNewestAndNothingThatWasCleared) {
  const auto found = search("x", {event::UserMessage{.text = "x1"}, event::UserMessage{.text = "x2"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->snippet, "x2");
  EXPECT_FALSE(search("x", {event::UserMessage{.text = "x"}, event::Cleared{}, event::Text{"y"}}));
}

TEST(TextSearch, ASnippetIsOneLineAndCutsNoCharacter) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "ä\n";
  text += "needle";
  for (int i = 0; i < 100; ++i) text += "é";
  const auto found = search("NEEDLE", {event::Text{text}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->snippet.starts_with("…") && found->snippet.ends_with("…")) << found->snippet;
  EXPECT_TRUE(is_valid_utf8(found->snippet));
  EXPECT_EQ(found->snippet.find('\n'), std::string::npos);
}

TEST(TextSearch, FindsCommandsOutputsQuestionsAndPlans) {
  const auto all = [](std::string_view words) {
    const auto found = search(
        words, {event::ToolStart{.call = "c", .title = "npm run build"}, event::ToolOutput{.call = "c", .text = "3 err"},
                event::ToolOutput{.call = "c", .text = "ors in a.ts"}, event::ToolOutput{.call = "d", .text = "half"},
                event::ToolOutput{.call = "e", .text = "way"},
                event::UserQuestion{
                    .ask = {.title = "t", .questions = {{{.question = "Which store?", .options = {{.label = "SQLite"}}}}}}},
                event::PlanApproval{.ask = {.title = "t", .plan = "## Paint it **twice**"}}});
    return found ? std::to_string(found->seq) + " " + found->snippet : "";
  };
  EXPECT_EQ(all("run build"), "1 npm run build");
  EXPECT_EQ(all("3 errors"), "2 3 errors in a.ts");
  EXPECT_EQ(all("halfway"), "");
  EXPECT_EQ(all("which store"), "6 Which store?");
  EXPECT_EQ(all("sqlite"), "6 SQLite ");
  EXPECT_EQ(all("paint"), "7 Paint it twice");
}

TEST(TextSearch, ASnippetHasNoMarksOfMarkdown) {
  EXPECT_EQ(search("b", {event::Text{"**a** `my_b` ~~c~~ [d](https://e/) [f]"}})->snippet, "a my_b c d [f]");
}

TEST(Search, FindsInEveryConversationTheNewestFirst) {
  test::Bench bench;
  const std::string one = bench.conversation();
  const std::string two = bench.conversation();
  bench.prompt(one, "tabs or spaces");
  bench.loop.advance(std::chrono::milliseconds(100));
  bench.prompt(two, "Tabs it is");
  bench.loop.advance(std::chrono::seconds(2));
  const auto hits = bench.loop.block_on(bench.hub->search(" tabs "));
  ASSERT_TRUE(hits);
  ASSERT_EQ(hits->size(), 2U);
  EXPECT_EQ((*hits)[0].conversation + (*hits)[1].conversation, two + one);
  EXPECT_EQ((*hits)[0].snippet, "Tabs it is");
  const auto reads = bench.store.forward_reads;
  const auto mine = bench.loop.block_on(bench.hub->search("tabs", [&](const Conversation& c) { return c.id == one; }));
  ASSERT_TRUE(mine && mine->size() == 1);
  EXPECT_EQ(mine->front().conversation, one);
  EXPECT_EQ(bench.store.forward_reads, reads + 1) << "no read of a log that the caller may not see";
  EXPECT_TRUE(bench.loop.block_on(bench.hub->search("nowhere"))->empty());
  EXPECT_EQ(bench.loop.block_on(bench.hub->search("  ")).error().code, Errc::invalid_params);
}

}  // namespace
}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
// Search in messages: across pieces, case-insensitive, on both sides of a clear.
#include "parlance/hub/log/text_search.h"

#include <gtest/gtest.h>

#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

std::optional<FoundText> search(std::string_view words, std::vector<EventBody> said) {
  TextSearch search(words);
  std::uint64_t seq = 0;
  for (EventBody& body : said) search.add({.seq = ++seq, .body = std::move(body)});
  return search.newest();
}

TEST(TextSearch, FindsWordsInPieces) {
  const auto found = search("race condition", {event::UserMessage{.text = "why?"}, event::Text{"It is a rac"},
                                               event::Text{"e Cond"}, event::Text{"ition."}, event::TurnEnd{}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seq, 2U);
  EXPECT_EQ(found->snippet, "It is a race Condition.");
}

TEST(TextSearch, TwoTextsStaySeparate) {
  EXPECT_FALSE(search("ab", {event::Text{"a"}, event::ToolStart{.call = "c"}, event::Text{"b"}}));
  EXPECT_FALSE(search("ab", {event::UserMessage{.text = "a"}, event::Text{"b"}}));
}

TEST(TextSearch, FindsTheNewestTextAfterTheLastClear) {
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
  EXPECT_EQ(all("3 errors"), "1 3 errors in a.ts");
  EXPECT_EQ(all("halfway"), "");
  EXPECT_EQ(all("which store"), "6 Which store?");
  EXPECT_EQ(all("sqlite"), "6 SQLite ");
  EXPECT_EQ(all("paint"), "7 Paint it twice");
}

TEST(TextSearch, FindsThoughtsNoticesErrorsAndNotes) {
  const auto all = [](std::string_view words) {
    const auto found = search(words, {event::ThinkingStart{}, event::ThinkingContent{"a dead"}, event::ThinkingContent{"lock"},
                                      event::ThinkingEnd{}, event::Text{"yes"}, event::Notice{.text = "The limit is near"},
                                      event::Failure{.message = "no route", .detail = "errno 113"},
                                      event::AskSettled{.text = "use tabs"}, notice_of(act::stop, {}, "ann")});
    return found ? std::to_string(found->seq) + " " + found->snippet : "";
  };
  EXPECT_EQ(all("deadlock"), "2 a deadlock");
  EXPECT_EQ(all("lockyes"), "") << "an answer ends a thought";
  EXPECT_EQ(all("limit is"), "6 The limit is near");
  EXPECT_EQ(all("no route"), "7 no route");
  EXPECT_EQ(all("errno 113"), "7 errno 113");
  EXPECT_EQ(all("tabs"), "8 use tabs");
  EXPECT_EQ(all("was stopped"), "") << "pages show actions in the reader's language";
}

TEST(TextSearch, FindsTheLastContentOfACall) {
  const Diff diff{.path = "a.cpp", .before = "same\nold()\n", .after = "same\nnew()\n"};
  const auto all = [&diff](std::string_view words) {
    const auto found =
        search(words, {event::ToolStart{.call = "c", .title = "Read"}, event::ToolStart{.call = "d", .title = "Edit"},
                       event::ToolUpdate{.call = "c", .title = "Read b.txt", .content = {{ToolText{"first half"}}}},
                       event::ToolUpdate{.call = "c", .content = {{ToolText{"second half"}, ToolTerminal{"term-1"}}}},
                       event::ToolUpdate{.call = "d", .content = {{diff}}}, event::ToolEnd{.call = "d"},
                       event::ToolUpdate{.call = "e", .content = {{ToolText{"started earlier"}}}},
                       event::ToolOutput{.call = "c", .text = "12 %", .progress = true},
                       event::ToolConfirmation{.ask = {.title = "t", .diff = Diff{.path = "n.cpp", .after = "brand new"}}}});
    return found ? std::to_string(found->seq) + " " + found->snippet : "";
  };
  EXPECT_EQ(all("b.txt"), "1 Read b.txt");
  EXPECT_EQ(all("first half"), "") << "replaced by the next update";
  EXPECT_EQ(all("second"), "1 second half") << "without an end of the call";
  EXPECT_EQ(all("old()"), "2 a.cpp old() new()");
  EXPECT_EQ(all("same"), "") << "unchanged lines";
  EXPECT_EQ(all("term-1"), "");
  EXPECT_EQ(all("started"), "7 started earlier");
  EXPECT_EQ(all("12 %"), "1 12 %");
  EXPECT_EQ(all("brand"), "9 n.cpp brand new");
}

TEST(TextSearch, AClearedContentIsForgotten) {
  EXPECT_FALSE(search("x", {event::ToolUpdate{.call = "c", .content = {{ToolText{"x"}}}}, event::Cleared{}}));
}

TEST(TextSearch, ANewMessageWinsOverALateEndOfACall) {
  const auto found = search("x", {event::ToolStart{.call = "c"}, event::ToolUpdate{.call = "c", .content = {{ToolText{"x1"}}}},
                                  event::Text{"x2"}, event::ToolEnd{.call = "c"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->snippet, "x2");
}

TEST(TextSearch, ColoursOfATerminalSplitNoWord) {
  const auto found = [](std::string_view words) {
    return search(words, {event::ToolOutput{.call = "c", .text = "\x1b[1;31mer\x1b"},
                          event::ToolOutput{.call = "c", .text = "[0mror\x1b]8;;http://x/\x1b\\ in\x1b]0;t\a a.ts\b\x1b[3"}});
  };
  ASSERT_TRUE(found("error in a.ts"));
  EXPECT_EQ(found("error in a.ts")->snippet, "error in a.ts ");
  EXPECT_FALSE(found("31m"));
}

TEST(TextLines, HaveThoughtsContentsAndChangedLines) {
  TextLines lines;
  lines.add({.seq = 1, .body = event::ThinkingContent{"hm"}});
  lines.add({.seq = 2, .body = event::ToolStart{.call = "c", .title = "Edit"}});
  lines.add({.seq = 3, .body = event::ToolUpdate{.call = "c", .content = {{ToolText{"ok"}, Diff{.path = "a", .after = "b"}}}}});
  lines.add({.seq = 4, .body = event::TurnEnd{}});
  EXPECT_EQ(lines.take_all(), "hm\nEdit\nok\na\nb\n");
}

TEST(TextSearch, ASnippetHasNoMarksOfMarkdown) {
  EXPECT_EQ(search("b", {event::Text{"**a** `my_b` ~~c~~ [d](https://e/) [f]"}})->snippet, "a my_b c d [f]");
}

TEST(Search, FindsInEveryConversationTheNewestFirst) {
  test::Bench bench;
  const std::string conversation = bench.conversation();
  const std::string two = bench.conversation();
  bench.prompt(conversation, "tabs or spaces");
  bench.loop.advance(std::chrono::milliseconds(100));
  bench.prompt(two, "Tabs it is");
  bench.loop.advance(std::chrono::seconds(2));
  const auto hits = bench.loop.block_on(bench.hub->search(" tabs "));
  ASSERT_TRUE(hits);
  ASSERT_EQ(hits->size(), 2U);
  EXPECT_EQ((*hits)[0].conversation + (*hits)[1].conversation, two + conversation);
  EXPECT_EQ((*hits)[0].snippet, "Tabs it is");
  const auto reads = bench.store.forward_reads;
  const auto mine = bench.loop.block_on(bench.hub->search("tabs", [&](const Conversation& c) { return c.id == conversation; }));
  ASSERT_TRUE(mine && mine->size() == 1);
  EXPECT_EQ(mine->front().conversation, conversation);
  EXPECT_EQ(bench.store.forward_reads, reads + 1) << "no read of a log that the caller may not see";
  EXPECT_TRUE(bench.loop.block_on(bench.hub->search("nowhere"))->empty());
  EXPECT_EQ(bench.loop.block_on(bench.hub->search("  ")).error().code, Errc::invalid_params);
}

}  // namespace
}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/event.h"

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

std::size_t beside_itself(const EventBody& body) { return weight_of(body) - sizeof(Event); }

// ---- weight -------------------------------------------------------------------------------------------------------------------------

TEST(EventWeight, EventWithoutTextHasItsSizeInMemory) {
  for (const EventBody& body :
       {EventBody(event::TurnStart{"t"}), EventBody(event::ThinkingStart{}), EventBody(event::ThinkingEnd{7}),
        EventBody(event::ModeChanged{}), EventBody(event::Cleared{}), EventBody(event::TurnEnd{"t"})})
    EXPECT_EQ(weight_of(body), sizeof(Event)) << body.index();
}

TEST(EventWeight, TextsCountByTheirBytes) {
  EXPECT_EQ(beside_itself(event::Text{"abc"}), 3U);
  EXPECT_EQ(beside_itself(event::Text{"ä"}), 2U) << "bytes, not letters";
  EXPECT_EQ(beside_itself(event::ThinkingContent{"abcd"}), 4U);
  EXPECT_EQ(beside_itself(event::ToolOutput{.call = "long name", .text = "abcde"}), 5U);
  EXPECT_EQ(beside_itself(event::Failure{.code = "x", .message = "abc", .detail = "de"}), 5U);
  EXPECT_EQ(beside_itself(event::Notice{.text = "abc", .detail = "de"}), 5U);
}

TEST(EventWeight, PromptIncludesContextButNotPictures) {
  const AttachmentInfo picture{.id = "a", .media_type = "image/png", .bytes = 3'000'000};
  EXPECT_EQ(beside_itself(event::UserMessage{.text = "hi", .attachments = {{picture, picture}}}), 2 + 2 * sizeof(AttachmentInfo))
      << "their bytes lie in the store by themselves";
  EXPECT_EQ(beside_itself(event::UserMessage{.text = "hi", .context = {{{.path = "a.cpp", .text = "12345"}, {.path = "b"}}}}),
            2 + 2 * sizeof(PromptContext) + 5 + 5 + 1);
}

TEST(EventWeight, ACallWeighsItsInputAndItsPlaces) {
  EXPECT_EQ(beside_itself(
                event::ToolStart{.title = "abc", .input_json = "{}", .locations = {{{.path = "a"}, {.path = "bc", .line = 1}}}}),
            3 + 2 + 2 * sizeof(Location) + 3);
}

TEST(EventWeight, UpdateWeighsItsPresentFields) {
  EXPECT_EQ(beside_itself(event::ToolUpdate{.call = "c"}), 0U);
  EXPECT_EQ(beside_itself(event::ToolUpdate{.title = "ab", .input_json = "{}"}), 4U);
  const std::vector<ToolContent> content{ToolText{"abc"}, Diff{.path = "p", .before = "12", .after = "345"}, ToolTerminal{"t1"},
                                         ToolPicture{{.name = "a.png", .bytes = 5000}}};
  EXPECT_EQ(beside_itself(event::ToolUpdate{.content = content}), 4 * sizeof(ToolContent) + 3 + 5 + 2);
}

TEST(EventWeight, AbsentFieldsOfAChangeWeighZero) {
  const auto weight = [](Diff diff) {
    return beside_itself(event::ToolUpdate{.content = {{std::move(diff)}}}) - sizeof(ToolContent);
  };
  EXPECT_EQ(weight({.path = "p", .after = "1234"}), 4U) << "a new file";
  EXPECT_EQ(weight({.path = "p", .before = "123"}), 3U) << "a deleted file";
  EXPECT_EQ(beside_itself(event::ToolEnd{}), 0U);
}

TEST(EventWeight, AskWeighsItsShownContent) {
  const Ask ask{.title = "a", .why = "bc", .detail = "def", .diff = Diff{.before = "1", .after = "2"}, .plan = "four"};
  for (const EventBody& body :
       {EventBody(event::ToolConfirmation{ask}), EventBody(event::UserQuestion{ask}), EventBody(event::PlanApproval{ask})})
    EXPECT_EQ(beside_itself(body), 1U + 2 + 3 + 2 + 4) << body.index();
  EXPECT_EQ(beside_itself(event::AskSettled{.text = "no", .edited = "yes"}), 5U);
}

TEST(EventWeight, ListsWeighTheirEntries) {
  EXPECT_EQ(beside_itself(event::Plan{{{.content = "ab"}, {.content = "c"}}}), 3U);
  EXPECT_EQ(beside_itself(event::Commands{{{.name = "ab", .description = "c"}}}), sizeof(SlashCommand) + 3);
  EXPECT_EQ(beside_itself(event::Usage{.models = {{ModelUsage{}, ModelUsage{}}}}), 2 * sizeof(ModelUsage));
  EXPECT_EQ(beside_itself(event::Usage{}), 0U);
}

// ---- pieces -------------------------------------------------------------------------------------------------------------------------

// The joined result: "ab", or "a|b" for separate pieces.
template <class Kind>
std::string joined(Kind before, EventBody next) {
  EventBody body = std::move(before);
  const EventBody kept = next;
  if (append_piece(body, next)) return std::get<Kind>(body).text;
  EXPECT_EQ(next, kept) << "unjoined events stay unchanged";
  return std::get<Kind>(body).text + "|";
}

TEST(Pieces, OfATextOrThoughtAreJoined) {
  EXPECT_EQ(joined(event::Text{"a"}, event::Text{"b"}), "ab");
  EXPECT_EQ(joined(event::ThinkingContent{"a"}, event::ThinkingContent{"b"}), "ab");
  EXPECT_EQ(joined(event::Text{""}, event::Text{""}), "");
}

TEST(Pieces, OfDifferentKindsStayApart) {
  EXPECT_EQ(joined(event::Text{"a"}, event::ThinkingContent{"b"}), "a|");
  EXPECT_EQ(joined(event::ThinkingContent{"a"}, event::Text{"b"}), "a|");
  EXPECT_EQ(joined(event::Text{"a"}, event::ToolOutput{"c", "b"}), "a|");
  EXPECT_EQ(joined(event::ToolOutput{"c", "a"}, event::Text{"b"}), "a|");
}

TEST(Pieces, OfOutputBelongToACallAndAUse) {
  EXPECT_EQ(joined(event::ToolOutput{"c", "a"}, event::ToolOutput{"c", "b"}), "ab");
  EXPECT_EQ(joined(event::ToolOutput{"c", "a"}, event::ToolOutput{"d", "b"}), "a|") << "another call";
  EXPECT_EQ(joined(event::ToolOutput{"c", "a", true}, event::ToolOutput{"c", "b", true}), "ab");
  EXPECT_EQ(joined(event::ToolOutput{"c", "a"}, event::ToolOutput{"c", "b", true}), "a|") << "progress is not part of the result";
  EXPECT_EQ(joined(event::ToolOutput{"c", "a", true}, event::ToolOutput{"c", "b"}), "a|");
}

TEST(Pieces, WholeEventsAreNeverJoined) {
  for (const EventBody& whole : {EventBody(event::Notice{.text = "n"}), EventBody(event::ToolStart{.call = "c"}),
                                 EventBody(event::Plan{}), EventBody(event::ThinkingStart{})}) {
    EventBody before = whole;
    EventBody next = whole;
    EXPECT_FALSE(append_piece(before, next)) << whole.index();
    EXPECT_EQ(before, whole);
  }
}

// ---- in words -----------------------------------------------------------------------------------------------------------------------

TEST(FailureInWords, ADetailInJsonIsLeftOut) {
  EXPECT_EQ(failure_in_words(event::Failure{.message = "rate limited"}), "rate limited");
  EXPECT_EQ(failure_in_words(event::Failure{.message = "no route", .detail = "errno 113"}), "no route (errno 113)");
  for (const char* json : {R"({"code":429})", R"([{"code":429}])"})
    EXPECT_EQ(failure_in_words(event::Failure{.message = "rate limited", .detail = json}), "rate limited");
}

TEST(UsageInWords, CacheAndCostAppearIfKnown) {
  EXPECT_EQ(in_words(event::Usage{.input_tokens = 1200, .output_tokens = 30}), "1200 tokens in, 30 out");
  EXPECT_EQ(
      in_words(event::Usage{.input_tokens = 1200, .output_tokens = 30, .cache_read_tokens = 800, .cost = Cost{.amount = 0.004}}),
      "1200 tokens in (800 of them from a cache), 30 out, 0.0040 USD");
  EXPECT_EQ(in_words(event::Usage{.cache_read_tokens = 0, .cost = Cost{.amount = 0, .currency = "EUR"}}),
            "0 tokens in, 0 out, 0.0000 EUR");
}

TEST(UsageInWords, AbsurdCostIsCutWithoutOverflow) {
  const std::string text = in_words(event::Usage{.cost = Cost{.amount = 1e300}});
  EXPECT_TRUE(text.starts_with("0 tokens in, 0 out, 1000000000000000")) << text;
  EXPECT_LT(text.size(), 80U);
}

TEST(TextOfContent, TextsAreSeparatedByLines) {
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(text_of({ToolText{"a"}, ToolText{"b\n"}, ToolText{"c"}}), "a\nb\nc") << "a line that ends gets no second end";
  EXPECT_EQ(text_of({ToolText{""}, ToolText{"a"}, Diff{.path = "p"}, ToolTerminal{"t"}, ToolText{"b"}}), "a\nb");
}

TEST(EventNames, CallKindsHaveTheNamesOfOtherProtocols) {
  EXPECT_EQ(to_string(CallKind::delete_), "delete");
  EXPECT_EQ(to_string(CallKind::switch_mode), "switch_mode");
  EXPECT_EQ(to_string(CallKind::other), "other");
}

TEST(EventBodies, AreEqualByKindAndContents) {
  EXPECT_EQ(EventBody(event::Text{"a"}), EventBody(event::Text{"a"}));
  EXPECT_NE(EventBody(event::Text{"a"}), EventBody(event::Text{"b"}));
  EXPECT_NE(EventBody(event::Text{"a"}), EventBody(event::ThinkingContent{"a"})) << "the same words, thought";
  EXPECT_EQ(EventBody(), EventBody(event::TurnStart{}));
}

}  // namespace
}  // namespace parlance::hub

// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include "parlance/transport/http/http_client.h"

namespace parlance {
namespace {

std::vector<std::string> parse(BytesView bytes, std::size_t piece) {
  SseParser parser;
  std::vector<std::string> seen;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto fed = parser.feed(bytes.substr(at, piece), [&](const SseEvent& event) -> Result<void> {
      seen.push_back(event.event + "|" + event.data + "|" + event.id);
      return {};
    });
    EXPECT_TRUE(fed);
  }
  return seen;
}

// Each stream is given whole and cut at every byte.
void expect(BytesView bytes, const std::vector<std::string>& events) {
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
    EXPECT_EQ(parse(bytes, piece), events) << bytes << " in pieces of " << piece;
}

TEST(Sse, LinesMayEndInAnyOfThreeWays) {
  expect("data: a\n\ndata: b\r\rdata: c\r\n\r\n", {"|a|", "|b|", "|c|"});
  expect("data: a\r\n\ndata: b\n\r\n", {"|a|", "|b|"});
}

TEST(Sse, DataOfSeveralLinesIsJoined) {
  expect("data: YHOO\ndata: +2\ndata: 10\n\n", {"|YHOO\n+2\n10|"});
  expect("data\ndata\n\ndata:\n\n", {"|\n|", "||"});
}

TEST(Sse, TheExamplesOfTheStandard) {
  expect(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
         {"|first event|1", "|second event|", "| third event|"});
  expect("data:test\n\ndata: test\n\n", {"|test|", "|test|"});
}

TEST(Sse, NamesIdsAndUnknownFields) {
  expect("event: add\nid: 7\nretry: 10\ncolour: red\ndata: 1\n\nevent: lost\n\ndata: 2\n\n", {"add|1|7", "|2|7"});
}

TEST(Sse, AMarkAtTheStartIsDroppedAndNoOther) {
  expect(
      "\xEF\xBB\xBF"
      "data: a\n\n",
      {"|a|"});
  expect(
      "\xEF\xBB\xBF\xEF\xBB\xBF"
      "data: a\n\ndata: b\n\n",
      {"|b|"});
}

TEST(Sse, AnEventThatIsNotEndedIsNoEvent) { expect("data: a\n\ndata: b\n", {"|a|"}); }

TEST(Sse, AnEventBeyondTheLimitIsAnError) {
  for (const bool one_line : {true, false}) {
    SseParser parser(100);
    Result<void> fed;
    for (int i = 0; i < 30 && fed; ++i)
      fed = parser.feed(one_line ? "data:" : "data: x234\n", [](const SseEvent&) -> Result<void> { return {}; });
    ASSERT_FALSE(fed);
    EXPECT_EQ(fed.error().code, Errc::overloaded);
  }
}

TEST(Sse, AnErrorOfTheReceiverComesBack) {
  SseParser parser;
  const auto fed = parser.feed("data: a\n\n", [](const SseEvent&) -> Result<void> { return fail(Errc::cancelled, "enough"); });
  EXPECT_EQ(fed.error().message, "enough");
}

}  // namespace
}  // namespace parlance

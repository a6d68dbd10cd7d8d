// SPDX-License-Identifier: Apache-2.0
// An answer received twice is published once; a different answer is published as a whole.
#include <gtest/gtest.h>

#include "parlance/driver/gorpc/chat_call.h"

namespace parlance::driver {
namespace {

struct Transcript final : ChatListener {
  void on_text(std::string_view piece) override { told += "T(" + std::string(piece) + ")"; }
  void on_thought(std::string_view piece) override { told += "R(" + std::string(piece) + ")"; }
  void on_hold(std::string what) override { told += "H(" + what + ")"; }
  void on_other_answer() override { told += "|"; }
  std::string told;
};

void hear(AnswerHeard& heard, std::string kind, std::string text) {
  heard.piece({.kind = std::move(kind), .text = std::move(text)});
}

TEST(AnswerHeard, PublishesPiecesOnArrival) {
  Transcript transcript;
  AnswerHeard heard(transcript);
  heard.begin();
  hear(heard, "reasoning", "hm");
  hear(heard, "notice", "of a newer agent");
  hear(heard, "text", "Hel");
  hear(heard, "text", "lo");
  heard.complete({.content = "Hello.", .reasoning = "hm"});
  EXPECT_EQ(transcript.told, "R(hm)T(Hel)T(lo)T(.)");
}

TEST(AnswerHeard, RetriesAndSilenceAreNoPartOfTheAnswer) {
  Transcript transcript;
  AnswerHeard heard(transcript);
  heard.begin();
  hear(heard, "retry", "7 2 5");
  hear(heard, "silence", "15");
  hear(heard, "silence", "0");
  hear(heard, "text", "Hello.");
  heard.complete({.content = "Hello."});
  EXPECT_EQ(transcript.told, "H(model.retry 7 2 5)H(model.silent 15)H()T(Hello.)");
}

TEST(AnswerHeard, WithoutAStreamTheReplyIsPublished) {
  Transcript transcript;
  AnswerHeard heard(transcript);
  heard.begin();
  heard.complete({.content = "Hello.", .reasoning = "hm"});
  EXPECT_EQ(transcript.told, "R(hm)T(Hello.)");
}

TEST(AnswerHeard, PublishedTextIsSkippedForAnyPieces) {
  for (const std::vector<std::string>& pieces :
       {std::vector<std::string>{"Hello."}, {"H", "e", "l", "l", "o", "."}, {"Hel", "lo."}, {"He", "llo", "."}}) {
    Transcript transcript;
    AnswerHeard heard(transcript, "Hel", "hm");
    heard.begin();
    hear(heard, "reasoning", "h");
    hear(heard, "reasoning", "m!");
    std::string told;
    for (const std::string& piece : pieces) hear(heard, "text", piece);
    heard.complete({.content = "Hello.", .reasoning = "hm!"});
    for (const char c : transcript.told)
      if (c != 'T' && c != '(' && c != ')') told += c;
    EXPECT_EQ(told, "R!lo.") << pieces.front();
  }
}

TEST(AnswerHeard, BrokenStreamIsCompletedByTheReply) {
  Transcript transcript;
  AnswerHeard heard(transcript, "Hello", "hm");
  heard.begin();
  hear(heard, "reasoning", "h");
  heard.complete({.content = "Hello.", .reasoning = "hmm"});
  EXPECT_EQ(transcript.told, "R(m)T(.)");
}

TEST(AnswerHeard, RestartedAgentRepeatsTheAnswer) {
  Transcript transcript;
  AnswerHeard heard(transcript);
  heard.begin();
  hear(heard, "text", "Hel");
  heard.begin();
  hear(heard, "text", "He");
  hear(heard, "text", "llo");
  heard.begin();
  heard.complete({.content = "Hello."});
  EXPECT_EQ(transcript.told, "T(Hel)T(lo)T(.)");
}

TEST(AnswerHeard, DifferentAnswerIsPublishedAsAWhole) {
  Transcript transcript;
  AnswerHeard heard(transcript, "Hello you", "hm");
  heard.begin();
  hear(heard, "reasoning", "hm");
  hear(heard, "text", "Hello ");
  hear(heard, "text", "there");
  heard.complete({.content = "Hello there.", .reasoning = "hm"});
  EXPECT_EQ(transcript.told, "|R(hm)T(Hello )T(there)T(.)");
}

TEST(AnswerHeard, ShorterAnswerIsDifferent) {
  Transcript transcript;
  AnswerHeard heard(transcript, "Hello you");
  heard.begin();
  hear(heard, "text", "Hello");
  heard.complete({.content = "Hello"});
  EXPECT_EQ(transcript.told, "|T(Hello)");
}

TEST(AnswerHeard, AnotherThoughtIsAnotherAnswer) {
  Transcript transcript;
  AnswerHeard heard(transcript, "", "I think");
  heard.begin();
  hear(heard, "reasoning", "Let me");
  hear(heard, "text", "Hi");
  heard.complete({.content = "Hi", .reasoning = "Let me"});
  EXPECT_EQ(transcript.told, "|R(Let me)T(Hi)");
}

TEST(AnswerHeard, EmptyAnswerIsDifferentOnlyAfterPublishedText) {
  Transcript transcript;
  AnswerHeard heard(transcript);
  heard.begin();
  heard.begin();
  heard.complete({});
  EXPECT_EQ(transcript.told, "");
}

}  // namespace
}  // namespace parlance::driver

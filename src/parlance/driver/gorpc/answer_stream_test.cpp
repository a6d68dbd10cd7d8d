// SPDX-License-Identifier: Apache-2.0
// An answer received twice is published once; a different answer is published as a whole.
#include <gtest/gtest.h>

#include "parlance/driver/gorpc/chat_call.h"

namespace parlance::driver {
namespace {

struct Transcript final : ChatListener {
  void on_text(std::string_view piece) override { published += "T(" + std::string(piece) + ")"; }
  void on_thought(std::string_view piece) override { published += "R(" + std::string(piece) + ")"; }
  void on_hold(std::string what) override { published += "H(" + what + ")"; }
  void on_other_answer() override { published += "|"; }
  std::string published;
};

void receive(AnswerStream& answer, std::string kind, std::string text) {
  answer.piece({.kind = std::move(kind), .text = std::move(text)});
}

TEST(AnswerStream, PublishesPiecesOnArrival) {
  Transcript transcript;
  AnswerStream answer(transcript);
  answer.begin();
  receive(answer, "reasoning", "hm");
  receive(answer, "notice", "of a newer agent");
  receive(answer, "text", "Hel");
  receive(answer, "text", "lo");
  answer.complete({.content = "Hello.", .reasoning = "hm"});
  EXPECT_EQ(transcript.published, "R(hm)T(Hel)T(lo)T(.)");
}

TEST(AnswerStream, RetriesAndSilenceAreNoPartOfTheAnswer) {
  Transcript transcript;
  AnswerStream answer(transcript);
  answer.begin();
  receive(answer, "retry", "7 2 5");
  receive(answer, "silence", "15");
  receive(answer, "silence", "0");
  receive(answer, "text", "Hello.");
  answer.complete({.content = "Hello."});
  EXPECT_EQ(transcript.published, "H(model.retry 7 2 5)H(model.silent 15)H()T(Hello.)");
}

TEST(AnswerStream, WithoutAStreamTheReplyIsPublished) {
  Transcript transcript;
  AnswerStream answer(transcript);
  answer.begin();
  answer.complete({.content = "Hello.", .reasoning = "hm"});
  EXPECT_EQ(transcript.published, "R(hm)T(Hello.)");
}

TEST(AnswerStream, PublishedTextIsSkippedForAnyPieces) {
  for (const std::vector<std::string>& pieces :
       {std::vector<std::string>{"Hello."}, {"H", "e", "l", "l", "o", "."}, {"Hel", "lo."}, {"He", "llo", "."}}) {
    Transcript transcript;
    AnswerStream answer(transcript, "Hel", "hm");
    answer.begin();
    receive(answer, "reasoning", "h");
    receive(answer, "reasoning", "m!");
    std::string pieces_only;
    for (const std::string& piece : pieces) receive(answer, "text", piece);
    answer.complete({.content = "Hello.", .reasoning = "hm!"});
    for (const char c : transcript.published)
      if (c != 'T' && c != '(' && c != ')') pieces_only += c;
    EXPECT_EQ(pieces_only, "R!lo.") << pieces.front();
  }
}

TEST(AnswerStream, BrokenStreamIsCompletedByTheReply) {
  Transcript transcript;
  AnswerStream answer(transcript, "Hello", "hm");
  answer.begin();
  receive(answer, "reasoning", "h");
  answer.complete({.content = "Hello.", .reasoning = "hmm"});
  EXPECT_EQ(transcript.published, "R(m)T(.)");
}

TEST(AnswerStream, RestartedAgentRepeatsTheAnswer) {
  Transcript transcript;
  AnswerStream answer(transcript);
  answer.begin();
  receive(answer, "text", "Hel");
  answer.begin();
  receive(answer, "text", "He");
  receive(answer, "text", "llo");
  answer.begin();
  answer.complete({.content = "Hello."});
  EXPECT_EQ(transcript.published, "T(Hel)T(lo)T(.)");
}

TEST(AnswerStream, DifferentAnswerIsPublishedAsAWhole) {
  Transcript transcript;
  AnswerStream answer(transcript, "Hello you", "hm");
  answer.begin();
  receive(answer, "reasoning", "hm");
  receive(answer, "text", "Hello ");
  receive(answer, "text", "there");
  answer.complete({.content = "Hello there.", .reasoning = "hm"});
  EXPECT_EQ(transcript.published, "|R(hm)T(Hello )T(there)T(.)");
}

TEST(AnswerStream, ShorterAnswerIsDifferent) {
  Transcript transcript;
  AnswerStream answer(transcript, "Hello you");
  answer.begin();
  receive(answer, "text", "Hello");
  answer.complete({.content = "Hello"});
  EXPECT_EQ(transcript.published, "|T(Hello)");
}

TEST(AnswerStream, AnotherThoughtIsAnotherAnswer) {
  Transcript transcript;
  AnswerStream answer(transcript, "", "I think");
  answer.begin();
  receive(answer, "reasoning", "Let me");
  receive(answer, "text", "Hi");
  answer.complete({.content = "Hi", .reasoning = "Let me"});
  EXPECT_EQ(transcript.published, "|R(Let me)T(Hi)");
}

TEST(AnswerStream, EmptyAnswerIsDifferentOnlyAfterPublishedText) {
  Transcript transcript;
  AnswerStream answer(transcript);
  answer.begin();
  answer.begin();
  answer.complete({});
  EXPECT_EQ(transcript.published, "");
}

}  // namespace
}  // namespace parlance::driver

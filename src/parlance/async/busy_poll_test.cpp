// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/busy_poll.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

using namespace std::chrono_literals;

// Nothing here depends on how busy the machine is: no processor counts as crowded, and looking is cut short by what is seen.
constexpr BusyPollTimes patient{.look = 0us, .crowded = std::chrono::hours(24 * 365)};

struct Input final : Pollable {
  explicit Input(BusyPoll& owner) : poll(owner) {}
  bool poll_now(TimePoint) override {
    ++looked;
    if (looked < comes_at) return false;
    came();
    return true;
  }
  void wait() override { ++waited; }

  // As a stream that is read in a loop: it came, and wants to be read again.
  bool read_again() {
    came();
    return poll.take(*this);
  }
  void came() { poll.came(*this, TimePoint{}, 1); }

  BusyPoll& poll;
  int comes_at = 1;
  int looked = 0;
  int waited = 0;
};

class BusyPollTest : public ::testing::Test {
 protected:
  BusyPollTest() { poll.enable(); }
  BusyPoll poll{patient};
  const std::atomic<bool> nothing = false;
  Input input{poll};
};

TEST_F(BusyPollTest, AnInputQualifiesAfterTwoReadsInARow) {
  EXPECT_FALSE(input.read_again());
  EXPECT_TRUE(input.read_again());
  EXPECT_TRUE(poll.has_input());
  EXPECT_TRUE(poll.look(nothing));
  EXPECT_EQ(input.looked, 1);
  EXPECT_EQ(input.waited, 0);
}

TEST_F(BusyPollTest, AlternatingInputsWaitSeparately) {
  Input other{poll};
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(input.read_again());
    EXPECT_FALSE(other.read_again());
  }
}

TEST_F(BusyPollTest, PollsASingleInputAtATime) {
  Input other{poll};
  input.read_again();
  ASSERT_TRUE(input.read_again());
  other.read_again();
  EXPECT_FALSE(other.read_again());
}

TEST_F(BusyPollTest, AnInputWithoutDataGoesToTheKernelAndIsRarelyPolled) {
  input.comes_at = 1 << 30;
  input.read_again();
  for (int i = 0; i < 4; ++i) {
    int reads = 1;
    for (; !input.read_again(); ++reads) {}
    if (i > 0) EXPECT_GT(reads, 512);
    const int waited = input.waited;
    EXPECT_FALSE(poll.look(nothing));
    EXPECT_EQ(input.waited, waited + 1);
    EXPECT_FALSE(poll.has_input());
  }
}

TEST_F(BusyPollTest, SleepsAfterAnAnswerOnACrowdedProcessor) {
  BusyPoll crowded{{.look = 1h, .crowded = std::chrono::hours(-1)}};
  crowded.enable();
  Input quick{crowded};
  quick.read_again();
  ASSERT_TRUE(quick.read_again());
  EXPECT_TRUE(crowded.look(nothing));
  EXPECT_FALSE(quick.read_again());
}

TEST_F(BusyPollTest, AnInterruptionEndsTheLookAndKeepsTheInput) {
  BusyPoll long_look{{.look = 1h, .crowded = patient.crowded}};
  long_look.enable();
  Input late{long_look};
  late.comes_at = 1 << 30;
  late.read_again();
  ASSERT_TRUE(late.read_again());
  const std::atomic<bool> interrupted = true;
  EXPECT_TRUE(long_look.look(interrupted));
  EXPECT_TRUE(long_look.has_input());
  EXPECT_EQ(late.waited, 0);
}

TEST_F(BusyPollTest, AClosedInputIsNotPolled) {
  input.read_again();
  ASSERT_TRUE(input.read_again());
  EXPECT_TRUE(poll.drop(input));
  EXPECT_FALSE(poll.has_input());
  EXPECT_FALSE(poll.drop(input));
}

TEST_F(BusyPollTest, WhenTheLoopReturnsTheKernelWaits) {
  input.read_again();
  ASSERT_TRUE(input.read_again());
  poll.disable();
  EXPECT_EQ(input.waited, 1);
  input.read_again();
  EXPECT_FALSE(input.read_again());
}

// So long a read takes in each way, and so much comes with it. Returns what the trial decided.
bool faster_to_look(Duration looking, std::size_t bytes_looking, Duration waiting, std::size_t bytes_waiting) {
  LookTrial trial;
  for (int i = 0; i < LookTrial::each; ++i) {
    EXPECT_TRUE(trial.look());
    trial.took(looking, bytes_looking);
  }
  for (int i = 0; i < LookTrial::each; ++i) {
    EXPECT_FALSE(trial.look());
    trial.took(waiting, bytes_waiting);
  }
  return trial.look();
}

TEST(LookTrial, TriesBothWaysAndKeepsTheFaster) {
  EXPECT_TRUE(faster_to_look(10us, 200, 20us, 200));
  EXPECT_FALSE(faster_to_look(20us, 200, 10us, 200));
  EXPECT_FALSE(faster_to_look(10us, 200, 10us, 200)) << "a processor is kept busy for nothing";
}

TEST(LookTrial, CountsBytesNotReads) {
  EXPECT_TRUE(faster_to_look(20us, 4000, 10us, 1000));
  EXPECT_FALSE(faster_to_look(10us, 1000, 20us, 4000));
}

TEST(LookTrial, AReadWithAPreemptionCountsLittle) {
  LookTrial trial;
  for (int i = 0; i < LookTrial::each; ++i) trial.took(i == 8 ? Duration(1s) : Duration(10us), 200);
  for (int i = 0; i < LookTrial::each; ++i) trial.took(20us, 200);
  EXPECT_TRUE(trial.look());
}

TEST(LookTrial, TriesAgainMoreAndMoreSeldom) {
  LookTrial trial;
  int last = 0;
  for (const int at_least : {512, 1024, 2048, 4096, 4096}) {
    for (int i = 0; i < LookTrial::each; ++i) trial.took(20us, 200);
    for (int i = 0; i < LookTrial::each; ++i) trial.took(10us, 200);
    int kept = 0;
    for (; !trial.look(); ++kept) trial.took(10us, 200);
    EXPECT_GE(kept, at_least);
    EXPECT_LT(kept, 2 * at_least + 512);
    EXPECT_NE(kept, last) << "two loops that count alike would never try at the same time";
    last = kept;
  }
}

TEST(LookTrial, PollingInVainEndsAtOnceAndARareMissDoesNot) {
  LookTrial trial;
  trial.missed();
  EXPECT_FALSE(trial.look());
  LookTrial other;
  for (int i = 0; i < 8; ++i) other.took(10us, 200);
  other.missed();
  other.missed();
  EXPECT_TRUE(other.look());
  other.missed();
  EXPECT_FALSE(other.look());
  for (int i = 0; i < LookTrial::each; ++i) other.took(1h, 200);
  EXPECT_FALSE(other.look()) << "what was given up does not win for all that";
}

}  // namespace
}  // namespace parlance

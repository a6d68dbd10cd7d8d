#include "async/busy_poll.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

using namespace std::chrono_literals;

// Nothing here depends on how busy the machine is: no processor counts as crowded, and looking is cut short by what is seen.
constexpr BusyPollTimes patient{.look = 0us, .shared = 1h, .crowded = 1h};

struct Input final : Pollable {
  explicit Input(BusyPoll& owner) : poll(owner) {}
  bool poll_now() override {
    ++looked;
    if (looked < comes_at) return false;
    poll.came(*this);
    return true;
  }
  void wait() override { ++waited; }

  // As a stream that is read in a loop: it came, and wants to be read again.
  bool read_again() {
    poll.came(*this);
    return poll.take(*this);
  }

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

TEST_F(BusyPollTest, AnInputIsWorthLookingAtWhenItCameTwiceInARow) {
  EXPECT_FALSE(input.read_again());
  EXPECT_TRUE(input.read_again());
  EXPECT_TRUE(poll.has_input());
  EXPECT_TRUE(poll.look(nothing));
  EXPECT_EQ(input.looked, 1);
  EXPECT_EQ(input.waited, 0);
}

TEST_F(BusyPollTest, InputsThatTakeTurnsWaitByThemselves) {
  Input other{poll};
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(input.read_again());
    EXPECT_FALSE(other.read_again());
  }
}

TEST_F(BusyPollTest, OneInputAtATime) {
  Input other{poll};
  input.read_again();
  ASSERT_TRUE(input.read_again());
  other.read_again();
  EXPECT_FALSE(other.read_again());
}

TEST_F(BusyPollTest, AnInputThatDoesNotComeIsHandedToTheKernelAndLookedAtLessAndLess) {
  input.comes_at = 1 << 30;
  input.read_again();
  for (const int pause : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024}) {
    while (!input.read_again()) {}
    const int waited = input.waited;
    EXPECT_FALSE(poll.look(nothing));
    EXPECT_EQ(input.waited, waited + 1);
    EXPECT_FALSE(poll.has_input());
    for (int i = 0; i < pause; ++i) EXPECT_FALSE(input.read_again()) << i << " of " << pause;
  }
}

TEST_F(BusyPollTest, OneThatComesAgainIsLookedAtAsBefore) {
  input.comes_at = 1 << 30;
  input.read_again();
  ASSERT_TRUE(input.read_again());
  EXPECT_FALSE(poll.look(nothing));
  EXPECT_FALSE(input.read_again());
  EXPECT_FALSE(input.read_again());
  input.comes_at = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(input.read_again());
    ASSERT_TRUE(poll.look(nothing));
  }
}

TEST_F(BusyPollTest, WhoeverHadTheProcessorAndDidNotAnswerIsLetGoOn) {
  BusyPoll crowded{{.look = 1h, .shared = -1ns, .crowded = 1h}};  // every look gave it away
  crowded.enable();
  Input slow{crowded};
  slow.comes_at = 1 << 30;
  slow.read_again();
  ASSERT_TRUE(slow.read_again());
  EXPECT_FALSE(crowded.look(nothing));
  EXPECT_EQ(slow.looked, 1);
  EXPECT_EQ(slow.waited, 1);
}

TEST_F(BusyPollTest, AfterAnAnswerOnACrowdedProcessorItSleeps) {
  BusyPoll crowded{{.look = 1h, .shared = 1h, .crowded = -1ns}};
  crowded.enable();
  Input quick{crowded};
  quick.read_again();
  ASSERT_TRUE(quick.read_again());
  EXPECT_TRUE(crowded.look(nothing));
  EXPECT_FALSE(quick.read_again());
}

TEST_F(BusyPollTest, AnInterruptionEndsTheLookAndKeepsTheInput) {
  BusyPoll long_look{{.look = 1h, .shared = 1h, .crowded = 1h}};
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

TEST_F(BusyPollTest, WhatIsClosedIsNotLookedAt) {
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

}  // namespace
}  // namespace parlance

// SPDX-License-Identifier: Apache-2.0
// A short run of the simulator.
#include "tests/simulator/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::simulator {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

TEST(Simulator, KeepsEveryPromiseInWorldsFullOfFaults) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    EXPECT_THAT(World({.seed = seed}).run().disagreements, IsEmpty()) << "simulator --minutes 5 --seed " << seed;
}

// A lost answer, withdrawn commands, slow answers with a revoked rule and a removed conversation, and held repetitions.
TEST(Simulator, WorldsThatFoundFaultsKeepTheirPromises) {
  for (const std::uint64_t seed : {5010, 5028, 5082, 7041, 9392, 20023, 31005})
    EXPECT_THAT(World({.seed = seed, .length = 60min}).run().disagreements, IsEmpty())
        << "simulator --minutes 60 --seed " << seed;
}

// A second runner with the same name would end turns of the first.
TEST(Simulator, KeepsTheOrderOfPromptsWithoutFailures) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Outcome outcome = World({.seed = seed, .faults = Faults::delays(), .runners = 1, .stops = false}).run();
    EXPECT_THAT(outcome.disagreements, IsEmpty()) << "seed " << seed << '\n' << outcome.log;
  }
}

// The first worlds have requests that a gateway and a runner check on the disk.
TEST(Simulator, RepeatsASeedExactly) {
  for (const std::uint64_t seed : {1, 4, 7}) {
    const Outcome first = World({.seed = seed}).run();
    EXPECT_GT(first.events, 0U);
    EXPECT_EQ(first.fingerprint, World({.seed = seed}).run().fingerprint) << "seed " << seed;
    EXPECT_NE(first.fingerprint, World({.seed = seed + 1}).run().fingerprint) << "seed " << seed;
  }
}

// Each part takes part: a refused request could remove conversations of runners from all worlds.
TEST(Simulator, HasConversationsOfRunnersAndAdoptedSessions) {
  Outcome all;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Outcome outcome = World({.seed = seed, .length = 30min}).run();
    EXPECT_THAT(outcome.disagreements, IsEmpty()) << "simulator --minutes 30 --seed " << seed;
    all.on_runners += outcome.on_runners;
    all.adopted += outcome.adopted;
  }
  EXPECT_GT(all.on_runners, 0U);
  EXPECT_GT(all.adopted, 0U);
}

}  // namespace
}  // namespace parlance::simulator

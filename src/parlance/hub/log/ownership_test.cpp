// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/ownership.h"

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

using State = Ownership::State;
using Event = Ownership::Event;

constexpr std::size_t states = static_cast<std::size_t>(State::orphaned) + 1;
constexpr std::size_t events = static_cast<std::size_t>(Event::owner_gone) + 1;

TEST(Ownership, EachEventInEachStateFollowsTheTableOrChangesNothing) {
  std::map<std::pair<State, Event>, State> table;
  for (const auto& [from, event, to] : Ownership::transitions)
    EXPECT_TRUE(table.try_emplace({from, event}, to).second) << "two transitions from a state by the same event";
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t e = 0; e < events; ++e) {
      const auto from = static_cast<State>(s);
      const auto event = static_cast<Event>(e);
      const auto expected = table.find({from, event});
      Ownership ownership(from);
      EXPECT_EQ(ownership.apply(event), expected != table.end());
      EXPECT_EQ(ownership.state(), expected == table.end() ? from : expected->second);
    }
  }
}

// A hub without the lease never writes: only the grant of the store leads to a writing state.
TEST(Ownership, OnlyTheGrantOfTheStoreLeadsToWrites) {
  for (const auto& [from, event, to] : Ownership::transitions)
    if (!Ownership(from).may_write() && Ownership(to).may_write()) {
      EXPECT_EQ(from, State::acquiring);
      EXPECT_EQ(event, Event::granted);
    }
}

TEST(Ownership, EachChangeComesToAnEnd) {
  for (std::size_t s = 0; s < states; ++s) {
    std::set<State> reached{static_cast<State>(s)};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const auto& [from, event, to] : Ownership::transitions)
        if (reached.contains(from)) reached.insert(to);
    }
    EXPECT_TRUE(reached.contains(State::local)) << "state " << s;
    EXPECT_TRUE(reached.contains(State::orphaned)) << "state " << s;
  }
}

TEST(Ownership, UpdatesChangeNoConversationThatThisHubUsesOrChanges) {
  for (std::size_t s = 0; s < states; ++s) {
    Ownership ownership(static_cast<State>(s));
    if (ownership.is_follower()) continue;
    EXPECT_FALSE(ownership.apply(Event::owner_seen)) << "state " << s;
    EXPECT_FALSE(ownership.apply(Event::owner_gone)) << "state " << s;
    EXPECT_EQ(ownership.is_changing(), !ownership.is_owner()) << "state " << s;
  }
}

}  // namespace
}  // namespace parlance::hub

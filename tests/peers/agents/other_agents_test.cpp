// SPDX-License-Identifier: Apache-2.0
// The programs of others, where they are installed.
#include <cctype>

#include "tests/peers/agents/play_list.h"

namespace parlance::test {
namespace {

class OtherAgentsPlayList : public PlayListTest, public ::testing::WithParamInterface<Player> {};

TEST_P(OtherAgentsPlayList, EachStepHasTheResultOfThePage) { play_all(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Agent, OtherAgentsPlayList, ::testing::ValuesIn(other_agents), [](const auto& given) {
  std::string name(given.param.name);
  std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0; });
  return name;
});

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
#include "tests/peers/agents/play_list.h"

namespace parlance::test {
namespace {

using OwnAgentPlayList = PlayListTest;

TEST_F(OwnAgentPlayList, EachStepHasTheResultOfThePage) { play_all(own_agent); }

}  // namespace
}  // namespace parlance::test

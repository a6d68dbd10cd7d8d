// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/agent_id.h"

#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

TEST(SubAgentId, TaskIndexAndTimeAreRead) {
  EXPECT_EQ(
      read_sub_agent_id("subagent-task7-1-1700000000000"),
      (SubAgentId{.agent_id = "subagent-task7-1-1700000000000", .task_id = "task7", .index = 1, .timestamp = 1'700'000'000'000}));
  EXPECT_EQ(
      read_sub_agent_id("subagent-a-b-c-2-1700000000001"),
      (SubAgentId{.agent_id = "subagent-a-b-c-2-1700000000001", .task_id = "a-b-c", .index = 2, .timestamp = 1'700'000'000'001}));
}

// iFlow's own client ignores the index 0.
TEST(SubAgentId, TheFirstHasTheIndexZero) { EXPECT_EQ(read_sub_agent_id("subagent-t-0-5").index, 0); }

TEST(SubAgentId, ATaskThatTheAgentDoesNotKnowIsAbsent) {
  for (const char* id : {"subagent-null-3-5", "subagent-undefined-3-5", "subagent--3-5"}) {
    const SubAgentId read = read_sub_agent_id(id);
    EXPECT_FALSE(read.task_id) << id;
    EXPECT_EQ(read.index, 3) << id;
    EXPECT_EQ(read.timestamp, 5) << id;
  }
}

TEST(SubAgentId, AnotherFormHasNothingButItself) {
  for (const char* id : {"", "main", "subagent", "subagent-", "subagent-x", "subagent-x-1", "subagent--", "agent-a-1-2"})
    EXPECT_EQ(read_sub_agent_id(id), SubAgentId{.agent_id = id}) << id;
  const SubAgentId odd = read_sub_agent_id("subagent-t-one-99999999999999999999");
  EXPECT_EQ(odd.task_id, "t");
  EXPECT_FALSE(odd.index);
  EXPECT_FALSE(odd.timestamp);
}

TEST(SubAgentId, AWrittenIdIsReadAgain) {
  for (const char* task : {"t", "a-b", "-", "subagent-1-2"}) {
    const SubAgentId read = read_sub_agent_id(make_sub_agent_id(task, 4, 1'700'000'000'000));
    EXPECT_EQ(read.task_id, task);
    EXPECT_EQ(read.index, 4);
    EXPECT_EQ(read.timestamp, 1'700'000'000'000);
  }
  EXPECT_EQ(make_sub_agent_id("", 1, 2), "subagent-null-1-2");
}

}  // namespace
}  // namespace parlance::adapter

// SPDX-License-Identifier: Apache-2.0
// The agent's storage and counters for Go's own client: across restarts, with an unreadable storage, without a model.
#include <filesystem>

#include "tests/peers/go-rpc/go_client.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

INSTANTIATE_TEST_SUITE_P(Go, GoClientWithCodec, testing::Values("gob", "json"), [](const auto& tested) { return tested.param; });

// A Go program reads the numbers into fields with the names of the documented JSON, or without any tags.
TEST_P(GoClientWithCodec, TheThreeNumbersOfStatsReachGoFieldsOfBothKinds) {
  only({"chat-tools"});
  const auto stats = all({"stats-numbers"});
  ASSERT_EQ(stats.size(), 2U);
  EXPECT_EQ(at(stats[0], {"reply"}), parsed(R"({"sessions":1,"messages":2,"tools_calls":1})"));
  EXPECT_EQ(at(stats[1], {"reply"}), parsed(R"({"Sessions":1,"Messages":2,"ToolsCalls":1})"));
}

// In all the agent's time, not since its last start.
TEST_F(GoClient, StatsOutliveTheAgent) {
  const json::Value counted = parsed(R"({"sessions":2,"messages":4,"tools_calls":1})");
  only_call({"chat", "hello"});
  only_call({"chat-tools"});
  EXPECT_EQ(at(calls({"stats-numbers"})[0], {"reply"}), counted);
  // A normal end loses no count since the last write.
  only_call({"chat", "once more"});
  agent->child().signal_group(SIGTERM);
  EXPECT_EQ(get(agent->child().wait()).code, 0) << agent->errors;
  start_agent();
  EXPECT_EQ(at(calls({"stats-numbers"})[0], {"reply"}), parsed(R"({"sessions":3,"messages":6,"tools_calls":1})"));
  // A sudden death loses no reported count.
  agent->child().signal_group(SIGKILL);
  static_cast<void>(get(agent->child().wait()));
  std::filesystem::remove(socket());
  start_agent();
  EXPECT_EQ(at(calls({"stats-numbers"})[0], {"reply"}), parsed(R"({"sessions":3,"messages":6,"tools_calls":1})"));
}

// The known error sentences from the real agent: its storage cannot be opened, and later can.
TEST_F(GoClient, ABrokenStorageIsReportedInTheSeedsWords) {
  agent->child().signal_group(SIGTERM);
  static_cast<void>(get(agent->child().wait()));
  for (const char* name : {"memory.db", "agent.db"})
    for (const char* more : {"", "-wal", "-shm"}) std::filesystem::remove(path("state/") + name + more);
  std::filesystem::create_directories(path("state/memory.db"));  // where the file should be
  std::filesystem::create_directories(path("state/agent.db"));
  start_agent();
  for (const Words& words : {Words{"search", "tea"}, Words{"get", "mem_1"}, Words{"store", "tea"}})
    EXPECT_THAT(error(only_call(words)), StartsWith("memory store not initialized: ")) << words[0];
  EXPECT_THAT(error(only_call({"stats"})), StartsWith("storage not initialized: "));
  std::filesystem::remove(path("state/memory.db"));
  EXPECT_THAT(error(only_call({"get", "mem_1"})), AllOf(StartsWith("memory store not initialized: "),
                                                        HasSubstr("memory.db is gone"), HasSubstr("to begin with nothing")));
  std::filesystem::remove(path("state/.memory.db.made"));
  EXPECT_EQ(error(only_call({"get", "mem_1"})), "memory not found: mem_1");
  EXPECT_THAT(error(only_call({"stats"})), AllOf(StartsWith("storage not initialized: "), HasSubstr("agent.db")));
  std::filesystem::remove(path("state/agent.db"));
  EXPECT_TRUE(is_stats(only_call({"stats"})));
}

TEST_F(GoClient, AnAgentWithoutAModelIsNotInitializedAndRemembersAllTheSame) {
  agent->child().signal_group(SIGTERM);
  static_cast<void>(get(agent->child().wait()));
  start_agent({"--model", "none"});
  EXPECT_EQ(error(only_call({"chat", "hello"})), "agent not initialized");
  EXPECT_EQ(text_at(document(only_call({"store", "tea is green"})), {"action"}), "created");
  EXPECT_TRUE(is_stats(only_call({"stats"})));
}

// gob omits zeros, so zero from a Go program over gob means the default; a zero in JSON counts.
TEST_F(GoClient, AnImportanceOfZeroIsOneWhereItCanBeSaid) {
  const auto importance = [&](const char* codec, const char* text, const char* given) {
    const auto stored = document(only_call({"-codec", codec, "store", text, "fact", given}));
    return text_at(document(only_call({"get", text_at(stored, {"id"})})), {"importance"});
  };
  EXPECT_EQ(importance("gob", "one", "0"), "0.7");
  EXPECT_EQ(importance("json", "two", "0"), "0");
  EXPECT_EQ(importance("gob", "three", "0.25"), "0.25");
  for (const char* codec : {"gob", "json"})
    EXPECT_EQ(error(only_call({"-codec", codec, "store", "four", "fact", "-0.5"})), "Importance: 0 to 1");
}

}  // namespace
}  // namespace parlance::test

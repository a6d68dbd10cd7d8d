// SPDX-License-Identifier: Apache-2.0
// The real Claude agent SDK (0.3.329) as the host of `parlance serve-claude`, with our own agent behind (sdk_host.mjs). Skipped
// without node or the package: scripts/peers.sh install claude-sdk.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

std::string package_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") +
         "/claude-sdk/node_modules/@anthropic-ai/claude-agent-sdk";
}

// The checks of sdk_host.mjs, each with an "ok".
constexpr auto checks = std::to_array<const char*>({"one_turn",
                                                    "partial_messages",
                                                    "resume",
                                                    "can_use_tool_allow",
                                                    "can_use_tool_deny",
                                                    "hooks",
                                                    "several_turns",
                                                    "modes_and_models",
                                                    "interrupt",
                                                    "max_turns",
                                                    "max_turns_not_reached",
                                                    "tools",
                                                    "no_tools_and_all",
                                                    "add_dir",
                                                    "add_dir_of_others",
                                                    "add_dir_is_told",
                                                    "unkept_is_said",
                                                    "json_schema_of_no_use",
                                                    "structured_output",
                                                    "structured_output_tool",
                                                    "structured_output_mended",
                                                    "structured_output_asked_on",
                                                    "structured_output_given_up",
                                                    "own_instructions",
                                                    "system_prompt",
                                                    "system_prompt_list",
                                                    "system_prompt_preset",
                                                    "images",
                                                    "images_are_told",
                                                    "fork",
                                                    "fork_with_a_name",
                                                    "fork_leaves_the_old_one",
                                                    "fork_goes_on",
                                                    "continue",
                                                    "continue_is_of_the_folder",
                                                    "fork_at_a_message",
                                                    "resume_at_a_message",
                                                    "resume_at_an_unknown_message",
                                                    "mcp_servers_are_told",
                                                    "mcp_tools_are_offered",
                                                    "sdk_mcp_is_called",
                                                    "sdk_mcp_is_asked_about",
                                                    "sdk_mcp_refused",
                                                    "allowed_tools",
                                                    "stdio_mcp_is_called",
                                                    "servers_by_initialize",
                                                    "mcp_status"});

// The model's actions, including the tools of the host's MCP servers. `more` and `most` are folders added by the host.
std::string scenario(const std::string& more, const std::string& most) {
  return R"({"announce":false,"turns":[
      {"user":"read more","steps":[{"calls":[{"name":"read_file","arguments":{"path":")" +
         more + R"(/note.txt"}}]},{"say":"It says: {{result}}"}]},
      {"user":"read most","steps":[{"calls":[{"name":"read_file","arguments":{"path":")" +
         most + R"(/note.txt"}}]},{"say":"It says: {{result}}"}]},
      {"user":"what were you told","steps":[{"say":"{{system}}"}]},
      {"user":"look at this","steps":[{"say":"You wrote: {{user}}"}]},
      {"user":"how many","turn":1,"steps":[{"say":"first"}]}, {"user":"how many","turn":2,"steps":[{"say":"second"}]},
      {"user":"how many","turn":3,"steps":[{"say":"third"}]}, {"user":"how many","turn":4,"steps":[{"say":"fourth"}]},
      {"user":"go round and round","steps":[{"calls":[{"name":"list_files","arguments":{"path":"."}}]},
        {"calls":[{"name":"list_files","arguments":{"path":"."}}]},{"calls":[{"name":"list_files","arguments":{"path":"."}}]},{"say":"round"}]},
      {"user":"who is it","steps":[{"calls":[{"name":"StructuredOutput","arguments":{"name":"Anne","mail":"anne@example.org"}}]},
        {"say":"That is who."}]},
      {"user":"guess who","steps":[{"calls":[{"name":"StructuredOutput","arguments":{"name":"Anne","mail":"anne..@example.org"}}]},
        {"calls":[{"name":"StructuredOutput","arguments":{"name":"Anne","mail":"anne@example.org"}}]},{"say":"That is who."}]},
      {"user":"talk about it","steps":[{"say":"A long story."}]},
      {"user":"call StructuredOutput now","steps":[{"calls":[{"name":"StructuredOutput","arguments":{"name":"Anne","mail":"anne@example.org"}}]},{"say":"That is who."}]},
      {"user":"never right","steps":[{"calls":[{"name":"StructuredOutput","arguments":{}}]},{"calls":[{"name":"StructuredOutput","arguments":{"name":1}}]},{"calls":[{"name":"StructuredOutput","arguments":{}}]},{"say":"That is who."}]},
      {"user":"add the numbers","steps":[{"calls":[{"name":"mcp__calc__add","arguments":{"a":2,"b":40}}]},{"say":"It says: {{result}}"}]},
      {"user":"search the notes","steps":[{"calls":[{"name":"mcp__notes__memory_search","arguments":{"query":"anything"}}]},
                                          {"say":"It says: {{result}}"}]}]})";
}

class ClaudeSdk : public ProgramTest {};

TEST_F(ClaudeSdk, DrivesOurAgentInClaudeCodesPlace) {
  if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  if (!std::filesystem::exists(package_folder()))
    GTEST_SKIP() << "no " << package_folder() << ": scripts/peers.sh install claude-sdk";
  std::filesystem::create_directories(path("work"));
  { std::ofstream(path("scenario.json")) << scenario(path("more"), path("most")); }
  const Finished host = run({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/sdk_host.mjs"}, "",
                            {{"SDK", package_folder()},
                             {"PARLANCE", parlance_program()},
                             {"WORK", path("work")},
                             {"PARLANCE_STATE", path("state")},
                             {"PARLANCE_SCENARIO", path("scenario.json")},
                             {"PARLANCE_REHEARSAL_PACE_MS", "0"}});
  for (const char* check : checks) EXPECT_THAT(host.out, testing::HasSubstr("ok " + std::string(check) + "\n"));
  EXPECT_THAT(host.out, testing::Not(testing::HasSubstr("not ok")));
  EXPECT_EQ(host.code, 0);
  if (HasFailure()) ADD_FAILURE() << host.out << host.errors;
}

}  // namespace
}  // namespace parlance::test

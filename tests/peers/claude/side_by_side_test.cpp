// SPDX-License-Identifier: Apache-2.0
// The same program of the Claude agent SDK against the real Claude Code and against `parlance serve-claude`, with a single script
// for a model. The host sees the same (side_by_side.mjs lists the exceptions and their reasons). Skipped without node or a
// package: scripts/peers.sh install claude-sdk claude-cli.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

constexpr int fewest_scenarios = 60;  // the number of scenarios; a shorter script compares too little

std::string in_peers(std::string_view path) {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/" + std::string(path);
}

class ClaudeSideBySide : public ProgramTest {};

TEST_F(ClaudeSideBySide, AHostSeesTheSameOfUsAsOfClaudeCode) {
  const std::string sdk = in_peers("claude-sdk/node_modules/@anthropic-ai/claude-agent-sdk");
  const std::string cli = in_peers("claude-cli/node_modules/@anthropic-ai/claude-code/cli.js");
  if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  for (const std::string& needed : {sdk, cli})
    if (!std::filesystem::exists(needed)) GTEST_SKIP() << "no " << needed << ": scripts/peers.sh install claude-sdk claude-cli";
  std::filesystem::create_directories(path("compared"));
  const auto host = launch({PARLANCE_NODE, "--no-warnings", PARLANCE_SOURCE_DIR "/tests/peers/claude/side_by_side.mjs"},
                           {{"SDK", sdk}, {"CLAUDE", cli}, {"PARLANCE", parlance_program()}, {"WORK", path("compared")}});
  for (std::size_t seen = 0; !host->ended(); seen = host->lines.size())
    until([&] { return host->ended() || host->lines.size() > seen; }, "the next scenario");
  until([&] { return !host->lines.empty() && host->lines.back() == "end"; }, "what it said last: " + host->errors);
  EXPECT_GE(std::ranges::count_if(host->lines, [](const std::string& line) { return line.starts_with("ok "); }),
            fewest_scenarios);
  for (const std::string& line : host->lines)
    if (!line.starts_with("ok ") && line != "end") ADD_FAILURE() << line;
  EXPECT_EQ(host->child().exit_status()->code, 0) << host->errors;
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Invalid answers of one host to can_use_tool: the real Claude Code and `parlance serve-claude` both refuse the tool. Skipped without node or
// the CLI: scripts/peers.sh install claude-cli.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

class OddPermissions : public ProgramTest {};

TEST_F(OddPermissions, AreRefusedByUsAsByClaudeCode) {
  const char* peers = std::getenv("PARLANCE_PEERS");
  const std::string cli = std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") +
                          "/claude-cli/node_modules/@anthropic-ai/claude-code/cli.js";
  if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  if (!std::filesystem::exists(cli)) GTEST_SKIP() << "no " << cli << ": scripts/peers.sh install claude-cli";
  std::filesystem::create_directories(path("odd"));
  const auto host = launch({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/odd_permissions.mjs"},
                           {{"CLAUDE", cli}, {"PARLANCE", parlance_program()}, {"WORK", path("odd")}});
  until([&] { return host->ended(); }, "the end of " + (host->lines.empty() ? std::string("nothing") : host->lines.back()));
  ASSERT_FALSE(host->lines.empty()) << host->errors;
  ASSERT_EQ(host->lines.back(), "end") << host->errors;
  std::map<std::string, std::string> effects;  // by shape, of both
  for (const std::string& line : host->lines) {
    const std::size_t shape = line.find(' ') + 1;
    const std::size_t effect = line.find(' ', shape) + 1;
    if (shape != 0 && effect != 0)
      effects[line.substr(shape, effect - shape - 1)] += line.substr(effect, line.find(' ', effect) - effect) + " ";
  }
  EXPECT_EQ(effects.size(), 7U);
  for (const auto& [shape, effect] : effects) EXPECT_EQ(effect, shape == "allowed" ? "ran ran " : "refused refused ") << shape;
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// The real Claude Code on the machine of a runner: what it wants is decided at the gateway, and done there. Its model is tests/peers/models/mock-anthropic.
// Skipped where node or the CLI is not there.
#include <cstdlib>
#include <filesystem>

#include "tests/system/runner.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string claude_cli() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return (peers != nullptr ? std::string(peers) : std::string(PARLANCE_SOURCE_DIR "/.peers")) +
         "/claude-cli/node_modules/@anthropic-ai/claude-code/cli.js";
}

class ClaudeBehindARunner : public RunnerTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(claude_cli())) GTEST_SKIP() << "no " << claude_cli() << ": scripts/peers.sh install claude-cli";
    std::filesystem::create_directories(farm());
    std::filesystem::create_directories(path("home"));
    model_ = launch({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-anthropic/server.mjs", "--port", "0"});
    until([&] { return !model_->lines.empty(); }, "the model");
    start_up();
    Words words = runner_words(base, "box");
    std::ranges::replace(words, "parlance", "claude");
    runner_ = launch(words, {{"PARLANCE_TOKEN", token},
                             {runner_mark, folder() + "box"},
                             {"PARLANCE_CLAUDE_COMMAND", "'" + std::string(PARLANCE_NODE) + "' '" + claude_cli() + "'"},
                             {"HOME", path("home")},
                             {"ANTHROPIC_BASE_URL", text_at(parsed(model_->lines.front()), {"url"})},
                             {"ANTHROPIC_API_KEY", "of-a-test"},
                             {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                             {"DISABLE_TELEMETRY", "1"}});
    until_connected(*runner_);
  }
  void write_file_by_claude(PageClient& page, const std::string& id, const std::string& name, std::string_view option) {
    prompt(page, id,
           R"(@mock tool {\"name\":\"Write\",\"input\":{\"file_path\":\")" + farm() + "/" + name +
               R"(\",\"content\":\"by Claude\\n\"}}\n@mock text {\"text\":\"that was it\"})");
    const json::Value ask = open_ask(page);
    EXPECT_THAT(text_at(ask, {"why"}), AllOf(HasSubstr("Claude Code on box"), HasSubstr(", as "), HasSubstr("@")));
    EXPECT_FALSE(std::filesystem::exists(farm() + "/" + name));
    done(page, "answer", answer_to(ask, option));
  }

  std::unique_ptr<Program> model_;
  std::unique_ptr<Program> runner_;
};

TEST_F(ClaudeBehindARunner, TheGatewayDecidesItsRequestsAndNoProcessRemains) {
  const auto page = connect();
  const std::string id =
      text_at(done(*page, "new", R"("agent":"box/claude","folder":")" + farm() + "\""), {"conversation", "id"});
  open(*page, id);
  write_file_by_claude(*page, id, "allowed.txt", "allow_once");
  until_turns(*page, id, 1);
  EXPECT_EQ(read_file(farm() + "/allowed.txt"), "by Claude\n");
  write_file_by_claude(*page, id, "refused.txt", "reject_once");
  until_turns(*page, id, 2);
  EXPECT_FALSE(std::filesystem::exists(farm() + "/refused.txt"));
  EXPECT_EQ(page->count(id, "error"), 0U);

  ::kill(runner_->child().pid(), SIGTERM);
  until([&] { return runner_->ended(); }, "the end of the runner");
  until_no_process_of("box");
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Other vendors' agents on a runner's machine: Qwen Code, and the scripted agent of the iFlow dialect. The gateway decides about
// their actions and carries them out. Their model is a script (tests/peers/models/mock-model).
#include "tests/system/runner.h"

#include <cstdlib>
#include <filesystem>

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string peers_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers";
}

class AgentsBehindARunner : public RunnerTest {
 protected:
  // Skips without node or this file.
  bool has(const std::string& peer, const std::string& file) {
    return !std::string_view(PARLANCE_NODE).empty() &&
           std::filesystem::exists(peers_folder() + "/" + peer + "/node_modules/" + file);
  }
  std::unique_ptr<Program> started(Words words, std::string_view scheme, std::string& url) {
    auto program = launch(std::move(words), {{"PARLANCE_PEERS", peers_folder()}, {"IFLOW_PEER", peers_folder() + "/iflow-sdk"}});
    until([&] { return !program->lines.empty() || program->ended(); }, "a line");
    const std::string line = program->lines.empty() ? program->errors : program->lines.front();
    const std::size_t at = line.find(scheme);
    if (at == std::string::npos) throw std::runtime_error(line);
    url = line.substr(at, line.find_first_of(" \"", at) - at);
    return program;
  }
  // A runner with the agent of this table.
  void begin(const std::string& table, Variables set = {}) {
    std::filesystem::create_directories(farm());
    std::filesystem::create_directories(path("home"));
    write_file(path("machine.toml"), table);
    start_up();
    Words words = runner_words(base, "box");
    std::ranges::replace(words, std::string("parlance"), std::string("other"));
    words.insert(words.end(), {"--config", path("machine.toml")});
    set.insert(set.end(), {{"PARLANCE_TOKEN", token}, {runner_mark, folder() + "box"}, {"HOME", path("home")}});
    runner = launch(words, std::move(set));
    until_connected(*runner);
    page = connect();
    id = text_at(done(*page, "new", R"("agent":"box/other","folder":")" + farm() + "\""), {"conversation", "id"});
    open(*page, id);
  }
  void end() {
    ::kill(runner->child().pid(), SIGTERM);
    until([&] { return runner->ended(); }, "the end of the runner");
    until_no_process_of("box");
  }
  void answer_ask(std::string_view option) {
    const json::Value ask = open_ask(*page);
    EXPECT_THAT(text_at(ask, {"why"}), AllOf(HasSubstr(" on box"), HasSubstr(", as "), HasSubstr("@")));
    done(*page, "answer", answer_to(ask, option));
  }

  std::unique_ptr<Program> model, runner;
  std::unique_ptr<PageClient> page;
  std::string id;
};

TEST_F(AgentsBehindARunner, QwensEditIsDecidedAtTheGatewayAndIsOnTheRunnersDisk) {
  if (!has("qwen-code", "@qwen-code/qwen-code")) GTEST_SKIP() << "no node, or no qwen-code: scripts/peers.sh install qwen-code";
  std::string url;
  model =
      started({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-model/server.mjs", "--port", "0"}, "http://", url);
  begin("[agents.other]\nname = \"Qwen Code\"\ncommand = [\"" PARLANCE_NODE "\", \"" + peers_folder() +
            "/qwen-code/node_modules/@qwen-code/qwen-code/cli.js\", \"--acp\", \"--auth-type\", \"openai\"]\n",
        {{"OPENAI_API_KEY", "dummy"}, {"OPENAI_BASE_URL", url + "/v1"}, {"OPENAI_MODEL", "mock"}});
  const auto writes = [&](const std::string& name) {
    prompt(*page, id, R"(call:write_file {\"file_path\":\")" + farm() + "/" + name + R"(\",\"content\":\"by Qwen\\n\"})");
  };
  writes("allowed.txt");
  open_ask(*page);
  EXPECT_FALSE(std::filesystem::exists(farm() + "/allowed.txt"));
  answer_ask("allow_once");
  until_turns(*page, id, 1);
  EXPECT_EQ(read_file(farm() + "/allowed.txt"), "by Qwen\n");
  writes("refused.txt");
  answer_ask("reject_once");
  until_turns(*page, id, 2);
  EXPECT_FALSE(std::filesystem::exists(farm() + "/refused.txt"));
  EXPECT_EQ(page->count(id, "error"), 0U);
  end();
}

TEST_F(AgentsBehindARunner, IFlowsTextsQuestionsAndPermissionsComeThrough) {
  if (!has("iflow-sdk", "ws")) GTEST_SKIP() << "no node, or no iflow-sdk: scripts/peers.sh install iflow-sdk";
  std::string url;
  model = started({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/mock-iflow/server.mjs", "--port", "0", "--gap", "0"},
                  "ws://", url);
  begin("[agents.other]\nname = \"iFlow\"\nurl = \"" + url + "\"\ndialect = \"iflow\"\n");
  prompt(*page, id, "hello");
  until_turns(*page, id, 1);
  EXPECT_THAT(page->text(id), HasSubstr("echo: "));
  prompt(*page, id, R"(scenario:permission {\"set\":[\"once\",\"always\",\"cancel\"]})");
  answer_ask("reject_once");
  until_turns(*page, id, 2);
  EXPECT_EQ(page->count(id, "error"), 0U);
  end();
}

}  // namespace
}  // namespace parlance::test

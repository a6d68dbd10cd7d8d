// SPDX-License-Identifier: Apache-2.0
// The real Claude Code with a scripted model in the prompt (tests/peers/models/mock-anthropic), driven by a hub in folders of the
// test. Skipped without node or the CLI: scripts/peers.sh install claude-cli.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <signal.h>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/agent_via_claude.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/process/strays.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::service {

inline constexpr std::chrono::seconds long_enough{100};  // starts in a second on a quiet machine

inline std::string peers_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers";
}
inline std::string cli() {
  const char* other = std::getenv("PARLANCE_CLAUDE_CLI");  // in the same folder
  return peers_folder() + "/" + (other != nullptr ? other : "claude-cli/node_modules/@anthropic-ai/claude-code/cli.js");
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();  // does not throw when a process of /proc ends meanwhile
  return text.str();
}

// A step of the model: "@mock VERB JSON".
inline std::string step(std::string_view verb, json::Object argument = {}) {
  return "@mock " + std::string(verb) + " " + json::to_text(json::Value(std::move(argument))) + "\n";
}
inline std::string tool_step(std::string name, std::string input_json) {
  json::Object argument;
  argument.set("name", std::move(name));
  argument.set("input", *json::parse(input_json));
  return step("tool", std::move(argument));
}
inline std::string bash_step(const std::string& command) {
  json::Object input;
  input.set("command", command);
  input.set("description", "a command");
  return tool_step("Bash", json::to_text(json::Value(std::move(input))));
}

class ClaudeCli : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(cli()))
      GTEST_SKIP() << "no " << cli() << ": scripts/peers.sh install claude-cli, for the newest claude-cli-new";
    base = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    ASSERT_NE(::mkdtemp(base.data()), nullptr);
    std::filesystem::create_directories(base + "/home");
    std::filesystem::create_directories(base + "/work");
    auto mock =
        ChildProcess::start(loop, {.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-anthropic/server.mjs",
                                               "--port", "0", "--log", base + "/model.log"}});
    ASSERT_TRUE(mock) << mock.error().message;
    model = *std::move(mock);
    model_output = model->take_stream();
    const std::string ready = loop.block_on(first_line(*model_output));
    url = json::parse(ready)->text_or("url", "");
    ASSERT_FALSE(url.empty()) << ready;
    open_hub();
  }
  void TearDown() override {
    hub.reset();
    model.reset();
    std::error_code ignored;
    if (!base.empty()) std::filesystem::remove_all(base, ignored);
  }

  claude::Launch launch() const {
    claude::Launch launch{
        .command = cli().ends_with(".js") ? std::vector<std::string>{PARLANCE_NODE, cli()} : std::vector<std::string>{cli()},
        .folder = base + "/work"};
    launch.environment = {{"HOME", base + "/home"},       {"ANTHROPIC_BASE_URL", url},
                          {"ANTHROPIC_API_KEY", "dummy"}, {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                          {"DISABLE_TELEMETRY", "1"},     {"DISABLE_ERROR_REPORTING", "1"}};
    launch.max_turns = max_turns;
    return launch;
  }
  // Again on the same store: as after a restart of the program.
  void open_hub() {
    hub.reset();
    hub = std::make_unique<hub::Hub>(loop, store);
    hub->add_agent(driver::agent_via_claude(
        loop, {.launch = launch(), .hooks = hooks, .mcp_servers = mcp_servers, .own_servers = own_servers}));
    ASSERT_TRUE(loop.block_on(hub->start()));
  }
  std::string conversation(hub::Mode mode = hub::Mode::default_) {
    return hub::test::create(loop, *hub, {.agent = "claude", .folder = base + "/work", .mode = mode});
  }
  // Looks again after a pause: conditions are also about files and processes of the CLI.
  void until(const std::function<bool()>& condition, std::string_view what) {
    const TimePoint limit = Clock::now() + long_enough;
    while (!condition() && Clock::now() < limit) loop.run_for(std::chrono::milliseconds(2));
    if (!condition()) throw std::runtime_error("waited too long for: " + std::string(what));
  }
  void begin(const std::string& id, std::string text) {
    ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = std::move(text)})));
  }
  // The next open ask; asks orphaned by a crash are in the list too.
  hub::Ask asked() {
    std::optional<hub::Ask> open;
    until(
        [&] {
          for (const hub::Ask& ask : open_asks(*hub))
            if (ask.state == hub::AskState::open) open = ask;
          return open.has_value();
        },
        "a question");
    return *open;
  }
  void answer(const hub::Ask& ask, std::string option, std::optional<std::string> text = {}) {
    const auto done = loop.block_on(
        hub->submit(ask.conversation,
                    hub::AnswerRequest{.request = ask.id,
                                       .answer = {.digest = ask.digest, .option = std::move(option), .text = std::move(text)}}));
    ASSERT_TRUE(done) << done.error().message;
  }
  void until_idle(const std::string& id) {
    until([&] { return hub->find(id)->state == hub::ConversationState::idle; }, "the end of the turn");
  }
  template <class E>
  std::vector<E> events(const std::string& id) const {
    std::vector<E> found;
    if (const auto log = store.logs.find(id); log != store.logs.end())
      for (const hub::Event& event : log->second)
        if (const auto* body = std::get_if<E>(&event.body)) found.push_back(*body);
    return found;
  }
  // The text since the last prompt, in one piece.
  std::string said(const std::string& id) const {
    std::string all;
    for (const hub::Event& event : store.logs.at(id)) {
      if (std::holds_alternative<hub::event::TurnStart>(event.body)) all.clear();
      if (const auto* text = std::get_if<hub::event::Text>(&event.body)) all += text->text;
    }
    return all;
  }
  // The CLI's file of a session; empty before its creation.
  std::string transcript(const std::string& session) const {
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(base + "/home", none))
      if (entry.path().filename() == session + ".jsonl") return entry.path().string();
    return "";
  }
  // SIGKILL to the CLI and its children, found by their environment.
  void crash() const {
    const std::vector<pid_t> found = processes_with("ANTHROPIC_BASE_URL", url);
    ASSERT_FALSE(found.empty());
    for (const pid_t pid : found) ::kill(pid, SIGKILL);
  }
  // Commands "sleep MARK" below the CLI.
  int sleepers(const std::string& mark) const {
    int count = 0;
    for (const pid_t pid : processes_with("ANTHROPIC_BASE_URL", url))
      if (read_file("/proc/" + std::to_string(pid) + "/cmdline") == std::string("sleep\0", 6) + mark + '\0') ++count;
    return count;
  }
  hub::StopReason last_stop(const std::string& id) const { return events<hub::event::TurnEnd>(id).back().stop_reason; }

  // The model's requests for a step of this verb, oldest first; excludes requests without tools (titles and similar).
  std::vector<json::Value> requests(std::string_view verb) const {
    std::vector<json::Value> found;
    std::istringstream log(read_file(base + "/model.log"));
    for (std::string line; std::getline(log, line);)
      if (auto entry = json::parse(line); entry && entry->text_or("verb", "") == verb && entry->integer_or("tools", 0) > 0)
        found.push_back(*std::move(entry));
    return found;
  }
  // The requested model of the only step of this verb.
  std::string model_for(std::string_view verb) {
    until([&] { return !requests(verb).empty(); }, "the model's log");
    return std::string(requests(verb).front().text_or("model", ""));
  }

  static Task<std::string> first_line(ByteStream& stream) {
    std::string line;
    char c = 0;
    for (;;) {
      const auto got = co_await read_some(stream, {&c, 1});
      if (!got || *got == 0 || c == '\n') co_return line;
      line += c;
    }
  }

  Loop loop;
  std::string base;
  std::string url;
  std::vector<driver::ClaudeHook> hooks;
  std::function<std::string()> mcp_servers;
  std::vector<driver::ClaudeOwnServerSettings> own_servers;
  std::optional<int> max_turns;
  std::unique_ptr<ChildProcess> model;
  std::unique_ptr<ByteStream> model_output;
  hub::test::MemoryStore store{loop};
  std::unique_ptr<hub::Hub> hub;
};

}  // namespace parlance::service

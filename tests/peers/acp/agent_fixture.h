// SPDX-License-Identifier: Apache-2.0
// A real agent behind ACP in a hub, in folders of the test. Missing programs are skipped, with the command for their
// installation.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/process/child_process.h"
#include "parlance/toolbox/agent_workspace.h"
#include "tests/peers/peers_folder.h"

namespace parlance::test {

inline constexpr std::chrono::seconds long_enough{100};  // some agents take four seconds to begin on a quiet machine

class AcpAgentTest : public ::testing::Test {
 protected:
  // The required peer of .peers, and its required file.
  void needs(const std::string& peer, const std::string& file) {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(peers_folder() + "/" + peer + "/node_modules/" + file))
      GTEST_SKIP() << "no " << file << ": scripts/peers.sh install " << peer;
    base = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    ASSERT_NE(::mkdtemp(base.data()), nullptr);
    std::filesystem::create_directories(base + "/home");
    std::filesystem::create_directories(base + "/work");
  }
  void TearDown() override {
    hub.reset();
    programs.clear();
    outputs.clear();
    std::error_code ignored;
    if (!base.empty()) std::filesystem::remove_all(base, ignored);
  }

  // A program that keeps running; returns its first line of output.
  std::string started(std::vector<std::string> command) {
    auto child = ChildProcess::start(loop, {.command = std::move(command), .set = {{"PARLANCE_PEERS", peers_folder()}}});
    EXPECT_TRUE(child) << child.error().message;
    if (!child) return "";
    programs.push_back(*std::move(child));
    outputs.push_back(programs.back()->take_stream());
    return loop.block_on(first_line(*outputs.back()));
  }
  // The scripted model of an agent; returns its address.
  std::string started_model(const std::string& name = "mock-model", const std::vector<std::string>& flags = {}) {
    std::vector<std::string> command{PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/" + name + "/server.mjs", "--port",
                                     "0"};
    command.insert(command.end(), flags.begin(), flags.end());
    const std::string ready = started(std::move(command));
    const std::size_t at = ready.find("http://");
    EXPECT_NE(at, std::string::npos) << ready;
    return at == std::string::npos ? "" : ready.substr(at, ready.find_first_of("\", }", at) - at);  // a line of text, or of JSON
  }
  void open_hub(driver::AcpAgentSettings settings) {
    settings.id = "acp";
    settings.environment.emplace_back("PARLANCE_PEERS", peers_folder());
    agent = settings;
    hub.reset();
    hub = std::make_unique<hub::Hub>(loop, store, hub::HubSettings{.workspace = toolbox::agent_workspaces(loop)});
    hub->add_agent(driver::agent_via_acp(loop, std::move(settings)));
    ASSERT_TRUE(loop.block_on(hub->start()));
  }
  std::string conversation(hub::Mode mode = hub::Mode::default_) {
    return hub::test::create(loop, *hub, {.agent = "acp", .folder = base + "/work", .mode = mode});
  }
  void until(const std::function<bool()>& condition, std::string_view what) {
    if (!loop.run_until(condition, long_enough)) throw std::runtime_error("waited too long for: " + std::string(what));
  }
  void begin(const std::string& id, std::string text) {
    ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = std::move(text)})));
  }
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
  void answer(const hub::Ask& ask, hub::OptionKind kind, std::optional<std::string> text = {}) {
    for (const hub::AskOption& option : ask.options) {
      if (option.kind != kind) continue;
      const auto done = loop.block_on(hub->submit(
          ask.conversation,
          hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = option.id, .text = std::move(text)}}));
      ASSERT_TRUE(done) << done.error().message;
      return;
    }
    FAIL() << "no such option";
  }
  void until_idle(const std::string& id) {
    until([&] { return hub->find(id)->state == hub::ConversationState::idle; }, "the end of the turn");
  }
  // A whole turn without questions; returns its text.
  std::string turn(const std::string& id, std::string text) {
    begin(id, std::move(text));
    until_idle(id);
    return said(id);
  }
  template <class E>
  std::vector<E> events(const std::string& id) const {
    std::vector<E> found;
    if (const auto log = store.logs.find(id); log != store.logs.end())
      for (const hub::Event& event : log->second)
        if (const auto* body = std::get_if<E>(&event.body)) found.push_back(*body);
    return found;
  }
  // Since the last prompt, in one piece.
  std::string said(const std::string& id) const {
    std::string all;
    for (const hub::Event& event : store.logs.at(id)) {
      if (std::holds_alternative<hub::event::TurnStart>(event.body)) all.clear();
      if (const auto* text = std::get_if<hub::event::Text>(&event.body)) all += text->text;
    }
    return all;
  }
  hub::StopReason last_stop(const std::string& id) const { return events<hub::event::TurnEnd>(id).back().stop_reason; }
  std::string last_failure(const std::string& id) const {
    const auto all = events<hub::event::Failure>(id);
    return all.empty() ? "" : all.back().message + " " + all.back().detail;
  }
  std::string file(const std::string& name) const {
    std::ifstream in(base + "/work/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
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
  driver::AcpAgentSettings agent;
  std::vector<std::unique_ptr<ChildProcess>> programs;
  std::vector<std::unique_ptr<ByteStream>> outputs;
  hub::test::MemoryStore store{loop};
  std::unique_ptr<hub::Hub> hub;
};

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// A client of iFlow over a real WebSocket, for tests: beside a scripted agent in Node, or whatever else speaks the dialect.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/iflow/client.h"
#include "tests/support/programs.h"

namespace parlance::iflow {

inline std::string iflow_peer_folder() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/iflow-sdk";
}

class IflowPeer : public test::ProgramTest {
 protected:
  void SetUp() override {
    if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here";
    if (!std::filesystem::exists(iflow_peer_folder() + "/node_modules/ws"))
      GTEST_SKIP() << "no " << iflow_peer_folder() << ": scripts/peers.sh install iflow-sdk";
    serve({"--ready-delay", "0", "--gap", "0"});
  }
  void serve(test::Words more) {
    test::Words words{PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/mock-iflow/server.mjs"};
    words.insert(words.end(), more.begin(), more.end());
    server_ = launch(std::move(words), {{"IFLOW_PEER", iflow_peer_folder()}});
    until([&] { return !server_->lines.empty(); }, "the agent's address");
    url_ = server_->lines.front().substr(server_->lines.front().find("ws://"));
  }
  Options options() const {
    return {.url = url_,
            .cwd = folder(),
            .log_level = LogLevel::error,
            .permission_mode = PermissionMode::interactive,
            .auto_start_process = false};
  }
  Client& connected(Options with) {
    client_.emplace(loop, std::move(with));
    const auto done = get(client_->connect());
    EXPECT_TRUE(done) << done.error().message;
    return *client_;
  }
  Client& connected() { return connected(options()); }

  // All messages of a turn as JSON; what waits for the person is answered by `answer`.
  std::vector<std::string> turn(
      std::string prompt, std::function<void(const ToolCallMessage&)> answer = [](const ToolCallMessage&) {}) {
    const auto sent = get(client_->send_message(std::move(prompt)));
    EXPECT_TRUE(sent) << sent.error().message;
    std::vector<std::string> out;
    while (const auto message = get(client_->receive_message())) {
      out.push_back(json::to_text(to_json(*message)));
      if (const auto* call = std::get_if<ToolCallMessage>(&*message); call != nullptr && call->request) answer(*call);
      if (std::holds_alternative<TaskFinishMessage>(*message) || std::holds_alternative<ErrorMessage>(*message)) break;
    }
    return out;
  }
  // What the agent said in it.
  static std::string said(const std::vector<std::string>& messages) {
    std::string out;
    for (const std::string& message : messages) {
      const json::Value value = *json::parse(message);
      if (const json::Value* chunk = value.find("chunk")) out += chunk->text_or("text", "");
    }
    return out;
  }

  std::unique_ptr<test::Program> server_;
  std::string url_;
  std::optional<Client> client_;
};

}  // namespace parlance::iflow

// SPDX-License-Identifier: Apache-2.0
// An unchanged iFlow webview at a gateway without a model: --default-agent names iFlow, and its CLI serves a port only.
// The scripted agent of tests/peers/acp/mock-iflow replaces the CLI.
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>

#include "parlance/transport/http/websocket_client.h"
#include "tests/system/up.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

class WebviewOfIflow : public UpTest {
 protected:
  static std::string peer() {
    const char* const peers = std::getenv("PARLANCE_PEERS");
    return std::string(peers != nullptr ? peers : PARLANCE_SOURCE_DIR "/.peers") + "/iflow-sdk";
  }
  // The CLI in PATH ends at once without --port, as a version of iFlow that has no form for stdin and stdout.
  void install_iflow() const {
    const std::string server = PARLANCE_SOURCE_DIR "/tests/peers/acp/mock-iflow/server.mjs";
    std::filesystem::create_directories(path("bin"));
    write_file(path("bin/iflow"), "#!" PARLANCE_NODE
                                  "\nif (!process.argv.includes('--port')) process.exit(2);\nprocess.env.IFLOW_PEER = '" +
                                      peer() + "';\nprocess.argv.push('--gap', '0');\nimport('" + server + "');\n");
    std::filesystem::permissions(path("bin/iflow"), std::filesystem::perms(0700));
  }
  void connect() {
    auto socket = get(
        connect_websocket(loop, {.url = "ws" + base.substr(4) + "webview", .headers = {{"Authorization", "Bearer " + token}}}));
    ASSERT_TRUE(socket) << socket.error().message;
    webview_ = *std::move(socket);
    scope_.start(read_all());
  }
  void send(std::string_view message) { ASSERT_TRUE(webview_->send(message)); }
  const json::Value& until_message(std::string_view type) {
    const json::Value* found = nullptr;
    until(
        [&] {
          for (const json::Value& message : messages_)
            if (message.text_or("type", "") == type) found = &message;
          return found != nullptr;
        },
        type);
    return *found;
  }
  std::string said() const {
    std::string all;
    for (const json::Value& message : messages_) all += text_at(message, {"chunk", "content"});
    return all;
  }

 private:
  Task<void> read_all() {
    for (;;) {
      const auto batch = co_await read_frames(*webview_);
      if (!batch || batch->empty()) co_return;
      for (const BytesView frame : *batch) messages_.push_back(parsed(frame));
    }
  }
  std::unique_ptr<WebSocketFrames> webview_;
  std::deque<json::Value> messages_;
  Scope scope_{loop};  // goes first
};

TEST_F(WebviewOfIflow, ReachesTheDefaultAgentOnAPortWhereNoModelIsConfigured) {
  if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  if (!std::filesystem::exists(peer())) GTEST_SKIP() << "no " << peer() << ": scripts/peers.sh install iflow-sdk";
  install_iflow();
  start_up({"--model", "none", "--default-agent", "iflow"}, {{"PATH", path("bin") + ":/usr/bin:/bin"}});
  connect();
  send(R"({"type":"ready"})");
  const json::Value listed = at(until_message("stateUpdated"), {"state", "agents"});
  std::map<std::string, bool> available;
  for (const json::Value& agent : *listed.array()) available[text_at(agent, {"id"})] = agent.boolean_or("available", true);
  EXPECT_EQ(text_at(listed, {"0", "id"}), "iflow") << "frontends that name no agent take the first one";
  ASSERT_TRUE(available.contains("parlance"));
  EXPECT_FALSE(available["parlance"]) << "no model is configured";
  send(R"({"type":"sendMessage","prompt":"on a port"})");
  EXPECT_EQ(until_message("streamEnd").text_or("stopReason", ""), "end_turn");
  EXPECT_THAT(said(), HasSubstr("on a port"));
}

}  // namespace
}  // namespace parlance::test

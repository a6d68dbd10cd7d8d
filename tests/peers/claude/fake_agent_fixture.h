// SPDX-License-Identifier: Apache-2.0
// Our host and a scripted agent (fake_agent.mjs), in a folder of the test. Skipped without node.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::claude {

using namespace std::chrono_literals;

inline constexpr auto long_enough = 20s;

// A host that permits everything except rm, and counts the requests.
struct Handler final : HostHandler {
  explicit Handler(Loop& on) : loop(on), released(on) {}
  void on_line(const StreamLine& line) override {
    lines.push_back(std::string(line.type) + (line.subtype.empty() ? "" : "/" + std::string(line.subtype)));
    last_bytes = line.json.size();
    if (line.type == "assistant") texts += std::string(line.message);
    if (line.type == "result") ++results;
  }
  struct Open {
    explicit Open(Handler& h) : handler(h) { ++handler.open_now; }
    ~Open() { --handler.open_now; }
    Handler& handler;
  };
  Task<Result<PermissionResult>> can_use_tool(const CanUseTool& request) override {
    const Open counted(*this);
    ++asked;
    most_open = std::max(most_open, open_now);
    while (hold > 0 && asked < hold) co_await released.wait();
    if (hold > 0) released.notify_all();
    while (hold < 0) co_await released.wait();
    if (json::parse(request.input.json)->text_or("command", "").starts_with("rm"))
      co_return PermissionResult{Deny{.message = "too dangerous"}};
    co_return PermissionResult{Allow{}};
  }
  Task<Result<wire::Raw>> hook_callback(HookCallback request) override {
    hooks.push_back(request.callback_id);
    if (request.callback_id == "no_such_hook") co_return co_await HostHandler::hook_callback(std::move(request));
    co_return wire::Raw{"{}"};
  }
  Task<Result<McpReply>> mcp_message(McpMessage message) override {
    const json::Value what = json::parse(message.message.json).value();
    mcp.push_back(std::string(what.text_or("method", "")));
    if (message.server_name != "calc") co_return co_await HostHandler::mcp_message(std::move(message));
    co_return McpReply{{R"({"jsonrpc":"2.0","id":)" + std::to_string(what.integer_or("id", 0)) + R"(,"result":{}})"}};
  }

  Loop& loop;
  Signal released;
  int hold = 0;  // >0: answers wait for this number of requests; <0: endlessly
  int asked = 0;
  int open_now = 0;
  int most_open = 0;
  int results = 0;
  std::size_t last_bytes = 0;
  std::string texts;
  std::vector<std::string> lines;
  std::vector<std::string> hooks;
  std::vector<std::string> mcp;
};

class FakeAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    folder = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  }
  void TearDown() override {
    scope.cancel();
    host.reset();
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  }
  void play(const std::string& script, std::vector<std::pair<std::string, std::string>> more = {}, HostSettings settings = {}) {
    Launch launch{.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"}, .folder = folder};
    launch.environment = {{"FAKE_SCRIPT", script}, {"FAKE_LOG", folder + "/log"}};
    launch.environment.insert(launch.environment.end(), more.begin(), more.end());
    auto spawned = Host::spawn(loop, launch, handler, std::move(settings));
    ASSERT_TRUE(spawned) << spawned.error().message;
    host = *std::move(spawned);
    scope.start(run());
  }
  void go() { ASSERT_TRUE(host->send_text("go")); }
  void until(const std::function<bool()>& condition) {
    ASSERT_TRUE(loop.run_until(condition, long_enough)) << ::testing::PrintToString(handler.lines);
  }
  template <class T>
  T get(Task<T> task) {
    return loop.block_on(std::move(task));
  }
  // The agent's received lines of this type, from its log.
  std::vector<json::Value> seen(std::string_view type) {
    std::vector<json::Value> found;
    std::ifstream log(folder + "/log");
    for (std::string text; std::getline(log, text);) {
      const auto record = json::parse(text);
      if (record && record->text_or("dir", "") == "h2a" && record->find("msg") != nullptr &&
          record->find("msg")->text_or("type", "") == type)
        found.push_back(*record->find("msg"));
    }
    return found;
  }
  static std::string answer_of(const json::Value& line) { return json::to_text(*line.find("response")); }

  Loop loop;
  Handler handler{loop};
  std::string folder;
  std::unique_ptr<Host> host;
  std::optional<Error> ended;
  Scope scope{loop};

 private:
  Task<void> run() { ended = co_await host->run(); }
};

}  // namespace parlance::claude

// SPDX-License-Identifier: Apache-2.0
// Go's own net/rpc client as a process that calls `parlance agent`, and the shared part of both tests.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {

// The play of the agent's rehearsal: the manners of Go's peer-server, for the clients' scenarios.
inline constexpr std::string_view go_scenario = R"({"announce": false, "turns": [
  {"user": "call:read_file", "steps": [{"calls": [{"name": "read_file", "arguments": {"path": "a.txt"}}]}]},
  {"user": "error:agent busy", "steps": [{"error": {"message": "agent busy"}}]},
  {"user": "sleep:400", "steps": [{"say": "slept for a while, piece by piece by piece by piece", "pace_ms": 40}]},
  {"steps": [{"say": "echo: {{user}}"}, {"say": "after the calls: {{result}}"}]}]})";

class GoTest : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_GO_PEERS).empty())
      GTEST_SKIP() << "no go here: apt-get install golang-go, then configure again";
  }
  std::string socket() const { return path("a.sock"); }
};

// ---- Go's client, our agent ----------------------------------------------------------------------------------------------

class GoClient : public GoTest {
 protected:
  void SetUp() override {
    GoTest::SetUp();
    if (IsSkipped()) return;
    write_file(path("scenario.json"), go_scenario);
    start_agent();
  }
  void start_agent(Words more = {}) {
    Words words{
        "agent", "--socket", socket(), "--state", path("state"), "--scenario", path("scenario.json"), "--rehearsal-pace-ms", "0"};
    words.insert(words.end(), more.begin(), more.end());
    agent = launch(with_program(words));
    until([&] { return !agent->lines.empty() || agent->ended(); }, "the agent");
    ASSERT_FALSE(agent->ended()) << agent->errors;
  }
  void TearDown() override {
    if (!agent) return;
    // The end of the process shows a sanitizer's complaint.
    agent->child().signal_group(SIGTERM);
    const ExitStatus status = get(agent->child().wait());
    EXPECT_EQ(status.code, 0) << status.describe() << "\n" << agent->errors;
  }

  // Its lines; the last is {"done":true}, which is checked and removed.
  std::vector<json::Value> calls(Words words) {
    words.insert(words.begin(), {PARLANCE_GO_PEERS "/peer-client", "-sock", socket(), "-timeout", "50s"});
    const Finished finished = run(words);
    EXPECT_EQ(finished.code, 0) << finished.errors;
    std::vector<json::Value> lines;
    for (std::size_t from = 0; from < finished.out.size(); from = finished.out.find('\n', from) + 1)
      lines.push_back(parsed(finished.out.substr(from, finished.out.find('\n', from) - from)));
    EXPECT_FALSE(lines.empty());
    if (lines.empty() || lines.back() != parsed(R"({"done":true})"))
      ADD_FAILURE() << "the client did not get through: " << finished.out;
    else lines.pop_back();
    return lines;
  }
  json::Value only_call(Words words) {
    const auto lines = calls(std::move(words));
    EXPECT_EQ(lines.size(), 1U);
    return lines.empty() ? json::Value() : lines.front();
  }
  static std::string content(const json::Value& call) { return text_at(call, {"reply", "Content"}); }
  static std::string error(const json::Value& call) {
    EXPECT_EQ(at(call, {"from_server"}), json::Value(true)) << json::to_text(call);
    return text_at(call, {"error"});
  }
  // A memory method's reply is a document in a text.
  static json::Value document(const json::Value& call) { return parsed(text_at(call, {"reply", "Result"})); }
  static bool is_stats(const json::Value& call) {
    const json::Value stats = at(call, {"reply", "Stats"});
    return std::ranges::all_of(
        std::initializer_list<std::string_view>{"sessions", "messages", "tools_calls", "memories", "files"},
        [&](std::string_view name) { return stats.find(name) != nullptr; });
  }

  std::unique_ptr<Program> agent;
};

// Both codecs go through everything.
class GoClientWithCodec : public GoClient, public testing::WithParamInterface<std::string> {
 protected:
  json::Value only(Words words) { return only_call(with_codec(std::move(words))); }
  std::vector<json::Value> all(Words words) { return calls(with_codec(std::move(words))); }
  static Words with_codec(Words words) {
    words.insert(words.begin(), {"-codec", GetParam()});
    return words;
  }
};

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Our iFlow client over a real WebSocket with a scripted agent in Node: every scenario of the agent.
#include "tests/peers/iflow/iflow_peer.h"

#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/iflow/errors.h"
#include "parlance/iflow/query.h"
#include "parlance/iflow/raw_client.h"
#include "parlance/iflow/runner.h"

namespace parlance::iflow {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Outcome = ToolCallConfirmationOutcome;

constexpr const char* finished = R"({"type":"task_finish","stopReason":"end_turn"})";

TEST_F(IflowPeer, APromptIsAnswered) {
  connected();
  EXPECT_EQ(client_->session_id(), "sess-1");
  EXPECT_THAT(turn("hello"), ElementsAre(R"({"type":"assistant","chunk":{"text":"echo: hello"}})", finished));
  EXPECT_EQ(get(query(loop, "again", {}, options())).value(), "echo: again");
}

TEST_F(IflowPeer, EveryKindOfUpdateIsReceived) {
  connected();
  const auto messages = turn("scenario:updates");
  const std::vector<std::string> types = [&] {
    std::vector<std::string> out;
    for (const std::string& message : messages) out.emplace_back(json::parse(message)->text_or("type", ""));
    return out;
  }();
  EXPECT_THAT(types, ElementsAre("user", "assistant", "assistant", "assistant", "assistant", "assistant", "plan", "tool_call",
                                 "tool_call", "tool_call", "tool_call", "tool_call", "assistant", "assistant", "task_finish"));
  EXPECT_THAT(messages[13], HasSubstr(R"("taskId":"a-b-c","agentIndex":2,"timestamp":1700000000001)"));
}

// iFlow's own client hears 1 of 50, and 2 of 500.
TEST_F(IflowPeer, AllFramesOfASegmentArrive) {
  connected();
  for (const int count : {2, 50, 500}) {
    std::string expected;
    for (int i = 0; i < count; ++i) expected += "m" + std::to_string(i) + " ";
    EXPECT_EQ(said(turn("scenario:burst {\"n\":" + std::to_string(count) + "}")), expected);
  }
  EXPECT_EQ(turn("scenario:flood {\"n\":10000}").size(), 10'001U);
}

TEST_F(IflowPeer, EachOutcomeReachesTheAgent) {
  connected();
  const std::string prompt = R"(scenario:permission {"set":["once","always","tool","server","cancel"]})";
  const std::vector<std::pair<Outcome, std::string>> rows{{Outcome::allow, "proceed_once"},
                                                          {Outcome::always_allow, "proceed_always"},
                                                          {Outcome::always_allow_tool, "proceed_always_tool"},
                                                          {Outcome::always_allow_mcp_server, "proceed_always_server"},
                                                          {Outcome::reject, "cancel"}};
  for (const auto& [outcome, id] : rows)
    EXPECT_THAT(said(turn(prompt,
                          [&, decision = outcome](const ToolCallMessage& call) {
                            EXPECT_TRUE(client_->approve_tool_call(*call.request, decision));
                          })),
                HasSubstr("\"optionId\":\"" + id + "\""));
}

TEST_F(IflowPeer, PermissionModesAnswerByThemselves) {
  const auto answer = [&](PermissionMode mode, std::string prompt) {
    Options with = options();
    with.permission_mode = mode;
    connected(std::move(with));
    return said(turn(std::move(prompt)));
  };
  EXPECT_THAT(answer(PermissionMode::automatic, R"(scenario:permission {"set":["cancel","once"]})"), HasSubstr("proceed_once"));
  EXPECT_THAT(answer(PermissionMode::automatic, R"(scenario:permission {"set":["cancel","never"]})"),
              HasSubstr("\"outcome\":\"cancelled\""));
  EXPECT_THAT(answer(PermissionMode::manual, "scenario:permission"), HasSubstr("\"outcome\":\"cancelled\""));
  EXPECT_THAT(
      answer(PermissionMode::selective, R"(scenario:permission {"toolCall":{"toolCallId":"t","title":"r","type":"read"}})"),
      HasSubstr("proceed_once"));
  EXPECT_THAT(answer(PermissionMode::selective, "scenario:permission"), HasSubstr("\"outcome\":\"cancelled\""));
}

TEST_F(IflowPeer, QuestionsAndPlansAreAnswered) {
  connected();
  EXPECT_THAT(said(turn("scenario:questions",
                        [&](const ToolCallMessage& call) {
                          ASSERT_TRUE(call.questions);
                          EXPECT_TRUE(client_->answer_questions(*call.request, {{call.questions->front().header, {"sqlite"}}}));
                        })),
              HasSubstr(R"({"result":{"answers":{"Database":"sqlite"}}})"));
  EXPECT_THAT(said(turn("scenario:planexit",
                        [&](const ToolCallMessage& call) {
                          EXPECT_EQ(call.plan, "1. read\n2. write");
                          EXPECT_TRUE(client_->approve_plan(*call.request, true));
                        })),
              HasSubstr(R"({"result":{"approved":true}})"));
}

TEST_F(IflowPeer, UnusualMessagesEndNoTurn) {
  connected();
  EXPECT_THAT(said(turn("scenario:unknown")), HasSubstr("-32601"));
  for (const char* scenario : {"unknown_notification", "legacy", "control", "badjson"})
    EXPECT_THAT(turn(std::string("scenario:") + scenario), ElementsAre(finished)) << scenario;
  EXPECT_THAT(turn("scenario:error"), ElementsAre(HasSubstr(R"("code":-32603,"message":"model overloaded)")));
  EXPECT_THAT(turn("scenario:autherror"), ElementsAre(HasSubstr(R"("code":-32000)")));
  EXPECT_THAT(turn("scenario:stop {\"reason\":\"max_tokens\"}"),
              ElementsAre(R"({"type":"task_finish","stopReason":"max_tokens"})"));
  EXPECT_EQ(turn("scenario:nullresult").size(), 1U) << "iFlow's own client waits for ever";
  EXPECT_THAT(turn("hello").back(), finished);
}

TEST_F(IflowPeer, AnInterruptEndsTheTurn) {
  connected();
  ASSERT_TRUE(get(client_->send_message("scenario:wait")));
  EXPECT_TRUE(get(client_->receive_message()));
  EXPECT_TRUE(client_->interrupt());
  EXPECT_EQ(std::get<TaskFinishMessage>(*get(client_->receive_message())).stop_reason, StopReason::cancelled);
}

TEST_F(IflowPeer, AClosedConnectionIsReported) {
  connected();
  EXPECT_THAT(turn("scenario:close"), ElementsAre(HasSubstr(R"("type":"error","code":-1)")));
  EXPECT_EQ(get(client_->receive_message()), std::nullopt);
  EXPECT_FALSE(client_->is_connected());
  EXPECT_TRUE(get(client_->connect()));
}

TEST_F(IflowPeer, AKilledAgentIsReported) {
  connected();
  ASSERT_TRUE(get(client_->send_message("scenario:wait")));
  EXPECT_TRUE(get(client_->receive_message()));
  server_->child().signal_group(SIGKILL);
  EXPECT_EQ(std::get<ErrorMessage>(*get(client_->receive_message())).code, -1);
  const auto again = get(client_->connect());
  ASSERT_FALSE(again);
  EXPECT_EQ(kind_of(again.error()), ErrorKind::connection);
}

TEST_F(IflowPeer, SessionsAreLoaded) {
  connected();
  EXPECT_THAT(get(client_->load_session("missing")).error().message, HasSubstr("Session not found"));
  EXPECT_TRUE(get(client_->load_session("old-7")));
  EXPECT_THAT(said(turn("hello again")), "echo: hello again");
}

TEST_F(IflowPeer, OnlyAllowedFilesAreServed) {
  test::write_file(path("a.txt"), "one\ntwo\nthree\n");
  const auto call = [&](const std::string& method, const std::string& params) {
    return said(turn("scenario:call {\"method\":\"" + method + "\",\"params\":" + params + "}"));
  };
  connected();
  EXPECT_THAT(call("fs/read_text_file", R"({"path":"a.txt"})"), HasSubstr("File system access not configured"));
  Options with = options();
  with.file_access = true;
  connected(with);
  EXPECT_THAT(call("fs/read_text_file", R"({"path":")" + path("a.txt") + R"(","line":2,"limit":1})"),
              HasSubstr(R"({"result":{"content":"two"}})"));
  EXPECT_THAT(call("fs/read_text_file", R"({"path":"/etc/passwd"})"), HasSubstr("Access denied: /etc/passwd"));
  EXPECT_THAT(call("fs/write_text_file", R"({"path":")" + path("n.txt") + R"(","content":"x"})"),
              HasSubstr(R"({"result":{"success":true}})"));
  EXPECT_EQ(test::read_file(path("n.txt")), "x");
  with.file_read_only = true;
  connected(with);
  EXPECT_THAT(call("fs/write_text_file", R"({"path":"n.txt","content":"y"})"), HasSubstr("File system is in read-only mode"));
}

TEST_F(IflowPeer, FilesGoAlongWithAMessage) {
  test::write_file(path("p.png"), "\x89PNG");
  test::write_file(path("s.wav"), "RIFF");
  test::write_file(path("a b.txt"), "text");
  RawClient client(loop, options());
  ASSERT_TRUE(get(client.connect()));
  ASSERT_TRUE(get(client.send_message("with files", {"p.png", "s.wav", "a b.txt", "gone.txt"})));
  while (!std::holds_alternative<TaskFinishMessage>(*get(client.receive_message()))) {}
  EXPECT_EQ(client.protocol_stats().errors, 0U);
  EXPECT_GE(client.raw_history().size(), 5U);
}

TEST_F(IflowPeer, SignInsAndSettingsAreSent) {
  Options with = options();
  with.auth_method_id = "bad";
  Client refused(loop, with);
  EXPECT_EQ(kind_of(get(refused.connect()).error()), ErrorKind::authentication);
  with.auth_method_id = "iflow";
  with.cwd = "/nonexistent";
  Client nowhere(loop, with);
  EXPECT_THAT(get(nowhere.connect()).error().message, HasSubstr("cwd does not exist"));
}

TEST_F(IflowPeer, ASlowOrSilentStartIsAwaited) {
  serve({"--ready-delay", "300", "--ready-repeat", "50", "--auth", "yes"});
  connected();
  EXPECT_THAT(said(turn("x")), "echo: x");
  serve({"--ready-delay", "-1"});
  connected();
  EXPECT_THAT(said(turn("x")), "echo: x");
}

TEST_F(IflowPeer, ARunnerKeepsItsConnectionThroughout) {
  Runner runner(loop, {.options = options()});
  std::vector<std::string> chunks;
  int ends = 0;
  const RunCallbacks callbacks{.on_chunk =
                                   [&](const StreamChunk& chunk) {
                                     chunks.push_back(json::to_text(to_json(chunk)));
                                     if (const auto* asks = std::get_if<chunk::ToolConfirmation>(&chunk))
                                       static_cast<void>(runner.reject_tool_call(asks->request));
                                   },
                               .on_end = [&] { ++ends; }};
  EXPECT_EQ(get(runner.run({.prompt = "hello", .think = true, .cwd = folder()}, callbacks)), "sess-1");
  EXPECT_THAT(chunks, ElementsAre(HasSubstr("echo: === Working Directory ===")));
  chunks.clear();
  get(runner.run({.prompt = "scenario:permission", .model = "glm-5", .cwd = folder()}, callbacks));
  EXPECT_THAT(chunks,
              ElementsAre(HasSubstr("tool_start"), HasSubstr("tool_confirmation"), HasSubstr(R"(\"optionId\":\"cancel\")")));
  get(runner.run({.prompt = "go", .mode = ConversationMode::plan, .cwd = folder()}, callbacks));
  EXPECT_THAT(chunks.back(), R"({"chunkType":"plan_approval","requestId":-1,"plan":""})");
  EXPECT_EQ(ends, 3);
  EXPECT_TRUE(get(runner.check_availability()).available);
  get(runner.dispose());
}

// A program found, started, probed, used and stopped: the agent is in PATH under iFlow's name.
TEST_F(IflowPeer, AProgramIsStartedWithoutAListener) {
  const std::string program = path("iflow.mjs");
  test::write_file(program, "#!/usr/bin/env node\nprocess.env.IFLOW_PEER = '" + iflow_peer_folder() +
                                "';\nawait import('" PARLANCE_SOURCE_DIR "/tests/peers/acp/mock-iflow/server.mjs');\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  driver::ProcessManager processes(loop, {}, [](std::string_view) {},
                                   {.probe_delay = 10ms, .probe_interval = 10ms, .probes = 1'000, .patience = 60s});
  const auto port = static_cast<unsigned short>(std::stoi(url_.substr(url_.rfind(':') + 1)));  // taken: the next free port
  const auto started = get(processes.start({.program = PARLANCE_NODE, .script = program, .port = port}, folder()));
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_TRUE(started->answered);
  url_ = started->url;
  connected();
  EXPECT_THAT(said(turn("x")), "echo: x");
  get(processes.stop());
  EXPECT_EQ(std::get<ErrorMessage>(*get(client_->receive_message())).code, -1);
}

}  // namespace
}  // namespace parlance::iflow

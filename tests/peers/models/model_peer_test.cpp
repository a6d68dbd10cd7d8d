// SPDX-License-Identifier: Apache-2.0
// Our model clients against servers that were written apart from them (README.md), over real sockets.
#include <array>
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/provider/make_model.h"
#include "parlance/model/settings.h"
#include "parlance/process/child_process.h"
#include "tests/support/model.h"

namespace parlance::model {
namespace {

using namespace std::chrono_literals;
using test::Chunks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A running server: its group is killed with this object.
struct Peer {
  std::unique_ptr<ChildProcess> process;
  std::unique_ptr<ByteStream> output;
  std::string url;
};

Task<std::string> first_line(ByteStream& stream) {
  std::string line;
  std::array<char, 512> buffer{};
  while (line.find('\n') == std::string::npos) {
    const auto count = co_await read_some(stream, buffer);
    if (!count || *count == 0) break;
    line.append(buffer.data(), *count);
  }
  co_return line;
}

class ModelPeer : public ::testing::Test {
 protected:
  void start(const std::string& name) {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    auto started = ChildProcess::start(
        loop, {.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/" + name + "/server.mjs", "--port", "0"}});
    ASSERT_TRUE(started) << started.error().message;
    peer.process = *std::move(started);
    peer.output = peer.process->take_stream();
    const std::string ready = loop.block_on(first_line(*peer.output));
    const std::size_t at = ready.find("http://");
    ASSERT_NE(at, std::string::npos) << ready << peer.process->stderr_tail();
    peer.url = ready.substr(at, ready.find_first_of("\"\n", at) - at);
  }
  void open(Kind kind, std::string path = {}) {
    settings.kind = kind;
    settings.url = peer.url + path;
    if (settings.name.empty()) settings.name = "mock";
    settings.limits.attempts = 3;
    settings.limits.retry_first = settings.limits.retry_most = 2ms;
    model = make_model(loop, settings).value();
  }
  Result<Completion> ask() {
    chunks = {};
    return loop.block_on(model->chat(request, chunks));
  }
  Result<Completion> ask(std::string text) {  // a new conversation: the peers read their script from the first line that has one
    request.messages = {{.role = Role::user, .content = std::move(text)}};
    return ask();
  }
  Result<Completion> answer_with(const Completion& completion, std::vector<ToolResult> results) {
    request.messages.push_back(to_message(completion));
    request.messages.push_back({.role = Role::tool, .tool_results = std::move(results)});
    return ask();
  }

  Loop loop;
  Peer peer;
  ModelSettings settings;
  ChatRequest request;
  Chunks chunks;
  std::unique_ptr<Model> model;
};

// ---- mock-model speaks both APIs, so both clients run the same tests ---------------------------------------------------------

class BothApis : public ModelPeer, public ::testing::WithParamInterface<Kind> {
 protected:
  void SetUp() override {
    start("mock-model");
    if (!IsSkipped() && !HasFatalFailure()) open(GetParam());
  }
};

TEST_P(BothApis, TextStreamsInPieces) {
  const auto answer = ask(R"(say:"Hello there, how are you?")");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->content, "Hello there, how are you?");
  EXPECT_EQ(chunks.text, answer->content);
  EXPECT_GT(chunks.count, 3U);
  EXPECT_EQ(answer->stop, StopReason::end_turn);
  EXPECT_GT(answer->usage.input_tokens, 0);
  EXPECT_GT(answer->usage.output_tokens, 0);
  EXPECT_EQ(answer->model, "mock");
}

TEST_P(BothApis, ReasoningIsKeptApart) {
  const auto answer = ask(R"(think:"let me see" say:"done")");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->reasoning, "let me see");
  EXPECT_EQ(answer->content, "done");
}

TEST_P(BothApis, ATurnWithToolsRunsThrough) {
  request.tools = {{"read_file", "Reads.", R"({"type":"object","properties":{"path":{"type":"string"}}})"},
                   {"list", "Lists.", ""}};
  const auto asked = ask(R"(think:"hm" call:read_file {"path":"a b.txt"} call:list {})");
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(asked->stop, StopReason::tool_calls);
  ASSERT_EQ(asked->tool_calls.size(), 2U);
  EXPECT_EQ(asked->tool_calls[0].name, "read_file");
  EXPECT_EQ(json::parse(asked->tool_calls[0].arguments).value().text_or("path", ""), "a b.txt");
  EXPECT_EQ(asked->tool_calls[1].arguments, "{}");
  const auto done = answer_with(*asked, {{asked->tool_calls[0].id, "the file"}, {asked->tool_calls[1].id, "the list"}});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(done->content, StartsWith("Tool said: the "));
}

TEST_P(BothApis, StopReasonsAreReported) {
  EXPECT_EQ(ask(R"(say:"cut" stop:length)")->stop, StopReason::max_tokens);
  if (GetParam() == Kind::anthropic) EXPECT_EQ(ask(R"(say:"no" stop:refusal)")->stop, StopReason::refusal);
}

TEST_P(BothApis, FailuresAreReportedOrRetried) {
  const auto refused = ask("fail:400");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::invalid_request);
  EXPECT_THAT(refused.error().message, HasSubstr("scripted failure 400"));
  EXPECT_TRUE(chunks.waits.empty());
  const auto broken = ask("fail:503");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, Errc::overloaded);
  EXPECT_EQ(chunks.waits.size(), 2U);
  EXPECT_EQ(ask("fail:401").error().code, Errc::denied);
  EXPECT_EQ(ask("fail:404").error().code, Errc::not_found);
}

TEST_P(BothApis, ASlowAnswerIsCancelledInMidStream) {
  request.messages.push_back({.role = Role::user, .content = "lorem:100000 slow:5"});
  std::optional<Result<Completion>> result;
  {
    Scope scope(loop);
    const auto run = [&]() -> Task<void> { result = co_await model->chat(request, chunks); };
    scope.start(run());
    loop.run_until([&] { return chunks.text.size() >= 10 || result; });
    ASSERT_FALSE(result);
  }
  EXPECT_THAT(chunks.text, StartsWith("w0 w1 "));
  EXPECT_TRUE(ask(R"(say:"still there")")) << "the client can go on";
}

INSTANTIATE_TEST_SUITE_P(Model, BothApis, ::testing::Values(Kind::openai, Kind::anthropic),
                         [](const auto& info) { return std::string(to_string(info.param)); });

// ---- mock-anthropic ----------------------------------------------------------------------------------------------------------

class MessagesApi : public ModelPeer {
 protected:
  void SetUp() override {
    start("mock-anthropic");
    if (!IsSkipped() && !HasFatalFailure()) open(Kind::anthropic);
  }
};

TEST_F(MessagesApi, SignedThinkingAndToolResultsGoBack) {
  request.think = Think::on;
  request.tools = {{"Bash", "Runs.", ""}, {"Read", "Reads.", ""}};
  const auto asked =
      ask("@mock tools {\"calls\":[{\"name\":\"Bash\",\"input\":{\"command\":\"ls "
          "\\\"x\\\"\"}},{\"name\":\"Read\",\"input\":{}}]}\n@mock echo");
  ASSERT_TRUE(asked) << asked.error().message;
  ASSERT_EQ(asked->tool_calls.size(), 2U);
  EXPECT_EQ(json::parse(asked->tool_calls[0].arguments).value().text_or("command", ""), "ls \"x\"");
  const auto echoed = answer_with(*asked, {{asked->tool_calls[0].id, "a file"}, {asked->tool_calls[1].id, "rejected: no", true}});
  ASSERT_TRUE(echoed) << echoed.error().message;
  EXPECT_EQ(echoed->content, R"(ECHO [{"is_error":false,"content":"a file"},{"is_error":true,"content":"rejected: no"}])");
}

TEST_F(MessagesApi, ThinkingComesWithItsSignature) {
  const auto answer = ask(R"(@mock think {"thinking":"well","text":"yes"})");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->reasoning, "well");
  EXPECT_EQ(answer->reasoning_state, R"([{"type":"thinking","thinking":"well","signature":"bW9jaw=="}])");
}

TEST_F(MessagesApi, ACutConnectionIsDisconnected) {
  const auto answer = ask(R"(@mock slow {"chunks":50,"delay_ms":20,"cut_after":3})");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::disconnected) << answer.error().message;
  EXPECT_THAT(chunks.text, StartsWith("w0 w"));
  EXPECT_LE(chunks.text.size(), 12U) << "the peer may throw away the piece that it wrote last";
  EXPECT_TRUE(chunks.waits.empty());
}

TEST_F(MessagesApi, AHangingServerIsGivenUpAtTheIdleLimit) {
  settings.limits.idle = 100ms;
  open(Kind::anthropic);
  const auto answer = ask("@mock hang");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::deadline_exceeded) << answer.error().message;
}

TEST_F(MessagesApi, ErrorsKeepTheServersWords) {
  const auto answer = ask(R"(@mock error {"status":529,"type":"overloaded_error","message":"try in an hour"})");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::overloaded);
  EXPECT_THAT(answer.error().message, HasSubstr("try in an hour"));
  EXPECT_TRUE(chunks.waits.empty()) << "it said x-should-retry: false";
  EXPECT_EQ(
      ask(R"(@mock error {"status":400,"type":"invalid_request_error","message":"prompt is too long: 9 tokens"})").error().code,
      Errc::invalid_params);
}

TEST_F(MessagesApi, StopReasonsAndBigAnswers) {
  EXPECT_EQ(ask("@mock refuse {}")->stop, StopReason::refusal);
  EXPECT_EQ(ask("@mock maxtokens {}")->stop, StopReason::max_tokens);
  EXPECT_EQ(ask(R"(@mock big {"bytes":3000000})")->content.size(), 3'000'000U);
}

}  // namespace
}  // namespace parlance::model

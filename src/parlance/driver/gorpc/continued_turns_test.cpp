// SPDX-License-Identifier: Apache-2.0
// Turns across the death of gateway or agent, over a real socket: the final transcript equals that of an undisturbed turn, and no
// call runs twice.
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// First answers "one two three" with the test's calls, then "done". Each word waits for the test.
struct Words {
  explicit Words(Loop& loop) : go(loop) {}
  std::vector<model::Chunk> first{};  // before the text
  std::vector<std::string> words{"one ", "two ", "three"};
  std::vector<model::ToolCall> calls{};
  std::size_t allowed = 0;  // number of released words
  std::vector<model::ChatRequest> asked{};
  Signal go;
};

class WordsModel final : public model::Model {
 public:
  explicit WordsModel(Words& script) : script_(script) {}
  Task<Result<model::Completion>> chat(model::ChatRequest request, model::ChunkSink& chunks) override {
    const bool again = request.messages.back().role == model::Role::tool;
    script_.asked.push_back(std::move(request));
    model::Completion completion{.content = again ? "done" : "", .usage = {.input_tokens = 3, .output_tokens = 4}};
    if (again) co_return completion;
    PARLANCE_CO_TRY_DO(chunks.on_chunk(model::ReasoningDelta{"hm"}));
    completion.reasoning = "hm";
    for (const model::Chunk& chunk : script_.first) PARLANCE_CO_TRY_DO(chunks.on_chunk(chunk));
    for (std::size_t i = 0; i < script_.words.size(); ++i) {
      while (script_.allowed <= i) co_await script_.go.wait();
      completion.content += script_.words[i];
      PARLANCE_CO_TRY_DO(chunks.on_chunk(model::TextDelta{script_.words[i]}));
    }
    completion.tool_calls = script_.calls;
    co_return completion;
  }
  std::string_view name() const override { return "words"; }

 private:
  Words& script_;
};

// A read-only tool and a writing tool; each counts its runs, and waits for the test.
struct CountingTools final : hub::Tools {
  explicit CountingTools(Loop& loop) : go(loop) {}
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall& call) override {
    const bool looks = call.tool == "look";
    co_return hub::ToolIntent{.kind = looks ? hub::ToolKind::read : hub::ToolKind::other,
                              .title = call.tool,
                              .path = looks ? std::optional<std::string>("/project/a") : std::nullopt,
                              .real_path = looks ? std::optional<std::string>("/project/a") : std::nullopt,
                              .path_inside = true};
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall& call, hub::ToolHost) override {
    ran.push_back(call.id);
    while (held) co_await go.wait();
    co_return hub::ToolOutcome{.text = "ran " + call.id};
  }
  bool held = false;
  std::vector<std::string> ran;
  Signal go;
};

class TurnsGoOn : public ::testing::Test {
 protected:
  TurnsGoOn() : folder_((std::filesystem::temp_directory_path() / "parlance-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for the test");
    start_agent();
    start_gateway();
    id = loop.block_on(hub->create({.agent = "parlance", .folder = "/project", .mode = hub::Mode::yolo}))->id;
  }
  ~TurnsGoOn() override {
    kill_gateway();
    kill_agent();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  void start_agent() {
    agent.emplace(loop, std::make_unique<WordsModel>(script), nullptr);
    streams.emplace(loop);
    router.emplace();
    server::serve_agent(*router, {.loop = loop, .agent = &*agent, .streams = *streams});
    server.emplace(loop, *router);
    auto made = listen_unix(loop, folder_ + "/agent.sock",
                            [this](std::unique_ptr<ByteStream> stream) { server->serve(std::move(stream)); });
    if (!made) throw std::runtime_error(made.error().message);
    listener = *std::move(made);
  }
  void kill_agent() {
    listener.reset();
    server.reset();
    router.reset();
    streams.reset();
    agent.reset();
  }
  void start_gateway() {
    link.emplace(loop, folder_ + "/agent.sock");
    hub.emplace(loop, store);
    hub->add_agent(agent_via_gorpc(loop, *link, tools, {.continues_turns = true}));
    if (!loop.block_on(hub->start())) throw std::runtime_error("no hub");
  }
  // Like SIGKILL: the agent only sees a closed connection.
  void kill_gateway() {
    if (!hub) return;
    link->detach_chats();
    hub.reset();
    link.reset();
  }
  void prompt(std::string text = "go") { ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = std::move(text)}))); }
  void allow(std::size_t words) {
    script.allowed = words;
    script.go.notify_all();
  }
  void until(const std::function<bool()>& so) {
    loop.run_until(so);
    ASSERT_TRUE(so());
  }
  void until_transcript_has(std::string_view text) {
    until([&] { return transcript().find(text) != std::string::npos; });
  }
  void until_idle() {
    until([&] { return hub->find(id)->state == hub::ConversationState::idle; });
  }
  // The transcript as a person reads it, independent of the sizes of pieces.
  std::string transcript() const {
    std::string all;
    const auto log = store.logs.find(id);
    if (log == store.logs.end()) return all;
    for (const hub::Event& event : log->second) {
      if (const auto* text = std::get_if<hub::event::Text>(&event.body)) all += text->text;
      else if (const auto* thought = std::get_if<hub::event::ThinkingContent>(&event.body)) all += "<" + thought->text + ">";
      else if (const auto* start = std::get_if<hub::event::ToolStart>(&event.body)) all += "[" + start->call;
      else if (const auto* output = std::get_if<hub::event::ToolOutput>(&event.body)) all += ":" + output->text;
      else if (const auto* end = std::get_if<hub::event::ToolEnd>(&event.body))
        all += end->state == hub::ToolEndState::done ? "]" : "!]";
      else if (std::get_if<hub::event::Usage>(&event.body) != nullptr) all += "#";
      else if (const auto* notice = std::get_if<hub::event::Notice>(&event.body)) all += "(" + notice->detail + ")";
      else if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) all += "{" + failure->code + "}";
      else if (const auto* over = std::get_if<hub::event::TurnEnd>(&event.body))
        all += over->stop_reason == hub::StopReason::end_turn ? "." : "?";
    }
    return all;
  }

  std::string folder_;
  Loop loop;
  Words script{loop};
  std::optional<agent::ChatAgent> agent;
  std::optional<server::ChatStreams> streams;
  std::optional<Router> router;
  std::optional<gorpc::Server> server;
  std::unique_ptr<Listener> listener;
  CountingTools tools{loop};
  hub::test::MemoryStore store{loop};
  std::optional<AgentLink> link;
  std::optional<hub::Hub> hub;
  std::string id;
};

TEST_F(TurnsGoOn, TheConversationReportsRetriesAndSilenceOfTheModel) {
  const std::vector<std::pair<model::Chunk, std::string>> holds{
      {model::Retrying{.attempt = 2, .wait = 6'500ms, .reason = "busy", .attempts = 5}, "model.retry 7 2 5"},
      {model::Silence{15s}, "model.silent 15"}};
  for (const auto& [chunk, reason] : holds) {
    script.first = {chunk};
    allow(0);
    prompt();
    until([&] { return hub->find(id)->waits_for == reason; });
    allow(1);
    until([&] { return !hub->find(id)->waits_for; });
    allow(3);
    until_idle();
  }
}

TEST_F(TurnsGoOn, AnswerInProgressContinuesWithoutItsGateway) {
  prompt();
  allow(1);
  until_transcript_has("one");
  kill_gateway();
  allow(3);
  loop.run_for(20ms);
  EXPECT_EQ(transcript(), "<hm>one ") << "no text arrives meanwhile";
  start_gateway();
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one two three#.");
  EXPECT_EQ(script.asked.size(), 1U) << "the model was asked once";
}

TEST_F(TurnsGoOn, AnswerFinishedWithoutAGatewayIsKept) {
  script.calls = {{.id = "c1", .name = "do", .arguments = "{}"}, {.id = "c2", .name = "look", .arguments = "{}"}};
  prompt();
  kill_gateway();
  allow(3);
  loop.run_for(20ms);
  start_gateway();
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one two three#[c1[c2:ran c1]:ran c2]done#.");
  EXPECT_THAT(tools.ran, ElementsAre("c1", "c2"));
}

TEST_F(TurnsGoOn, FinishedCallIsNotRepeatedButLaterCallsRun) {
  script.calls = {{.id = "c1", .name = "do", .arguments = "{}"}, {.id = "c2", .name = "do", .arguments = "{}"}};
  tools.held = true;
  prompt();
  allow(3);
  until([&] { return tools.ran.size() == 1; });
  kill_gateway();
  tools.held = false;
  start_gateway();
  until_idle();
  EXPECT_THAT(tools.ran, ElementsAre("c1", "c2")) << "each once";
  EXPECT_THAT(transcript(), HasSubstr("[c1[c2:parlance restarted during this call"));
  EXPECT_THAT(transcript(), testing::EndsWith("!]:ran c2]done#."));
  const auto& results = script.asked.back().messages.back().tool_results;
  ASSERT_EQ(results.size(), 2U);
  EXPECT_THAT(results[0].content, HasSubstr("its effect is unknown"));
  EXPECT_TRUE(results[0].failed);
}

TEST_F(TurnsGoOn, ReadOnlyCallIsRepeated) {
  script.calls = {{.id = "c1", .name = "look", .arguments = "{}"}};
  tools.held = true;
  prompt();
  allow(3);
  until([&] { return tools.ran.size() == 1; });
  kill_gateway();
  tools.held = false;
  start_gateway();
  until_idle();
  EXPECT_THAT(tools.ran, ElementsAre("c1", "c1"));
  EXPECT_EQ(transcript(), "<hm>one two three#[c1:ran c1]done#.");
}

TEST_F(TurnsGoOn, CallRunsAfterTheApprovalOfAPerson) {
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::ChangeSettings{{.mode = hub::Mode::default_}})));
  script.calls = {{.id = "c1", .name = "do", .arguments = "{}"}};
  allow(3);
  prompt();
  until([&] { return open_asks(*hub).size() == 1; });
  const hub::Ask ask = open_asks(*hub).front();
  kill_gateway();
  start_gateway();
  ASSERT_EQ(open_asks(*hub).size(), 1U);
  EXPECT_EQ(open_asks(*hub).front().digest, ask.digest);
  const auto answered = loop.block_on(
      hub->submit(ask.conversation,
                  hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = ask.options.front().id}}));
  ASSERT_TRUE(answered) << answered.error().message;
  until_idle();
  EXPECT_THAT(tools.ran, ElementsAre("c1"));
  EXPECT_EQ(transcript(), "<hm>one two three#[c1:ran c1]done#.");
}

TEST_F(TurnsGoOn, RestartedAgentPublishesEachPieceOnce) {
  prompt();
  allow(2);
  until_transcript_has("two");
  kill_agent();
  loop.run_for(10ms);
  start_agent();
  allow(3);
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one two three#.");
  ASSERT_EQ(script.asked.size(), 2U);
  EXPECT_EQ(script.asked[1].messages.size(), script.asked[0].messages.size()) << "what it said is no part of the question";
}

TEST_F(TurnsGoOn, DifferentAnswerAfterARestartIsPublishedAsAWhole) {
  prompt();
  allow(2);
  until_transcript_has("two");
  kill_agent();
  script.words = {"one ", "four"};
  loop.run_for(10ms);
  start_agent();
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one two {answers_anew}<hm>one four#.");
}

TEST_F(TurnsGoOn, BothMayDie) {
  script.calls = {{.id = "c1", .name = "do", .arguments = "{}"}};
  prompt();
  allow(1);
  until_transcript_has("one");
  kill_gateway();
  kill_agent();
  start_gateway();
  loop.run_for(10ms);
  start_agent();
  allow(2);
  until_transcript_has("two");
  kill_agent();
  kill_gateway();
  start_agent();
  start_gateway();
  allow(3);
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one two three#[c1:ran c1]done#.");
}

TEST_F(TurnsGoOn, RetriesOfACrashingAnswerAreLimited) {
  prompt();
  allow(1);
  for (int death = 0; death < 4; ++death) {
    until([&] { return agent->running() == 1; });
    kill_agent();
    loop.run_for(10ms);
    start_agent();
  }
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one {disconnected}?");
  EXPECT_EQ(script.asked.size(), 4U);
}

TEST_F(TurnsGoOn, StopEndsTurnAndModel) {
  prompt();
  allow(1);
  until_transcript_has("one");
  kill_gateway();
  start_gateway();
  until([&] { return link->state() == AgentLink::State::ready; });
  loop.run_for(10ms);
  EXPECT_EQ(agent->running(), 1U);
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle();
  until([&] { return agent->running() == 0; });
  EXPECT_EQ(transcript(), "<hm>one ?");
}

TEST_F(TurnsGoOn, AGracefulEndLeavesTheModelAtWork) {
  prompt();
  allow(1);
  until_transcript_has("one");
  loop.block_on(hub->stop_all());
  hub.reset();
  link.reset();
  loop.run_for(10ms);
  EXPECT_EQ(agent->running(), 1U);
  allow(3);
  start_gateway();
  until_idle();
  EXPECT_EQ(transcript(), "<hm>one two three#.");
}

// Another program with Chat alone may have side effects in Chat.
TEST_F(TurnsGoOn, AgentWithoutKeptChatsIsNotRetried) {
  kill_agent();
  router.emplace();
  Signal never(loop);
  int chats = 0;
  gorpc::serve_method(*router, gorpc::chat, [&](gorpc::ChatArgs, Context&) -> Task<Result<gorpc::ChatReply>> {
    ++chats;
    co_await never.wait();
    co_return gorpc::ChatReply{};
  });
  gorpc::explain_unknown_methods(*router);
  server.emplace(loop, *router);
  auto made = listen_unix(loop, folder_ + "/agent.sock",
                          [this](std::unique_ptr<ByteStream> stream) { server->serve(std::move(stream)); });
  ASSERT_TRUE(made);
  listener = *std::move(made);
  prompt();
  until([&] { return chats == 1; });
  kill_gateway();
  start_gateway();
  until_idle();
  EXPECT_EQ(chats, 1);
  EXPECT_EQ(transcript(), "{interrupted}?");
  kill_gateway();
  kill_agent();
}

}  // namespace
}  // namespace parlance::driver

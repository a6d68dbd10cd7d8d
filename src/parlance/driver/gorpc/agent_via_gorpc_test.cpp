// SPDX-License-Identifier: Apache-2.0
// Our agent as one of the hub, over a real socket: what of a prompt reaches its model, and what the person is told.
#include "parlance/driver/gorpc/agent_via_gorpc.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/agent/limits.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/test_support.h"
#include "parlance/protocol/gorpc/server.h"
#include "parlance/server/agent/agent_over_gorpc.h"
#include "parlance/transport/sockets.h"

namespace parlance::driver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SeeingModel final : public model::Model {
 public:
  Task<Result<model::Completion>> chat(model::ChatRequest request, model::ChunkSink&) override {
    asked.push_back(std::move(request));
    model::Completion completion{.content = "done"};
    if (!script.empty()) {
      completion = script.front();
      script.erase(script.begin());
    } else if (calls-- > 0) completion = {.tool_calls = {{.id = "c" + std::to_string(calls), .name = "none", .arguments = "{}"}}};
    co_return completion;
  }
  std::string_view name() const override { return "seeing"; }
  bool shows(const model::Attachment& one) const override { return one.media_type == shown; }
  std::string shown = "image/png";
  int calls = 0;
  std::vector<model::Completion> script;  // its first answers
  std::vector<model::ChatRequest> asked;
};

struct NoTools final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {}; }
  Task<Result<hub::ToolIntent>> intent(const hub::Conversation&, const hub::ToolCall&) override {
    if (samples) co_return hub::ToolIntent{.kind = hub::ToolKind::other, .title = "asks"};
    if (looks) co_return hub::ToolIntent{.kind = hub::ToolKind::read, .title = "looks", .placeless = true};
    co_return fail(Errc::not_found, "no such tool");
  }
  Task<hub::ToolOutcome> call(const hub::Conversation&, const hub::ToolCall& call, hub::ToolHost host) override {
    ran.push_back(call.tool);
    if (!host.sample) co_return hub::ToolOutcome{};
    host.progress("half");
    const auto said = co_await host.sample({.messages = {{.text = "2 + 2?"}}, .system = "Be brief.", .max_tokens = 7});
    co_return hub::ToolOutcome{.text = said ? said->text : said.error().message};
  }
  bool samples = false;  // its tool asks the model something
  bool looks = false;    // its tools need no leave
  std::vector<std::string> ran;
};

// Answers when it is told to.
class WaitingModel final : public model::Model {
 public:
  explicit WaitingModel(Loop& loop) : go(loop) {}
  Task<Result<model::Completion>> chat(model::ChatRequest, model::ChunkSink&) override {
    most = std::max(most, ++running);
    while (held) co_await go.wait();
    --running;
    co_return model::Completion{.content = "done"};
  }
  std::string_view name() const override { return "waiting"; }
  bool shows(const model::Attachment&) const override { return false; }
  bool held = true;
  std::size_t running = 0;
  std::size_t most = 0;
  Signal go;
};

class AgentViaGorpc : public ::testing::Test {
 protected:
  AgentViaGorpc() : folder_((std::filesystem::temp_directory_path() / "parlance-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no folder for the test");
    auto made = std::make_unique<SeeingModel>();
    model = made.get();
    agent.emplace(loop, std::move(made), nullptr);
  }
  ~AgentViaGorpc() override {
    hub.reset();
    link.reset();
    listener.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  // `knows`: the agent is ours; otherwise one that knows Chat alone.
  void serve(bool knows) {
    if (knows) {
      server::serve_agent(router, {.loop = loop, .agent = &*agent, .streams = streams});
    } else {
      gorpc::serve_method(router, gorpc::chat, [this](gorpc::ChatArgs args, Context&) -> Result<gorpc::ChatReply> {
        old_asked.push_back(std::move(args));
        return old_answer;
      });
      gorpc::explain_unknown_methods(router);
    }
    const std::string address = folder_ + "/agent.sock";
    auto listening = listen_unix(loop, address, [this](std::unique_ptr<ByteStream> stream) { server.serve(std::move(stream)); });
    ASSERT_TRUE(listening) << listening.error().message;
    listener = *std::move(listening);
    link.emplace(loop, address, [this](AgentLink::State, const std::string&) { ++changes; });
    hub.emplace(loop, store, hub::HubSettings{.editor = [this](const hub::Conversation&) { return editor.get(); }});
    hub->add_agent(agent_via_gorpc(loop, *link, tools, {}));
    ASSERT_TRUE(loop.block_on(hub->start()));
    const auto made = loop.block_on(hub->create({.agent = "parlance", .folder = "/project"}));
    ASSERT_TRUE(made);
    id = made->id;
  }
  void prompt(std::string text, hub::PromptOptions options = {}, std::vector<hub::Attachment> attachments = {}) {
    ASSERT_TRUE(loop.block_on(hub->prompt(id, std::move(text), std::move(options), std::move(attachments))));
    const TimePoint limit = Clock::now() + std::chrono::seconds(100);
    while (hub->find(id)->state != hub::ConversationState::idle && Clock::now() < limit)
      loop.run_for(std::chrono::milliseconds(1));
    ASSERT_EQ(hub->find(id)->state, hub::ConversationState::idle);
  }
  std::vector<hub::event::Failure> failures() {
    std::vector<hub::event::Failure> found;
    for (const hub::Event& event : store.logs[id])
      if (const auto* one = std::get_if<hub::event::Failure>(&event.body)) found.push_back(*one);
    return found;
  }

  std::string folder_;
  Loop loop;
  SeeingModel* model = nullptr;
  std::optional<agent::ChatAgent> agent;
  server::ChatStreams streams{loop};
  Router router;
  gorpc::Server server{loop, router};
  std::unique_ptr<Listener> listener;
  std::vector<gorpc::ChatArgs> old_asked;
  gorpc::ChatReply old_answer{.content = "done"};
  NoTools tools;
  hub::test::MemoryStore store{loop};
  std::optional<AgentLink> link;
  std::unique_ptr<hub::Editor> editor;
  int changes = 0;  // of the link, told
  std::optional<hub::Hub> hub;
  std::string id;
};

const hub::Attachment picture{.about = {.media_type = "image/png", .name = "a.png"}, .data = std::string("\x89PNG\0", 5)};

TEST_F(AgentViaGorpc, SystemPromptsReachTheModel) {
  serve(true);
  prompt("one");
  ASSERT_EQ(model->asked.at(0).messages.size(), 3U);
  EXPECT_EQ(model->asked[0].messages[0].content, agent::default_instructions());
  EXPECT_EQ(model->asked[0].messages[1].content, "Working folder: /project");

  prompt("two", {.system = "You are a pirate.", .append_system = "Say arr."});
  const std::vector<model::Message>& sent = model->asked.at(1).messages;
  EXPECT_EQ(sent.at(0).content, "You are a pirate.");
  EXPECT_EQ(sent.at(1).content, "Working folder: /project");
  EXPECT_EQ(sent.at(2).content, "Say arr.");
  EXPECT_EQ(sent.at(3).role, model::Role::user);

  prompt("three", {.system = ""});
  EXPECT_EQ(model->asked.at(2).messages.at(0).content, agent::default_instructions()) << "an empty one asks for nothing";
}

TEST_F(AgentViaGorpc, AConversationWithAnEditorHasItsTools) {
  editor = hub::mock_editor();
  serve(true);
  prompt("one");
  const auto offered = [&](std::string_view name) {
    return std::ranges::any_of(model->asked.at(0).tools, [&](const auto& tool) { return tool.name == name; });
  };
  EXPECT_TRUE(offered("editor_selection"));
  EXPECT_TRUE(offered("editor_propose_change"));
}

TEST_F(AgentViaGorpc, AToolMayAskTheModelOutsideTheConversation) {
  serve(true);
  tools.samples = true;
  model->calls = 1;
  ASSERT_TRUE(loop.block_on(hub->set(id, {.mode = hub::Mode::yolo})));
  prompt("secret plans");
  ASSERT_EQ(model->asked.size(), 3U) << "the prompt, the tool's question, the prompt with the result";
  const model::ChatRequest& asked = model->asked[1];
  ASSERT_EQ(asked.messages.size(), 2U) << "nothing of the conversation, no instructions of ours";
  EXPECT_EQ(asked.messages[0].content, "Be brief.");
  EXPECT_EQ(asked.messages[1].content, "2 + 2?");
  EXPECT_EQ(asked.max_tokens, 7);
  EXPECT_TRUE(asked.tools.empty());
  std::string output;
  std::string progress;
  for (const hub::Event& event : store.logs[id])
    if (const auto* piece = std::get_if<hub::event::ToolOutput>(&event.body))
      (piece->progress.value_or(false) ? progress : output) += piece->text;
  EXPECT_EQ(output, "done") << "what the model said";
  EXPECT_EQ(progress, "half\n");
}

TEST_F(AgentViaGorpc, PicturesReachAModelThatSeesThemAlsoLaterInTheConversation) {
  serve(true);
  prompt("what is it?", {}, {picture});
  prompt("sure?");
  for (const model::ChatRequest& request : model->asked) {
    const model::Message& said = request.messages.at(2);
    ASSERT_EQ(said.attachments.size(), 1U);
    EXPECT_EQ(said.attachments[0].data, picture.data);
    EXPECT_EQ(said.attachments[0].name, "a.png");
    EXPECT_EQ(said.content, "what is it?");
  }
  EXPECT_TRUE(failures().empty());
}

// A database that was mended by hand, or copied without its largest table: the events name what is no longer there.
TEST_F(AgentViaGorpc, AnAttachmentWhoseRowIsGoneIsToldInWordsAndTheConversationGoesOn) {
  serve(true);
  prompt("what is it?", {}, {picture});
  ASSERT_EQ(store.attachments.size(), 1U);
  store.attachments.clear();
  prompt("sure?");
  ASSERT_EQ(model->asked.size(), 2U);
  const model::Message& said = model->asked[1].messages.at(2);
  EXPECT_TRUE(said.attachments.empty());
  EXPECT_THAT(said.content, HasSubstr("what is it?"));
  EXPECT_THAT(said.content, HasSubstr("an image (a.png, image/png, 5 bytes), which cannot be shown to you"));
  EXPECT_TRUE(failures().empty());
}

TEST_F(AgentViaGorpc, AModelThatCannotSeeAndThePersonAreTold) {
  model->shown = "";
  serve(true);
  prompt("what is it?", {}, {picture});
  EXPECT_THAT(model->asked.at(0).messages.back().content,
              HasSubstr("an image (a.png, image/png, 5 bytes), which cannot be shown to you"));
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "not_shown");
  prompt("sure?");
  EXPECT_EQ(failures().size(), 1U) << "once";
}

TEST_F(AgentViaGorpc, AnAgentThatKnowsNoAttachmentsIsToldInWords) {
  serve(false);
  prompt("what is it?", {}, {picture});
  ASSERT_EQ(old_asked.size(), 1U);
  EXPECT_THAT(old_asked[0].messages.back().content, HasSubstr("which cannot be shown to you"));
  EXPECT_TRUE(old_asked[0].messages.back().attachments.empty());
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "not_shown");
}

// What it can be shown is known before anybody attaches something, and again when a server turned out to refuse it.
TEST_F(AgentViaGorpc, TellsWhatItCanBeShown) {
  const auto shown = [&]() -> std::string {
    const auto kinds = hub->snapshot().agents.at(0).media_types;
    return !kinds ? "unknown" : kinds->empty() ? "nothing" : kinds->front();
  };
  serve(true);
  EXPECT_EQ(shown(), "unknown");
  link->keep_connected();
  const auto told = [&](int times) {
    while (changes < times) loop.run_for(std::chrono::milliseconds(1));
  };
  told(3);  // connecting, ready, and then what it can do
  EXPECT_EQ(shown(), "image/png");
  model->shown = "";
  prompt("what is it?", {}, {picture});
  told(4);
  EXPECT_EQ(shown(), "nothing");
}

TEST_F(AgentViaGorpc, TheOldestAttachmentsAreLeftOutWhereAllWouldBeTooMuch) {
  serve(true);
  const hub::Attachment large{.about = {.media_type = "image/png"},
                              .data = std::string(limits::prompt_attachment_bytes / 2 + 1, 'x')};
  prompt("one", {}, {large});
  prompt("two", {}, {large});
  const std::vector<model::Message>& sent = model->asked.at(1).messages;
  EXPECT_TRUE(sent.at(2).attachments.empty());
  EXPECT_THAT(sent.at(2).content, HasSubstr("which cannot be shown to you"));
  EXPECT_EQ(sent.back().attachments.size(), 1U);
}

model::Completion cut_answer(std::string id) {
  return {.cut_calls = {{.id = std::move(id), .name = "write", .arguments = R"({"content":"WRIT"})"}},
          .stop = model::StopReason::max_tokens};
}

TEST_F(AgentViaGorpc, CutCallsDoNotRunAndTheModelIsTold) {
  tools.looks = true;
  model->script = {cut_answer("c1")};
  serve(true);
  prompt("write it");
  EXPECT_TRUE(tools.ran.empty());
  ASSERT_EQ(model->asked.size(), 2U) << "it is asked again";
  const model::Message& told = model->asked[1].messages.back();
  ASSERT_EQ(told.tool_results.size(), 1U);
  EXPECT_TRUE(told.tool_results[0].failed);
  EXPECT_THAT(told.tool_results[0].content, HasSubstr("Nothing was done. Send it again in smaller parts."));
  EXPECT_TRUE(failures().empty());
}

TEST_F(AgentViaGorpc, AModelThatIsCutAgainAndAgainEndsTheTurn) {
  tools.looks = true;
  model->script = {cut_answer("c1"), cut_answer("c1"), cut_answer("c1"), cut_answer("c1")};
  serve(true);
  prompt("write it");
  EXPECT_TRUE(tools.ran.empty());
  EXPECT_EQ(model->asked.size(), 3U);
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "cut");
  EXPECT_TRUE(failures()[0].retryable);
}

TEST_F(AgentViaGorpc, AnAgentThatHandsOverCallsOfACutOrRefusedAnswerRunsNone) {
  tools.looks = true;
  serve(false);
  for (const std::string stop : {"refusal", "error", "max_tokens"}) {
    old_answer = {.tools = {{.id = "c", .function = {.name = "write", .arguments = "{}"}}}, .stop = stop};
    prompt("go");
    EXPECT_TRUE(tools.ran.empty()) << stop;
  }
}

TEST_F(AgentViaGorpc, CallsThatShareAnIdAreToldApart) {
  tools.looks = true;
  model::Completion both{
      .tool_calls = {{.id = "same", .name = "one", .arguments = "{}"}, {.id = "same", .name = "two", .arguments = "{}"}},
      .stop = model::StopReason::tool_calls};
  const model::Completion sampled{.content = "4"};  // each tool asks the model something
  model->script = {both, sampled, sampled, both};
  serve(true);
  prompt("go");
  EXPECT_EQ(tools.ran, (std::vector<std::string>{"one", "two", "one", "two"}));
  std::vector<std::string> ids;
  for (const hub::Event& event : store.logs[id])
    if (const auto* start = std::get_if<hub::event::ToolStart>(&event.body)) ids.push_back(start->call);
  std::ranges::sort(ids);
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

TEST_F(AgentViaGorpc, AnAnswerOfNothingIsAFailureThatCanBeRetried) {
  model->script = {{.stop = model::StopReason::error, .problem = "The model answered nothing."}};
  serve(true);
  prompt("go");
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].message, "The model answered nothing.");
  EXPECT_TRUE(failures()[0].retryable);
}

TEST_F(AgentViaGorpc, ALimitOfRoundsEndsTheTurn) {
  serve(true);
  model->calls = 5;
  prompt("go on", {.most_rounds = 2});
  EXPECT_EQ(model->asked.size(), 2U);
  ASSERT_EQ(failures().size(), 1U);
  EXPECT_EQ(failures()[0].code, "max_turns");
  const auto* end = std::get_if<hub::event::TurnEnd>(&store.logs[id].back().body);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(end->stop_reason, hub::StopReason::max_turns);
}

TEST_F(AgentViaGorpc, TwoHundredPromptsAtOnceWaitForAPlaceAndAllAreAnswered) {
  auto made = std::make_unique<WaitingModel>(loop);
  WaitingModel& waiting = *made;
  agent.emplace(loop, std::move(made), nullptr);
  serve(true);
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) {
    all.push_back(loop.block_on(hub->create({.agent = "parlance", .folder = "/project"}))->id);
    ASSERT_TRUE(loop.block_on(hub->prompt(all.back(), "hello")));
  }
  const auto until = [&](const std::function<bool()>& so) {
    const TimePoint limit = Clock::now() + std::chrono::seconds(100);
    while (!so() && Clock::now() < limit) loop.run_for(std::chrono::milliseconds(1));
    return so();
  };
  ASSERT_TRUE(
      until([&] { return waiting.running == limits::running_chats && link->places().waiting() == 200 - limits::running_chats; }));
  EXPECT_FALSE(hub->find(all.front())->waits_for);
  EXPECT_THAT(hub->find(all.back())->waits_for.value_or(""), HasSubstr("before it: 135"));
  ASSERT_TRUE(hub->stop(all.back()));
  ASSERT_TRUE(until([&] { return hub->find(all.back())->state == hub::ConversationState::idle; }))
      << "one that waits can be stopped";
  EXPECT_FALSE(hub->find(all.back())->waits_for);
  waiting.held = false;
  waiting.go.notify_all();
  ASSERT_TRUE(until([&] { return hub->statistics().running_turns == 0; }));
  EXPECT_EQ(waiting.most, limits::running_chats);
  for (const std::string& one : all) {
    const auto& end = std::get<hub::event::TurnEnd>(store.logs[one].back().body);
    EXPECT_EQ(end.stop_reason, one == all.back() ? hub::StopReason::cancelled : hub::StopReason::end_turn);
  }
}

}  // namespace
}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
#include "parlance/agent/agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/model/provider/make_model.h"
#include "parlance/model/settings.h"

namespace parlance::agent {
namespace {

using namespace std::chrono_literals;
using model::ChatRequest;
using model::Completion;
using model::Message;
using model::Role;
using ::testing::HasSubstr;

// Answers with a text of the test, after a delay of the test, and records requests.
class FakeModel final : public model::Model {
 public:
  explicit FakeModel(Loop& loop) : loop_(loop) {}
  Task<Result<Completion>> chat(ChatRequest request, model::ChunkSink& chunks) override {
    asked.push_back(std::move(request));
    if (delay > 0s) co_await sleep_for(loop_, delay);
    PARLANCE_CO_TRY_DO(chunks.on_chunk(model::TextDelta{"piece"}));
    co_return answer;
  }
  std::string_view name() const override { return "fake"; }
  bool shows(const model::Attachment& attachment, std::string_view) const override { return attachment.media_type == shown; }
  std::string shown;
  std::vector<ChatRequest> asked;
  Result<Completion> answer = Completion{.content = "Hello"};
  Duration delay{0};

 private:
  Loop& loop_;
};

class ChatAgentTest : public ::testing::Test {
 protected:
  explicit ChatAgentTest(AgentSettings settings = {.running_chats = 2}) {
    auto made = std::make_unique<FakeModel>(loop);
    model = made.get();
    agent = std::make_unique<ChatAgent>(loop, std::move(made), nullptr, std::move(settings));
  }
  Result<ChatOutcome> chat(std::vector<Message> messages) {
    return loop.block_on(agent->chat({.messages = std::move(messages)}, chunks));
  }

  Loop loop{Loop::Time::virtual_};
  model::NoChunks chunks;
  FakeModel* model = nullptr;
  std::unique_ptr<ChatAgent> agent;
};

Message user(std::string text) { return {.role = Role::user, .content = std::move(text)}; }

TEST_F(ChatAgentTest, TheModelSeesOurInstructionsThenTheHostsMessages) {
  const auto outcome = chat({{.role = Role::system, .content = "The folder is /x."}, user("hi")});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->completion.content, "Hello");
  const std::vector<Message>& sent = model->asked.at(0).messages;
  ASSERT_EQ(sent.size(), 3U);
  EXPECT_EQ(sent[0].content, default_instructions());
  EXPECT_EQ(sent[1].content, "The folder is /x.");
  EXPECT_EQ(sent[2], user("hi"));
}

TEST_F(ChatAgentTest, ARequestWithoutAMessageToAnswerIsRefusedAndNamed) {
  const auto error = [&](std::vector<Message> messages) { return chat(std::move(messages)).error(); };
  EXPECT_EQ(error({}).code, Errc::invalid_params);
  EXPECT_THAT(error({user("hi"), {.role = Role::system, .content = "x"}}).message, HasSubstr("message 2"));
  EXPECT_THAT(error({user("")}).message, HasSubstr("empty"));
  EXPECT_THAT(error({{.role = Role::user, .content = "x", .tool_calls = {{"a", "f", "{}"}}}}).message, HasSubstr("user"));
  EXPECT_THAT(error({user("x"), {.role = Role::assistant, .tool_calls = {{"a", "", "{}"}}}, user("y")}).message,
              HasSubstr("message 2: a tool call has no name"));
  EXPECT_TRUE(model->asked.empty());
  EXPECT_EQ(agent->stats().messages, 0U);
}

TEST_F(ChatAgentTest, ResultsWithoutCallsAreTolerated) {
  EXPECT_TRUE(chat({user("hi"), {.role = Role::tool, .tool_results = {{"ghost", "boo"}}}}));
}

TEST_F(ChatAgentTest, TheModelsErrorIsTheAnswer) {
  model->answer = fail(Errc::denied, "no key");
  EXPECT_EQ(chat({user("hi")}).error(), (Error{Errc::denied, "no key"}));
  EXPECT_EQ(agent->running(), 0U);
}

TEST_F(ChatAgentTest, StatsCountNewMessagesOnly) {
  model->answer = Completion{.tool_calls = {{"a", "f", "{}"}, {"b", "f", "{}"}}, .stop = model::StopReason::tool_calls};
  std::vector<Message> history{{.role = Role::system, .content = "rules"}, user("hi")};
  ASSERT_TRUE(chat(history));
  history.push_back(to_message(*model->answer));
  history.push_back({.role = Role::tool, .tool_results = {{"a", "1"}, {"b", "2"}}});
  model->answer = Completion{.content = "done"};
  ASSERT_TRUE(chat(history));
  history.push_back(to_message(*model->answer));
  history.push_back(user("more"));
  ASSERT_TRUE(chat(history));
  ASSERT_TRUE(chat({user("another")}));
  EXPECT_EQ(agent->stats().sessions, 2U);
  EXPECT_EQ(agent->stats().tool_calls, 2U);
  EXPECT_EQ(agent->stats().messages, 8U);  // hi, calls, results, done, more, done, another, done
}

TEST_F(ChatAgentTest, TheKeeperOfTheCountsReceivesEach) {
  ChatStats kept;
  auto counted = std::make_unique<FakeModel>(loop);
  counted->answer = Completion{.tool_calls = {{"a", "f", "{}"}}, .stop = model::StopReason::tool_calls};
  agent = std::make_unique<ChatAgent>(loop, std::move(counted), nullptr, AgentSettings{.counted = [&](const ChatStats& more) {
                                        kept.sessions += more.sessions;
                                        kept.messages += more.messages;
                                        kept.tool_calls += more.tool_calls;
                                      }});
  ASSERT_TRUE(chat({user("hi")}));
  EXPECT_EQ(kept.sessions, 1U);
  EXPECT_EQ(kept.messages, 2U);
  EXPECT_EQ(kept.tool_calls, 1U);
}

TEST_F(ChatAgentTest, MoreChatsThanAllowedAreTurnedAway) {
  model->delay = 10s;
  Scope scope(loop);
  std::vector<Result<ChatOutcome>> outcomes;
  const auto run = [&]() -> Task<void> { outcomes.push_back(co_await agent->chat({.messages = {user("hi")}}, chunks)); };
  for (int i = 0; i < 3; ++i) scope.start(run());
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes[0].error().code, Errc::overloaded);
  EXPECT_EQ(agent->running(), 2U);
  loop.advance(10s);
  EXPECT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(agent->running(), 0U);
  model->delay = 0s;
  EXPECT_TRUE(chat({user("hi")}));
}

TEST_F(ChatAgentTest, DestroyingAChatFreesItsPlace) {
  model->delay = 10s;
  {
    Scope scope(loop);
    const auto run = [&]() -> Task<void> { (void)co_await agent->chat({.messages = {user("hi")}}, chunks); };
    scope.start(run());
    EXPECT_EQ(agent->running(), 1U);
    scope.cancel();
  }
  EXPECT_EQ(agent->running(), 0U);
}

// One memory, which every search finds.
class OneMemory final : public memory::Store {
 public:
  Task<Result<std::vector<memory::Hit>>> search(std::string user, memory::Query) override {
    ++searches;
    asked_for = user;
    std::vector<memory::Hit> hits{{.entry = {.id = "mem_1", .text = "I prefer tabs", .category = memory::Category::preference}}};
    hits[0].score = 0.9;
    co_return hits;
  }
  Task<Result<std::vector<memory::Put>>> put(std::string, std::vector<memory::NewEntry>) override {
    co_return std::vector<memory::Put>{};
  }
  Task<Result<memory::Entry>> get(std::string, std::string) override { co_return memory::Entry{}; }
  Task<Result<memory::Page>> list(std::string, memory::ListQuery) override { co_return memory::Page{}; }
  Task<Result<std::uint64_t>> forget(std::string, memory::Forget) override { co_return 0; }
  Task<Result<memory::Stats>> stats(std::string) override { co_return memory::Stats{}; }
  int searches = 0;
  std::string asked_for = "no user so far";
};

TEST_F(ChatAgentTest, MemoriesPrecedeThePersonsMessage) {
  OneMemory memory;
  auto made = std::make_unique<FakeModel>(loop);
  FakeModel& asked = *made;
  ChatAgent remembering(loop, std::move(made), &memory);
  ASSERT_TRUE(loop.block_on(remembering.chat({.messages = {user("tabs or blanks?")}}, chunks)));
  const std::vector<Message>& sent = asked.asked.at(0).messages;
  ASSERT_EQ(sent.size(), 3U);
  EXPECT_EQ(sent[0].content, default_instructions());
  EXPECT_EQ(sent[1].role, Role::system);
  EXPECT_THAT(sent[1].content, HasSubstr("- [preference] I prefer tabs (id mem_1)"));
  EXPECT_EQ(sent[2], user("tabs or blanks?"));
  EXPECT_EQ(remembering.stats().messages, 2U) << "texts that the agent adds do not count as messages";
}

TEST_F(ChatAgentTest, TheMemoryOfTheChatsUserIsSearched) {
  OneMemory memory;
  ChatAgent remembering(loop, std::make_unique<FakeModel>(loop), &memory);
  ASSERT_TRUE(loop.block_on(remembering.chat({.messages = {user("tabs or blanks?")}}, chunks, {.user = "u_ada"})));
  EXPECT_EQ(memory.asked_for, "u_ada");
}

TEST_F(ChatAgentTest, RecallCanBeTurnedOff) {
  OneMemory memory;
  ChatAgent forgetful(loop, std::make_unique<FakeModel>(loop), &memory, {.recall = false});
  ASSERT_TRUE(loop.block_on(forgetful.chat({.messages = {user("tabs or blanks?")}}, chunks)));
  EXPECT_EQ(memory.searches, 0);
}

// A server that borrows the person's model must not read the person's memories.
TEST_F(ChatAgentTest, AStandaloneChatGetsNoMemories) {
  OneMemory memory;
  ChatAgent remembering(loop, std::make_unique<FakeModel>(loop), &memory);
  ASSERT_TRUE(
      loop.block_on(remembering.chat({.messages = {user("tabs or blanks?")}}, chunks, {.instructions = false, .recall = false})));
  EXPECT_EQ(memory.searches, 0);
}

TEST(ChatAgentWithRehearsal, ATurnWithAToolRunsThrough) {
  Loop loop(Loop::Time::virtual_);
  ChatAgent agent(loop, *model::make_model(loop, {.rehearsal = {.pace = 0ms}}), nullptr);
  model::NoChunks chunks;
  ChatRequest request{.messages = {user("read a.txt")}, .tools = {{.name = "read_file"}}};
  const auto asked = loop.block_on(agent.chat(request, chunks));
  ASSERT_TRUE(asked);
  ASSERT_EQ(asked->completion.tool_calls.size(), 1U);
  request.messages.push_back(to_message(asked->completion));
  request.messages.push_back({.role = Role::tool, .tool_results = {{asked->completion.tool_calls[0].id, "hello from the file"}}});
  const auto answered = loop.block_on(agent.chat(request, chunks));
  ASSERT_TRUE(answered);
  EXPECT_THAT(answered->completion.content, HasSubstr("hello from the file"));
}

TEST_F(ChatAgentTest, TheHostsInstructionsMayReplaceOurs) {
  ASSERT_TRUE(loop.block_on(agent->chat({.messages = {{.role = Role::system, .content = "You are a pirate."}, user("hi")}},
                                        chunks, {.instructions = false})));
  ASSERT_EQ(model->asked.at(0).messages.size(), 2U);
  EXPECT_EQ(model->asked[0].messages[0].content, "You are a pirate.");
}

TEST_F(ChatAgentTest, TheModelReceivesANoteAboutUnsupportedAttachments) {
  Message first = user("look");
  first.attachments = {{.media_type = "image/png", .data = "old"}};
  Message last = user("");
  last.attachments = {{.media_type = "image/png", .name = "a.png", .data = "abc"}, {.media_type = "audio/wav", .data = "abc"}};
  const auto blind = chat({first, {.role = Role::assistant, .content = "ok"}, last});
  ASSERT_TRUE(blind);
  EXPECT_EQ(blind->unseen, 2U) << "only attachments of the last message count; earlier ones were reported already";
  const std::vector<Message> sent = model->asked.at(0).messages;
  EXPECT_THAT(sent.at(1).content, HasSubstr("look\n\n(With this message came an image"));
  EXPECT_THAT(sent.back().content, HasSubstr("a.png"));
  EXPECT_TRUE(sent.back().attachments.empty());

  model->shown = "image/png";
  const auto seeing = chat({last});
  EXPECT_EQ(seeing->unseen, 1U);
  EXPECT_EQ(model->asked.at(1).messages.back().attachments.size(), 1U);
  EXPECT_THAT(model->asked[1].messages.back().content, HasSubstr("audio/wav"));
}

TEST_F(ChatAgentTest, APictureOfAToolThatTheModelCannotSeeIsANoteInItsResult) {
  const Message call{.role = Role::assistant, .tool_calls = {{.id = "c", .name = "shot", .arguments = "{}"}}};
  const Message result{.role = Role::tool,
                       .tool_results = {{.call_id = "c", .content = "taken", .attachments = {{.media_type = "image/png"}}}}};
  ASSERT_TRUE(chat({user("look"), call, result}));
  const model::ToolResult sent = model->asked.at(0).messages.back().tool_results.at(0);
  EXPECT_TRUE(sent.attachments.empty());
  EXPECT_THAT(sent.content, HasSubstr("taken\n\n(With this message came an image"));

  model->shown = "image/png";
  ASSERT_TRUE(chat({user("look"), call, result}));
  EXPECT_EQ(model->asked.at(1).messages.back().tool_results.at(0).attachments.size(), 1U);
}

}  // namespace
}  // namespace parlance::agent

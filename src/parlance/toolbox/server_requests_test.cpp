// SPDX-License-Identifier: Apache-2.0
// Requests of an MCP server during a call: an answer of the model (sampling), an answer of the person (elicitation). Hooks, rules and the
// mode decide on both.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/test_support.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::toolbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Say = ToolVerdict::Say;

// A server that sends its request while its only tool runs.
struct AskingServer final : hub::Tools {
  std::vector<hub::ToolSpec> list() const override { return {{.name = "files__read"}}; }
  Task<Result<hub::ToolIntent>> intent(const hub::SessionSetup&, const hub::ToolCall&) override {
    co_return hub::ToolIntent{.kind = hub::ToolKind::read, .title = "a call", .placeless = true};
  }
  Task<hub::ToolOutcome> call(const hub::SessionSetup&, const hub::ToolCall&, hub::ToolHost host) override {
    answer = co_await host.ask(request);
    co_return hub::ToolOutcome{.text = "done"};
  }
  hub::AskRequest request;
  std::optional<Result<hub::AskAnswer>> answer;
};

struct ScriptedHooks final : ToolHooks {
  hub::ToolCall named(const hub::SessionSetup&, hub::ToolCall call) override { return call; }
  Task<ToolVerdict> before(hub::Turn&, hub::ToolCall) override { co_return ToolVerdict{}; }
  Task<ToolVerdict> before_request(hub::Turn&, hub::ToolCall request) override {
    seen.push_back(request.id + " " + request.tool + " " + request.arguments_json.json());
    co_return verdict;
  }
  std::optional<std::string> agreed_input(const std::string&) override { return std::nullopt; }
  Task<After> after(hub::ToolCall, const hub::ToolOutcome&) override { co_return After{}; }
  ToolVerdict verdict;
  std::vector<std::string> seen;
};

hub::AskRequest sampling() {
  return {.tool = "sampling of files",
          .title = "files wants an answer of your model",
          .detail = "user:\nhello",
          .options = {{.id = "once", .label = "Allow once", .kind = hub::OptionKind::allow_once},
                      {.id = "reject", .label = "Reject", .kind = hub::OptionKind::reject_once}}};
}
hub::AskRequest elicitation() {
  return {.kind = hub::AskKind::question,
          .tool = "question of files",
          .title = "files asks: which?",
          .questions = {{{.question = "Which one?", .options = {{.label = "a"}}}}}};
}

class ServerRequests : public testing::Test {
 protected:
  void run(hub::AskRequest request, hub::Mode mode = hub::Mode::default_) {
    hub::HubSettings settings;
    settings.rules = rules;
    hub.emplace(loop, store, std::move(settings));
    server.request = std::move(request);
    script = [this](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      const hub::ToolCall call{.id = "c", .tool = "files__read", .arguments_json = "{}"};
      co_await announce_tool(turn, server, call);
      PARLANCE_CO_TRY_DO(co_await carry_out_tool(turn, server, call, {}, &hooks));
      co_return hub::StopReason::end_turn;
    };
    hub->add_agent(std::make_unique<hub::test::ScriptedProvider>(script, log));
    ASSERT_TRUE(loop.block_on(hub->start()));
    const std::string id = hub::test::create(loop, *hub, {.agent = "scripted", .folder = "/project", .mode = mode});
    ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = "go"})));
    loop.advance(std::chrono::milliseconds(100));
  }
  bool is_refused() const {
    return server.answer && *server.answer && !(*server.answer)->allowed() && (*server.answer)->answers.empty();
  }
  std::vector<hub::Ask> open() const { return open_asks(*hub); }

  Loop loop{Loop::Time::virtual_};
  hub::test::MemoryStore store{loop};
  hub::test::Script script;
  hub::test::AgentLog log;
  AskingServer server;
  ScriptedHooks hooks;
  std::vector<hub::Rule> rules;
  std::optional<hub::Hub> hub;
};

TEST_F(ServerRequests, ADenyingRuleRefusesTheModel) {
  rules = {{.id = "r", .effect = hub::Effect::deny, .tool = "sampling of files"}};
  run(sampling(), hub::Mode::yolo);
  EXPECT_TRUE(is_refused());
  EXPECT_THAT(open(), IsEmpty());
}

TEST_F(ServerRequests, ADenyingRuleRefusesTheQuestion) {
  rules = {{.id = "r", .effect = hub::Effect::deny, .tool = "question of files"}};
  run(elicitation(), hub::Mode::yolo);
  EXPECT_TRUE(is_refused());
  EXPECT_THAT(open(), IsEmpty());
}

TEST_F(ServerRequests, AnAllowedToolDoesNotAllowTheRequestOfItsServer) {
  rules = {{.id = "r", .effect = hub::Effect::allow, .tool = "files__read"}};
  run(sampling());
  EXPECT_EQ(open().size(), 1U);
}

TEST_F(ServerRequests, NoRuleAndNoHookAnswersAQuestion) {
  rules = {{.id = "r", .effect = hub::Effect::allow, .tool = "question of files"}};
  hooks.verdict = {.say = Say::allow};
  run(elicitation(), hub::Mode::yolo);
  ASSERT_EQ(open().size(), 1U);
  EXPECT_FALSE(server.answer);
  ASSERT_TRUE(loop.block_on(
      hub->submit(open()[0].conversation,
                  hub::AnswerRequest{.request = open()[0].id, .answer = {.digest = open()[0].digest, .answers = {{"a"}}}})));
  loop.advance(std::chrono::milliseconds(100));
  ASSERT_TRUE(server.answer && *server.answer);
  EXPECT_THAT((*server.answer)->answers, ElementsAre(ElementsAre("a")));
}

TEST_F(ServerRequests, PlanModeRefusesTheModelAndAsksThePerson) {
  run(sampling(), hub::Mode::plan);
  EXPECT_TRUE(is_refused());
  run(elicitation(), hub::Mode::plan);
  EXPECT_EQ(open().size(), 1U);
}

TEST_F(ServerRequests, AHookSeesTheTextsAndRefusesBoth) {
  hooks.verdict = {.say = Say::deny, .why = "hooked"};
  for (const hub::AskRequest& request : {sampling(), elicitation()}) {
    run(request, hub::Mode::yolo);
    ASSERT_TRUE(is_refused());
    EXPECT_EQ((*server.answer)->text, "hooked");
    EXPECT_THAT(open(), IsEmpty());
  }
  EXPECT_THAT(hooks.seen, ElementsAre(testing::AllOf(HasSubstr("c sampling of files"), HasSubstr(R"(user:\nhello)")),
                                      testing::AllOf(HasSubstr("c question of files"), HasSubstr("Which one?"))));
}

TEST_F(ServerRequests, AskOfAHookOverridesYolo) {
  hooks.verdict = {.say = Say::ask, .why = "look"};
  run(sampling(), hub::Mode::yolo);
  ASSERT_EQ(open().size(), 1U);
  EXPECT_THAT(open()[0].why, HasSubstr("look"));
}

TEST_F(ServerRequests, AHookCannotReplaceTheRequest) {
  hooks.verdict = {.say = Say::allow, .arguments_json = R"({"detail":"another"})"};
  run(sampling(), hub::Mode::yolo);
  EXPECT_TRUE(is_refused());
}

}  // namespace
}  // namespace parlance::toolbox

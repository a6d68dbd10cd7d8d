// SPDX-License-Identifier: Apache-2.0
// Requests to clients: in a supported form, once, and withdrawn after another client's answer.
#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"

namespace parlance::face {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

struct ClientAsks : HubOverAcp {
  static hub::AskRequest question() {
    return {.kind = hub::AskKind::question,
            .title = "Two things",
            .questions = std::vector<hub::Question>{
                {.header = "Colour",
                 .question = "Which colour?",
                 .options = {{.label = "Red", .description = "warm"}, {.label = "Blue"}}},
                {.header = "Sizes", .question = "Which sizes?", .multiple = true, .options = {{.label = "S"}, {.label = "L"}}}}};
  }
  static hub::AskRequest plan() {
    return {.kind = hub::AskKind::plan,
            .title = "A plan to approve",
            .plan = "# Steps",
            .options = {{.id = "smart", .label = "Go", .kind = hub::OptionKind::allow_once},
                        {.id = "keep", .label = "Keep planning", .kind = hub::OptionKind::reject_once},
                        {.id = "feedback", .label = "Change", .kind = hub::OptionKind::feedback}}};
  }
  // The answer as seen by the agent.
  std::string said(TestClient& test_client) {
    const std::string session = test_client.begin();
    EXPECT_EQ(test_client.prompt(session, "go"), "end_turn");
    for (const std::string& update : test_client.updates) {
      const json::Value parsed = json::parse_or_null(update);
      if (parsed.text_or("sessionUpdate", "") == "agent_message_chunk")
        return std::string(parsed.find("content")->text_or("text", ""));
    }
    return "";
  }
};

TEST_F(ClientAsks, PermissionHasOptionsByKindAndFullContent) {
  asks(permission());
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  EXPECT_EQ(said(*editor), "answered yes");
  ASSERT_EQ(editor->permissions.size(), 1);
  const acp::RequestPermission& asked = editor->permissions.front();
  EXPECT_EQ(asked.tool_call.tool_call_id, "call_1");
  EXPECT_EQ(asked.tool_call.title, "rm x");
  EXPECT_THAT(json::to_text(asked.tool_call), HasSubstr("it was asked for"));
  ASSERT_EQ(asked.options.size(), 3);
  EXPECT_EQ(asked.options[1].kind.value, acp::PermissionKind::allow_always);
}

TEST_F(ClientAsks, ARejectionAndACancelledOutcomeAreBothNo) {
  asks(permission());
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  editor->choose = acp::PermissionKind::reject_once;
  EXPECT_EQ(said(*editor), "answered no");
  editor->updates.clear();
  editor->choose = acp::PermissionKind::reject_always;  // not offered: the client answers `cancelled`
  EXPECT_EQ(said(*editor), "answered no");
}

TEST_F(ClientAsks, TheFirstAnswerCountsAndTheOthersAreWithdrawn) {
  asks(permission());
  const auto editor = client();
  const auto two = client();
  ASSERT_TRUE(editor->initialize());
  ASSERT_TRUE(two->initialize());
  editor->silent = two->silent = true;
  const std::string session = editor->begin();
  ASSERT_TRUE(two->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  std::string end;
  editor->start_prompt(session, "go", end);
  settle();
  ASSERT_EQ(editor->permissions.size(), 1);
  ASSERT_EQ(two->permissions.size(), 1);
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub).front(), "yes"));  // a page
  settle();
  EXPECT_EQ(editor->withdrawn, 1);
  EXPECT_EQ(two->withdrawn, 1);
  EXPECT_EQ(end, "end_turn");
  EXPECT_EQ(editor->permissions.size(), 1) << "asked exactly once";
}

TEST_F(ClientAsks, ACancelWithdrawsThePermissionAndEndsTheTurn) {
  asks(permission());
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  editor->silent = true;
  const std::string session = editor->begin();
  std::string end;
  editor->start_prompt(session, "go", end);
  settle();
  ASSERT_TRUE(editor->peer->notify(acp::method::cancel, {.session_id = session}));
  settle();
  EXPECT_EQ(editor->withdrawn, 1);
  EXPECT_EQ(end, "cancelled");
}

TEST_F(ClientAsks, OpenAskIsSentToALoadingClient) {
  asks(permission());
  auto editor = client();
  ASSERT_TRUE(editor->initialize());
  editor->silent = true;
  const std::string session = editor->begin();
  std::string end;
  editor->start_prompt(session, "go", end);
  settle();
  editor.reset();
  const auto two = client();
  ASSERT_TRUE(two->initialize());
  ASSERT_TRUE(two->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  settle();
  EXPECT_EQ(two->permissions.size(), 1);
  EXPECT_THAT(bench.trace(session), HasSubstr("settled:answered"));
}

TEST_F(ClientAsks, UnsupportedClientRefusesOnlyWithoutOtherFrontends) {
  asks(permission());
  const Error unknown_method{.code = Errc::unknown_method, .message = "no such method"};
  auto editor = client();
  ASSERT_TRUE(editor->initialize());
  editor->permission_error = unknown_method;
  EXPECT_THAT(said(*editor), testing::StartsWith("answered no: The client cannot be asked"));
  editor.reset();

  make_frontend(false);
  const auto two = client();
  ASSERT_TRUE(two->initialize());
  two->permission_error = unknown_method;
  const std::string session = two->begin();
  std::string end;
  two->start_prompt(session, "go", end);
  settle();
  EXPECT_EQ(end, "") << "a page may answer";
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub).front(), "yes"));
  settle();
  EXPECT_EQ(end, "end_turn");
}

TEST_F(ClientAsks, QuestionsAreAFormWhereTheClientShowsForms) {
  asks(question());
  const auto editor = client();
  acp::ClientCapabilities forms;
  forms.elicitation.emplace().form.emplace();
  ASSERT_TRUE(editor->initialize(forms));
  editor->form_reply = {.action = {.value = acp::ElicitationAction::accept},
                        .content = {R"({"question_0":"Red","question_0_custom":"Green","question_1":["S","L"]})"}};
  EXPECT_EQ(said(*editor), "answered  Green S");
  ASSERT_EQ(editor->forms.size(), 1);
  EXPECT_EQ(editor->forms.front().mode, "form");
  EXPECT_THAT(editor->forms.front().requested_schema.json,
              HasSubstr(R"("oneOf":[{"const":"Red","title":"Red","description":"warm"})"));
  EXPECT_THAT(editor->forms.front().requested_schema.json, HasSubstr(R"("type":"array")"));

  editor->updates.clear();
  editor->form_reply = {.action = {.value = acp::ElicitationAction::decline}};
  EXPECT_EQ(said(*editor), "answered decline");
}

TEST_F(ClientAsks, QuestionsAreSeparatePermissionsWithoutForms) {
  asks(question());
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  EXPECT_EQ(said(*editor), "answered  Red S");
  ASSERT_EQ(editor->permissions.size(), 2);
  EXPECT_EQ(editor->permissions[0].options.back().kind.value, acp::PermissionKind::reject_once);
  EXPECT_THAT(json::to_text(editor->permissions[1].tool_call), HasSubstr("Only one of them"));
  EXPECT_THAT(editor->kinds(), testing::StartsWith("tool_call tool_call_update tool_call tool_call_update"));
  editor->updates.clear();
  editor->choose = acp::PermissionKind::reject_once;
  EXPECT_EQ(said(*editor), "answered decline");
}

TEST_F(ClientAsks, APlanIsAPermissionToSwitchTheMode) {
  asks(plan());
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  EXPECT_EQ(said(*editor), "answered smart");
  ASSERT_EQ(editor->permissions.size(), 1);
  EXPECT_EQ(editor->permissions.front().tool_call.kind->value, acp::ToolKind::switch_mode);
  EXPECT_EQ(editor->permissions.front().options.size(), 2) << "words have no place there";
  EXPECT_THAT(editor->kinds(), testing::StartsWith("tool_call tool_call_update")) << "a call of its own, that ends";
}

TEST_F(ClientAsks, IflowIsAskedInItsOwnWords) {
  asks(question());
  const auto editor = client(acp::Flavour::iflow);
  ASSERT_TRUE(editor->initialize());
  editor->answers.answers = {{"Colour", {R"("Blue")"}}, {"Sizes", {R"(["L"])"}}};
  EXPECT_EQ(said(*editor), "answered  Blue L");
  asks(plan());
  editor->updates.clear();
  editor->plan_decision = {.approved = false, .reason = "smaller steps"};
  EXPECT_EQ(said(*editor), "answered feedback: smaller steps");
  editor->updates.clear();
  editor->plan_decision = {.approved = true};
  EXPECT_EQ(said(*editor), "answered smart");
  EXPECT_THAT(editor->plans, Contains("# Steps"));
}

TEST_F(ClientAsks, IflowSdkWithoutQuestionSupportKeepsWorking) {
  asks(question());
  const auto editor = client(acp::Flavour::iflow);
  ASSERT_TRUE(editor->initialize());
  editor->question_error = Error{.code = Errc::unknown_method, .message = "Unknown method"};
  EXPECT_THAT(said(*editor), testing::StartsWith("answered decline: The client cannot be asked questions"));
  EXPECT_TRUE(editor->permissions.empty()) << "one that allows everything would choose in the person's place";
  asks(plan());
  editor->updates.clear();
  EXPECT_EQ(said(*editor), "answered smart") << "a plan is a permission then";
}

// The mode `selective` of iFlow's SDK approves by `type`, and refuses a request without `type`.
TEST_F(ClientAsks, IflowPermissionHasATypeAndCommandsAreNeverReads) {
  const auto type_of = [this](hub::AskRequest request, hub::CallKind kind) {
    bench.script = [request, kind](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      turn.emit(hub::event::ToolStart{.call = "c", .tool = "x", .title = "x", .kind = kind});
      hub::AskRequest asked = request;
      asked.call = "c";
      asked.tool = "x";
      asked.title = "x";
      asked.options = hub::once_offer();
      static_cast<void>(co_await turn.ask(std::move(asked)));
      co_return hub::StopReason::end_turn;
    };
    const auto editor = client(acp::Flavour::iflow);
    EXPECT_TRUE(editor->initialize());
    static_cast<void>(said(*editor));
    return editor->permissions.empty() ? "" : editor->permissions.back().tool_call.type.value_or("none");
  };
  EXPECT_EQ(type_of({}, hub::CallKind::read), "read");
  EXPECT_EQ(type_of({.detail = "cat x | tee y"}, hub::CallKind::read), "other");
  EXPECT_EQ(type_of({}, hub::CallKind::search), "list");
  EXPECT_EQ(type_of({}, hub::CallKind::execute), "execute");
  EXPECT_EQ(type_of({.diff = hub::Diff{.path = "/p/a", .after = "b"}}, hub::CallKind::other), "edit");
}

// iFlow's SDK waits forever after an error reply to a prompt.
TEST_F(ClientAsks, FailedTurnEndsForIflowWithTextAndRefusal) {
  bench.script = [](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> { co_return fail(Errc::failed, "rate limited"); };
  const auto editor = client(acp::Flavour::iflow);
  ASSERT_TRUE(editor->initialize());
  EXPECT_EQ(editor->prompt(editor->begin(), "go"), "refusal");
  EXPECT_THAT(editor->updates, Contains(HasSubstr(R"("text":"rate limited")")));
}

TEST_F(ClientAsks, AMessageOfAnotherUserNamesItsAuthor) {
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  const auto ann = std::make_shared<const hub::Caller>(hub::Caller{.user = "user_ann", .name = "ann"});
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(session, hub::SendPrompt{.text = "of a page"}, ann)));
  settle();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(session, hub::SendPrompt{.text = "of this machine"})));
  settle();
  EXPECT_THAT(editor->updates,
              Contains(testing::AllOf(HasSubstr("of a page"), HasSubstr(R"("_meta":{"parlance":{"by":"ann"}})"))));
  EXPECT_THAT(editor->updates, Contains(testing::AllOf(HasSubstr("of this machine"), Not(HasSubstr("_meta")))));
}

}  // namespace
}  // namespace parlance::face

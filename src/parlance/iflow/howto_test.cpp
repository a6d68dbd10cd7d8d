// SPDX-License-Identifier: Apache-2.0
// docs/howto/iflow.md: each of its blocks of C++ stands here, word for word, and runs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parlance/base/text.h"
#include "parlance/iflow/query.h"
#include "parlance/iflow/raw_client.h"
#include "parlance/iflow/runner.h"
#include "parlance/iflow/test_support.h"

namespace parlance::iflow {
namespace {

using test::said;
using ::testing::HasSubstr;

// clang-format off
Task<Result<void>> one_question(Loop& loop, Options options) {
  const Result<std::string> answer = co_await query(loop, "What is in this folder?", {}, options);
  if (!answer) co_return fail(answer.error());
  EXPECT_EQ(*answer, "hello");
  co_return Result<void>{};
}

Task<Result<void>> piece_by_piece(Loop& loop, Options options, std::string& out) {
  co_return co_await query_stream(loop, "Tell me more.", [&](std::string_view text) { out += text; }, {}, options);
}

Task<Result<void>> a_conversation(Loop& loop, Options options, std::string& out) {
  Client client(loop, options);
  PARLANCE_CO_TRY_DO(co_await client.connect());
  PARLANCE_CO_TRY_DO(co_await client.send_message("Explain this picture.", {"diagram.png"}));
  while (const auto message = co_await client.receive_message()) {
    if (const auto* said = std::get_if<AssistantMessage>(&*message)) out += said->text.value_or("");
    if (std::holds_alternative<TaskFinishMessage>(*message)) break;
  }
  co_await client.disconnect();
  co_return Result<void>{};
}

void answer_of_the_person(Client& client, const ToolCallMessage& call) {
  Result<adapter::PermissionChoice> chosen{};
  Result<void> done{};
  if (call.confirmation) chosen = client.approve_tool_call(*call.request, ToolCallConfirmationOutcome::always_allow);
  if (call.questions) done = client.answer_questions(*call.request, {{"Database", {"sqlite"}}});
  if (call.plan) done = client.approve_plan(*call.request, false, "Use the old table.");
  EXPECT_TRUE(chosen && done);
}

Options with_transport(std::unique_ptr<Frames>& frames) {
  Options options;
  options.transport = [&]() -> Task<Result<std::unique_ptr<Frames>>> { co_return std::move(frames); };
  options.hooks[HookEventType::pre_tool_use] = {{.matcher = "Edit", .hooks = {{.command = "./may-edit.sh", .timeout_s = 10}}}};
  return options;
}

Task<Result<void>> what_to_do(Client& client, std::string& out) {
  if (const auto connected = co_await client.connect(); !connected) {
    if (kind_of(connected.error()) == ErrorKind::not_installed) out = "npm install -g @iflow-ai/iflow-cli";
    co_return fail(connected.error());
  }
  co_return Result<void>{};
}

Task<std::string> a_page(Runner& runner, std::string& out, int& ends) {
  const std::string session = co_await runner.run({.prompt = "Plan the change.", .mode = ConversationMode::plan, .cwd = "/w"},
                                                  {.on_chunk = [&](const StreamChunk& chunk) { out += json::to_text(to_json(chunk)) + '\n'; },
                                                   .on_end = [&] { ++ends; },
                                                   .on_error = [&](const Error& error) { out += error.message; }});
  co_return session;
}
// clang-format on

class IflowHowto : public test::ScriptedAgent {
 protected:
  IflowHowto() { will_say({said("hel"), said("lo")}); }
};

TEST_F(IflowHowto, QuestionsAreAnswered) {
  std::string out;
  EXPECT_TRUE(get(one_question(loop, options())));
  EXPECT_TRUE(get(piece_by_piece(loop, options(), out)));
  EXPECT_EQ(out, "hello");
}

TEST_F(IflowHowto, RequestsOfTheAgentAreAnswered) {
  script.prompt = [](const acp::Prompt&, Peer& to) -> Task<Result<acp::PromptResult>> {
    const auto answers = co_await to.call(acp::method::iflow_questions, {.questions = {{.question = "?", .header = "Database"}}});
    const auto plan = co_await to.call(acp::method::iflow_plan_exit, {.plan = "p"});
    const auto reply = co_await to.call(acp::method::request_permission,
                                        {.session_id = "s-1",
                                         .tool_call = {.tool_call_id = "t"},
                                         .options = {{.option_id = "always", .kind = {acp::PermissionKind::allow_always}}}});
    static_cast<void>(
        to.notify(acp::method::update, said(json::to_text(*answers) + json::to_text(*plan) + json::to_text(*reply))));
    co_return acp::PromptResult{};
  };
  Client client(loop, options());
  ASSERT_TRUE(get(client.connect()));
  ASSERT_TRUE(get(client.send_message("go")));
  for (int i = 0; i < 3; ++i) {
    answer_of_the_person(client, std::get<ToolCallMessage>(*get(client.receive_message())));
    settle();
  }
  EXPECT_EQ(
      std::get<AssistantMessage>(*get(client.receive_message())).text,
      R"({"answers":{"Database":"sqlite"}}{"approved":false,"reason":"Use the old table."}{"outcome":{"outcome":"selected","optionId":"always"}})");
}

TEST_F(IflowHowto, ATransportIsGivenAndErrorsAreDistinguished) {
  std::unique_ptr<Frames> frames = get(options().transport()).value();
  Client client(loop, with_transport(frames));
  std::string out;
  EXPECT_TRUE(get(what_to_do(client, out)));
  unreachable = true;
  Client unconnected(loop, options());
  EXPECT_FALSE(get(what_to_do(unconnected, out)));
  EXPECT_EQ(out, "");
}

TEST_F(IflowHowto, APageReceivesPieces) {
  Runner runner(loop, {.options = options()});
  std::string out;
  int ends = 0;
  EXPECT_EQ(get(a_page(runner, out, ends)), "s-1");
  EXPECT_EQ(ends, 1);
  EXPECT_THAT(out, HasSubstr(R"({"chunkType":"text","content":"hel"})"));
}

// The files of a message are read by a thread of their own: real time.
TEST(IflowHowtoFiles, APictureIsAttached) {
  Loop loop;
  test::Script script(loop);
  Router router;
  acp::test::serve(router, script);
  std::string name = testing::TempDir() + "howto.XXXXXX";
  const std::string folder = ::mkdtemp(name.data());
  std::ofstream(folder + "/diagram.png") << "PNG";
  std::unique_ptr<Peer> agent;
  Scope scope(loop);
  Options options{.cwd = folder};
  options.waits_for_ready = false;
  options.transport = [&]() -> Task<Result<std::unique_ptr<Frames>>> {
    auto [near, far] = memory_pair(loop);
    agent = std::make_unique<Peer>(loop, framed_stream(loop, std::move(far), line_framing()),
                                   acp::dialect(acp::Side::agent, acp::Flavour::iflow), router);
    scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(*agent));
    co_return framed_stream(loop, std::move(near), line_framing());
  };
  std::string out;
  EXPECT_TRUE(loop.block_on(a_conversation(loop, options, out)));
  ASSERT_EQ(script.prompts.size(), 1U);
  ASSERT_EQ(script.prompts[0].prompt.size(), 2U);
  EXPECT_EQ(std::get<acp::ImageContent>(script.prompts[0].prompt[1].value).mime_type, "image/png");
  scope.cancel();
  agent.reset();
  std::filesystem::remove_all(folder);
}

std::string trimmed_lines(std::istream& in) {
  std::string out = "\n";
  for (std::string line; std::getline(in, line);) out += std::string(trim(line)) + '\n';
  return out;
}

TEST(IflowHowtoPage, EachOfItsBlocksIsHere) {
  std::ifstream source(PARLANCE_SOURCE_DIR "/src/parlance/iflow/howto_test.cpp");
  const std::string here = trimmed_lines(source);
  std::ifstream file(PARLANCE_SOURCE_DIR "/docs/howto/iflow.md");
  std::ostringstream page;
  page << file.rdbuf();
  std::string text = page.str();
  int blocks = 0;
  for (std::size_t at = text.find("```cpp\n"); at != std::string::npos; at = text.find("```cpp\n", at)) {
    at += 7;
    std::istringstream block(text.substr(at, text.find("```", at) - at));
    EXPECT_THAT(here, HasSubstr(trimmed_lines(block)));
    ++blocks;
  }
  EXPECT_EQ(blocks, 8);
}

}  // namespace
}  // namespace parlance::iflow

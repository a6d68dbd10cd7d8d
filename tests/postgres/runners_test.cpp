// SPDX-License-Identifier: Apache-2.0
// A runner at one of two gateways with one PostgreSQL: its conversations are done where it is connected, wherever the page is, and go with it.
#include "tests/postgres/gateways.h"
#include "tests/system/runner.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RunnersOfGateways : public WithRunners<GatewaysTest> {
 protected:
  void SetUp() override {
    GatewaysTest::SetUp();
    if (IsSkipped()) return;
    a = start_gateway("a");
    b = start_gateway("b");
  }
  std::unique_ptr<Program> runner_at(const Gateway& one) {
    auto runner = launch_runner(one.base, the_token);
    until_connected(*runner);
    return runner;
  }
  // It may take a moment until a gateway knows the runner of the other.
  std::string begun_at(PageClient& page) {
    std::string number;
    until_observed(
        [&] {
          if (number.empty()) number = page.request("new", R"("agent":"box/parlance","folder":")" + farm() + "\"");
          if (!page.answered(number)) return false;
          if (page.type_of_answer(number) == "done") return true;
          number.clear();
          return false;
        },
        "a conversation on the runner");
    const std::string id = text_at(page.answers.at(number), {"value", "conversation", "id"});
    open(page, id);
    return id;
  }

  Gateway a, b;
};

TEST_F(RunnersOfGateways, APageElsewherePromptsAndAnswersAndTheOwnerIsWhereTheRunnerIs) {
  const auto runner = runner_at(a);
  const auto page = page_at(b);
  const std::string id = begun_at(*page);
  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  EXPECT_THAT(text_at(ask, {"why"}), AllOf(HasSubstr("on box"), HasSubstr(", as ")));
  EXPECT_EQ(owned_by(a), 1);
  EXPECT_EQ(owned_by(b), 0);
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 1);
  EXPECT_EQ(read_file(farm() + "/notes.txt"), "hello\n");
}

TEST_F(RunnersOfGateways, ConnectedToAnotherGatewayTheRunnerTakesItsConversationsAlong) {
  auto runner = runner_at(a);
  const auto page = page_at(a);
  const std::string id = begun_at(*page);
  prompt(*page, id, "slow 400 50");
  until([&] { return !page->text(id).empty(); }, "the beginning of the text");
  Words again = runner_words(b.base, "box");
  const auto moved = launch(again, {{"PARLANCE_TOKEN", the_token}, {runner_mark, folder() + "moved"}});
  until_connected(*moved);
  until([&] { return runner->ended(); }, "the end of the older one");
  EXPECT_THAT(runner->errors, HasSubstr("has connected to another gateway"));
  until_no_process_of("box");
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "error"), {"code"}), "interrupted");
  until_observed([&] { return owned_by(a) == 0; }, "the release");
  prompt(*page, id, "help");
  until_turns(*page, id, 2);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");
  EXPECT_EQ(owned_by(b), 1);
}

TEST_F(RunnersOfGateways, NowhereConnectedATurnIsRefusedAtOnceAndReadingGoesOn) {
  auto runner = runner_at(a);
  const auto page = page_at(b);
  const std::string id = begun_at(*page);
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
  until_observed(
      [&] {
        const std::string number = page->request("prompt", prompt_of(id, "help"));
        until([&] { return page->answered(number); }, "an answer");
        if (page->type_of_answer(number) == "failed") {
          EXPECT_THAT(text_at(page->answers.at(number), {"message"}),
                      AllOf(HasSubstr("the runner box is not connected since 20"), HasSubstr("parlance runner --name box")));
          return true;
        }
        return false;
      },
      "a refusal");
  const auto other = page_at(a);
  open(*other, id);
  EXPECT_NE(other->text(id), "");
}

TEST_F(RunnersOfGateways, AfterAGatewaysKillTheRunnerMovesToTheOther) {
  auto runner = runner_at(a);
  const auto page = page_at(b);
  const std::string id = begun_at(*page);
  prompt(*page, id, "slow 400 50");
  until([&] { return !page->text(id).empty(); }, "the beginning of the text");
  a.program->child().signal_group(SIGKILL);
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
  runner = runner_at(b);
  until_turns(*page, id, 1);
  prompt(*page, id, "help");
  until_turns(*page, id, 2);
  EXPECT_EQ(owned_by(b), 1);
}

// It is written down where all gateways find it.
TEST_F(RunnersOfGateways, ConversationsDeletedDuringAnAbsenceAreDeletedAtTheNextGateway) {
  auto runner = runner_at(a);
  const auto page = page_at(b);
  const std::string id = begun_at(*page);
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
  EXPECT_EQ(sessions_of().size(), 1U);
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
  EXPECT_EQ(sessions_of().size(), 1U);
  done(*page, "delete", R"("conversation":")" + id + "\"");
  runner = runner_at(b);
  until_observed([&] { return sessions_of().empty(); }, "the end of its session");
}

}  // namespace
}  // namespace parlance::test

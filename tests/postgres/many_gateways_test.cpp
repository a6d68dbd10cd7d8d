// SPDX-License-Identifier: Apache-2.0
// Three working gateways with a common PostgreSQL server: each gateway shows and controls the conversations of the others, and
// takes over after an end.
#include "tests/postgres/gateways.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

class ManyGateways : public GatewaysTest {
 protected:
  void SetUp() override {
    pace = "20";  // a visible stream
    GatewaysTest::SetUp();
    if (IsSkipped()) return;
    for (const char* name : {"a", "b", "c"}) all[name] = start_gateway(name);
  }
  // A conversation owned by the first gateway, with a page there.
  std::string begin() {
    first = page_at(all["a"]);
    return new_conversation(*first);
  }
  std::int64_t milliseconds_since(TimePoint began) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began).count();
  }

  std::map<std::string, Gateway> all;
  std::unique_ptr<PageClient> first;
};

TEST_F(ManyGateways, APageElsewherePromptsFollowsTheStreamAnswersAndStops) {
  const std::string id = begin();
  const auto page = page_in(all["b"], id);
  const auto other = page_in(all["c"], id);
  prompt(*page, id, "help");
  until([&] { return !page->text(id).empty(); }, "the beginning of the text");
  EXPECT_EQ(page->count(id, "turn_end"), 0U) << "the page receives the turn while it runs";
  for (PageClient* one : {first.get(), page.get(), other.get()}) until_turns(*one, id, 1);
  EXPECT_EQ(page->text(id), first->text(id));
  EXPECT_EQ(other->text(id), first->text(id));
  EXPECT_EQ(owned_by(all["a"]), 1);
  EXPECT_EQ(owned_by(all["b"]), 0);

  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*other);
  done(*other, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 2);
  EXPECT_TRUE(std::filesystem::exists(work() + "/notes.txt"));
  until([&] { return ask_in_state(*page, "open").is_null(); }, "the end of the ask");

  prompt(*page, id, "run sleep 60");
  done(*page, "answer", answer_to(open_ask(*page), "allow_once"));
  until([&] { return page->conversations[id].text_or("state", "") == "running"; }, "a command that runs");
  done(*other, "stop", R"("conversation":")" + id + "\"");
  until_turns(*first, id, 3);
  until([&] { return page->conversations[id].text_or("state", "") == "idle"; }, "the end of the turn, elsewhere");
  EXPECT_EQ(text_at(first->last(id, "turn_end"), {"stop_reason"}), "cancelled");
  for (PageClient* one : {first.get(), page.get(), other.get()}) {
    expect_no_gap(*one, id);
    EXPECT_EQ(one->gaps, 0U);
  }
}

TEST_F(ManyGateways, OfTwoAnswersAtTwoGatewaysOnlyOneCounts) {
  const std::string id = begin();
  const auto page = page_in(all["b"], id);
  const auto other = page_in(all["c"], id);
  prompt(*first, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  open_ask(*other);
  const std::string yes = page->request("answer", answer_to(ask, "allow_once"));
  const std::string no = other->request("answer", answer_to(ask, "reject_once"));
  until([&] { return page->answered(yes) && other->answered(no); }, "both answers");
  EXPECT_NE(page->type_of_answer(yes), other->type_of_answer(no));
  until_turns(*first, id, 1);
  EXPECT_EQ(first->count(id, "ask_settled"), 1U);
  EXPECT_EQ(std::filesystem::exists(work() + "/notes.txt"), page->type_of_answer(yes) == "done");
}

TEST_F(ManyGateways, ChangesAtOneGatewayAreVisibleAtAllGateways) {
  const std::string id = begin();
  const auto page = page_in(all["b"], id);
  done(*page, "set", R"("conversation":")" + id + R"(","title":"named elsewhere")");
  const auto named = [&](PageClient& here) { return here.conversations[id].text_or("title", "") == "named elsewhere"; };
  until([&] { return named(*first) && named(*page); }, "the title");  // the faster follower has the title first
  prompt(*first, id, "write notes.txt hello");
  open_ask(*page);
  const std::string queued = text_at(done(*page, "prompt", R"("conversation":")" + id + R"(","text":"help")"), {"queued"});
  EXPECT_NE(queued, "");
  done(*page, "withdraw", R"("conversation":")" + id + R"(","queued":")" + queued + "\"");
  done(*page, "delete", R"("conversation":")" + id + "\"");
  until([&] { return !first->conversations.contains(id) && !page->conversations.contains(id); }, "the end of the conversation");
}

TEST_F(ManyGateways, ConversationsOfAKilledGatewayAreTakenOverAndContinueElsewhere) {
  const std::string id = begin();
  const auto page = page_in(all["b"], id);
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  all["a"].program->child().signal_group(SIGKILL);
  const auto began = Clock::now();
  until_observed([&] { return owned_by(all["b"]) + owned_by(all["c"]) == 1; }, "another owner");
  RecordProperty("milliseconds_to_take_over", static_cast<int>(milliseconds_since(began)));
  EXPECT_LE(milliseconds_since(began), 3000) << "one and a half leases";
  until([&] { return !ask_in_state(*page, "open").is_null(); }, "the ask");
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 2);
  EXPECT_TRUE(std::filesystem::exists(work() + "/notes.txt"));
  prompt(*page, id, "help");
  until_turns(*page, id, 3);
  EXPECT_EQ(page->count(id, "error"), 0U);
  expect_no_gap(*page, id);
}

TEST_F(ManyGateways, TheNextUsedGatewayTakesOverADeadOnesConversations) {
  const std::string id = begin();
  const auto page = page_in(all["c"], id);
  all["a"].program->child().signal_group(SIGKILL);
  prompt(*page, id, "help");  // its owner may live for two seconds more
  until_turns(*page, id, 1);
  expect_no_gap(*page, id);
}

TEST_F(ManyGateways, ANormallyStoppedGatewayHandsOverAtOnce) {
  const std::string id = begin();
  const auto page = page_in(all["b"], id);
  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  all["a"].program->child().signal_group(SIGTERM);
  until([&] { return all["a"].program->ended(); }, "the end of the first");
  const auto began = Clock::now();
  EXPECT_EQ(all["a"].program->child().exit_status()->code, 0);
  until_observed([&] { return owned_by(all["b"]) + owned_by(all["c"]) == 1; }, "another owner");
  RecordProperty("milliseconds_to_take_over", static_cast<int>(milliseconds_since(began)));
  EXPECT_LE(milliseconds_since(began), 1500) << "no lease is waited for; 0.2 s where no other tests run";
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 1);
  EXPECT_EQ(page->count(id, "error"), 0U);
}

TEST_F(ManyGateways, ChatsOfHttpClientsRunAtTheRequestedGatewayAndLeaveNoTrace) {
  at(all["b"]);
  EXPECT_THAT(chat("help"), HasSubstr("write"));
  at(all["c"]);
  EXPECT_THAT(chat("help"), HasSubstr("write"));
  EXPECT_TRUE(page_at(all["a"])->conversations.empty());
}

TEST_F(ManyGateways, HealthTellsHowEachIsAmongTheOthers) {
  const std::string id = begin();
  const auto page = page_in(all["b"], id);
  const json::Value health = parlance::test::at(health_of(all["b"]), {"gateway"});
  EXPECT_EQ(health.text_or("following", ""), "notices");
  EXPECT_EQ(health.integer_or("followed", -1), 1);
  EXPECT_EQ(health.integer_or("owned", -1), 0);
  EXPECT_EQ(health.text_or("hub", "").substr(0, 4), "hub_");
  until_observed([&] { return answer("GET", "health").body.contains("no standby is synchronous"); },
                 "what whoever runs the database should know");
  EXPECT_THAT(answer("GET", "health").body, testing::Not(HasSubstr(the_token)));
  const Finished doctor = parlance({"doctor"}, "", {{"PARLANCE_STORE", store}});
  EXPECT_THAT(doctor.out, HasSubstr("runs 1 of 1 conversations"));
  HttpRequest ready_question = request("GET", "ready");
  ready_question.headers.clear();
  EXPECT_EQ(send(ready_question)->status, 200);
}

}  // namespace
}  // namespace parlance::test

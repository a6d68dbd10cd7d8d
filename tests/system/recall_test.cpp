// SPDX-License-Identifier: Apache-2.0
// A person's statement to an agent: recalled in other conversations, explained and forgotten, through all frontends and across
// restarts.
#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Recall : public ConversationsTest {
 protected:
  void turn(PageClient& page, const std::string& id, std::string_view text) {
    const std::size_t before = page.count(id, "turn_end");
    prompt(page, id, text);
    until_turns(page, id, before + 1);
  }
  json::Value listed() { return parsed(answer("GET", "memory/list").body); }
};

TEST_F(Recall, AStatementIsRecalledInLaterConversationsUntilForgotten) {
  start_up();
  auto page = connect();
  const std::string first = new_conversation(*page);
  until_agent();
  turn(*page, first, "remember that I prefer tabs");
  EXPECT_TRUE(page->asks.empty()) << "who says remember is not asked again";
  EXPECT_EQ(text_at(page->last(first, "tool_start"), {"tool"}), "memory_store");
  EXPECT_EQ(text_at(page->last(first, "tool_end"), {"state"}), "done");

  // Another conversation, another turn, another word order: the memory is present before the agent answers, without a tool call.
  const std::string second = new_conversation(*page);
  turn(*page, second, "tabs or spaces, which do I prefer?");
  EXPECT_THAT(page->text(second), HasSubstr("Remembered:\n\n- I prefer tabs"));
  EXPECT_EQ(page->count(second, "tool_start"), 0U);
  // Programs that use the agent over HTTP get the same.
  EXPECT_THAT(chat("tabs or spaces, which do I prefer?"), HasSubstr("I prefer tabs"));

  // Its origin: the message with the statement.
  const json::Value list = listed();
  ASSERT_EQ(list.integer_or("count", 0), 1);
  const json::Value entry = at(list, {"items", "0"});
  EXPECT_EQ(text_at(entry, {"text"}), "I prefer tabs");
  EXPECT_EQ(text_at(entry, {"category"}), "preference");
  EXPECT_EQ(text_at(entry, {"source"}), "agent");
  EXPECT_EQ(text_at(entry, {"conversation"}), first);
  const json::Value said = page->last(first, "user_message");
  EXPECT_EQ(text_at(said, {"text"}), "remember that I prefer tabs");
  EXPECT_EQ(entry.integer_or("event", 0), said.integer_or("seq", -1));
  const json::Value shown = at(done(*page, "memory_search", R"("query":"prefer tabs")"), {"memories", "0"});
  EXPECT_EQ(text_at(shown, {"id"}), text_at(entry, {"id"}));
  EXPECT_EQ(text_at(shown, {"conversation"}), first);
  double score = 0;
  ASSERT_TRUE(at(shown, {"score"}).number(score));
  EXPECT_GE(score, 0.7);

  // The memory outlives its conversation, and a death of all processes.
  done(*page, "delete", R"("conversation":")" + first + "\"");
  page.reset();
  kill_everything();
  start_up();
  until_agent();
  page = connect();
  open(*page, second);
  turn(*page, second, "do I prefer tabs?");
  EXPECT_THAT(page->text(second), HasSubstr("I prefer tabs *(preference)*"));
  EXPECT_EQ(text_at(at(done(*page, "memory_list", R"("limit":10)"), {"memories", "0"}), {"conversation"}), first);

  EXPECT_EQ(answer("DELETE", "memory/forget?path=" + text_at(entry, {"id"})).status, 200);
  EXPECT_EQ(answer("DELETE", "memory/forget?path=" + text_at(entry, {"id"})).status, 404);
  EXPECT_EQ(listed().integer_or("count", -1), 0);
  const std::string third = new_conversation(*page);
  prompt(*page, third, "tabs or spaces, which do I prefer?");
  const json::Value ask = open_ask(*page);  // the tour of a first message, without memories to show
  EXPECT_THAT(page->text(third), Not(HasSubstr("Remembered")));
  done(*page, "answer", answer_to(ask, "reject_once"));
  until_turns(*page, third, 1);
}

TEST_F(Recall, AnAgentForgetsOnlyWhatAPersonAllows) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  until_agent();
  turn(*page, id, "remember the deploy runs on Friday");
  turn(*page, id, "remember the shed is green");

  prompt(*page, id, "forget the deploy on Friday");
  json::Value ask = open_ask(*page);
  EXPECT_EQ(text_at(ask, {"tool"}), "memory_forget");
  EXPECT_EQ(text_at(ask, {"title"}), "the deploy runs on Friday");
  done(*page, "answer", answer_to(ask, "reject_once"));
  until_turns(*page, id, 3);
  EXPECT_EQ(listed().integer_or("count", 0), 2);

  prompt(*page, id, "forget the deploy on Friday");
  until([&] { return !ask_in_state(*page, "open").is_null(); }, "the second ask");
  done(*page, "answer", answer_to(ask_in_state(*page, "open"), "allow_once"));
  until_turns(*page, id, 4);
  EXPECT_EQ(text_at(page->last(id, "tool_end"), {"state"}), "done");
  ASSERT_EQ(listed().integer_or("count", 0), 1);
  EXPECT_EQ(text_at(listed(), {"items", "0", "text"}), "the shed is green");
}

TEST_F(Recall, TurnedOffNothingIsRecalledButToolsStillSearch) {
  start_up({"--recall", "off"});
  auto page = connect();
  const std::string id = new_conversation(*page);
  until_agent();
  turn(*page, id, "remember that I prefer tabs");
  turn(*page, id, "tabs or spaces, which do I prefer?");
  EXPECT_THAT(page->text(id), Not(HasSubstr("Remembered")));
  turn(*page, id, "recall prefer tabs");
  EXPECT_THAT(page->text(id), HasSubstr("- [preference] I prefer tabs"));
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Conversations of a person: pages over real WebSockets, a gateway and an agent that may die at any moment, files on disk.
#include "tests/system/conversations.h"

#include <filesystem>
#include <iterator>
#include <numeric>
#include <sstream>

#include "parlance/transport/private_file.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

class Conversations : public ConversationsTest {
 protected:
  std::string notes() const { return read_file(work() + "/notes.txt"); }
};

TEST_F(Conversations, AnAskSurvivesTheDeathOfEverything) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  EXPECT_EQ(text_at(ask, {"tool"}), "write_file");
  EXPECT_EQ(text_at(ask, {"diff", "after"}), "hello\n");
  EXPECT_THAT(text_at(ask, {"diff", "path"}), testing::EndsWith("/work/notes.txt"));
  const std::string old_token = token;

  page.reset();
  kill_everything();
  EXPECT_FALSE(std::filesystem::exists(work() + "/notes.txt"));
  start_up();
  EXPECT_EQ(token, old_token) << "yesterday's bookmark still works";
  until_agent();

  page = connect();
  ASSERT_TRUE(page->conversations.contains(id));
  ASSERT_TRUE(page->asks.contains(text_at(ask, {"id"})));
  EXPECT_EQ(page->asks[text_at(ask, {"id"})], ask) << "the same card, as open as before";
  EXPECT_EQ(text_at(page->conversations[id], {"state"}), "waiting");
  open(*page, id);
  EXPECT_EQ(page->count(id, "user_message"), 1U);
  EXPECT_EQ(page->count(id, "error"), 0U);
  EXPECT_FALSE(std::filesystem::exists(work() + "/notes.txt"));

  done(*page, "answer", answer_to(ask, "allow_once"));
  until([&] { return !page->last(id, "tool_end").is_null() && text_at(page->last(id, "tool_end"), {"state"}) == "done"; },
        "the file");
  EXPECT_EQ(notes(), "hello\n");
  until([&] { return text_at(page->conversations[id], {"state"}) == "idle"; }, "the end of the turn");
  EXPECT_TRUE(ask_in_state(*page, "open").is_null());
  EXPECT_TRUE(ask_in_state(*page, "orphaned").is_null());
  EXPECT_EQ(notes(), "hello\n");

  // Written once: another run would write again.
  std::filesystem::remove(work() + "/notes.txt");
  page.reset();
  kill_everything();
  start_up();
  until_agent();
  page = connect();
  EXPECT_TRUE(page->asks.empty());
  EXPECT_EQ(text_at(page->conversations[id], {"state"}), "idle");
  EXPECT_EQ(text_at(page->conversations[id], {"open_asks"}), "0");
  EXPECT_FALSE(std::filesystem::exists(work() + "/notes.txt"));
}

TEST_F(Conversations, AnAgentThatDiesIsAskedAgainAndNothingIsSaidTwice) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  until_agent();
  prompt(*page, id, "slow 200 5");
  until([&] { return page->text(id).size() > 100; }, "some text");
  ASSERT_EQ(::kill(service_pid("agent"), SIGKILL), 0);
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");
  EXPECT_EQ(page->count(id, "error"), 0U);
  std::istringstream said(page->text(id).substr(page->text(id).find("w1 ")));
  std::string word;
  for (int i = 1; i <= 200; ++i) {
    ASSERT_TRUE(said >> word);
    EXPECT_EQ(word, "w" + std::to_string(i)) << "none is missing, none comes twice";
  }
  prompt(*page, id, "help");
  until_turns(*page, id, 2);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");
  EXPECT_THAT(page->text(id), HasSubstr("remember"));
  EXPECT_EQ(page->gaps, 0U);
}

// The rehearsal counts the person's messages, and the id of its call has the number.
TEST_F(Conversations, ARestartedAgentReceivesAllMessages) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  until_agent();
  for (std::size_t turns = 1; turns <= 3; ++turns) {
    prompt(*page, id, "help");
    until_turns(*page, id, turns);
  }
  ASSERT_EQ(::kill(service_pid("agent"), SIGKILL), 0);
  prompt(*page, id, "write notes.txt hello");
  EXPECT_EQ(text_at(open_ask(*page), {"call"}), "call_4_1_1");
  EXPECT_EQ(page->count(id, "error"), 0U);
}

TEST_F(Conversations, ACommandRunsWhenApprovedAndOnlyThen) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "run echo one >> ran.txt; echo said-it");
  json::Value ask = open_ask(*page);
  EXPECT_EQ(text_at(ask, {"detail"}), "echo one >> ran.txt; echo said-it");
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 1);
  EXPECT_EQ(read_file(work() + "/ran.txt"), "one\n");
  EXPECT_EQ(page->text(id, "tool_output"), "said-it\n");
  EXPECT_EQ(text_at(page->last(id, "tool_end"), {"state"}), "done");

  prompt(*page, id, "run echo two >> ran.txt");
  ask = open_ask(*page);
  done(*page, "answer", answer_to(ask, "reject_once"));
  until_turns(*page, id, 2);
  EXPECT_EQ(text_at(page->last(id, "tool_end"), {"state"}), "rejected");
  EXPECT_EQ(read_file(work() + "/ran.txt"), "one\n");

  // Its secrets are not the command's.
  prompt(*page, id, "run env | grep -c PARLANCE_ ; true");
  ask = open_ask(*page);
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 3);
  EXPECT_THAT(page->text(id, "tool_output"), testing::EndsWith("0\n"));
}

TEST_F(Conversations, ACommandDiesWithTheGateway) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "run echo $$ > pid; exec sleep 1000");
  done(*page, "answer", answer_to(open_ask(*page), "allow_once"));
  until_file(work() + "/pid", [&] { return read_file(work() + "/pid").ends_with('\n'); }, "the command");
  const Watched command(static_cast<pid_t>(std::stoi(read_file(work() + "/pid"))));
  ASSERT_TRUE(command.runs());
  ASSERT_EQ(::kill(service_pid("gateway"), SIGKILL), 0);
  EXPECT_TRUE(command.ends_within());
}

TEST_F(Conversations, ALongAnswerStreamsAndStops) {
  start_up();
  auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
  const std::size_t before = page->text(id).size();
  prompt(*page, id, "long 50");
  until_turns(*page, id, 2);
  std::istringstream words(page->text(id).substr(before));
  EXPECT_EQ(std::distance(std::istream_iterator<std::string>(words), {}), 50);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");

  prompt(*page, id, "slow 100000 5");
  const std::size_t texts = page->count(id, "text");
  until([&] { return page->count(id, "text") >= texts + 3; }, "the text to come in pieces");
  EXPECT_EQ(page->count(id, "turn_end"), 2U) << "the text comes while the turn runs";
  done(*page, "stop", R"("conversation":")" + id + "\"");
  until_turns(*page, id, 3);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "cancelled");
  // The agent received it as well: its Chat is over, and others get their turn.
  prompt(*page, id, "help");
  until_turns(*page, id, 4);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");
}

TEST_F(Conversations, TwoPagesStayInStep) {
  start_up();
  auto first = connect();
  const std::string id = new_conversation(*first);
  auto second = connect();
  open(*second, id);
  prompt(*first, id, "long 400");
  prompt(*second, id, "run true");
  until([&] { return !ask_in_state(*first, "open").is_null() && !ask_in_state(*second, "open").is_null(); }, "both to be asked");
  done(*second, "answer", answer_to(ask_in_state(*first, "open"), "allow_once"));
  until([&] { return first->count(id, "turn_end") == 2 && second->count(id, "turn_end") == 2; }, "both to receive the end");
  EXPECT_EQ(first->events(id), second->events(id));
  std::vector<std::int64_t> expected(first->events(id).size());
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(first->seqs(id), expected) << "nothing missing, nothing twice";
  EXPECT_EQ(first->gaps + second->gaps, 0U);
  until([&] { return ask_in_state(*first, "open").is_null() && ask_in_state(*second, "open").is_null(); },
        "the card to settle on both");

  // A late page reads the same story.
  auto third = connect();
  open(*third, id);
  EXPECT_EQ(third->events(id), first->events(id));
}

TEST_F(Conversations, OfTwoAnswersTheFirstWins) {
  start_up();
  auto first = connect();
  auto second = connect();
  const std::string id = new_conversation(*first);
  open(*second, id);
  prompt(*first, id, "write notes.txt hello");
  const json::Value ask = open_ask(*first);
  until([&] { return second->asks.contains(text_at(ask, {"id"})); }, "the other page to be asked");
  // Both are on their way before either is answered.
  const std::string allow = first->request("answer", answer_to(ask, "allow_once"));
  const std::string reject = second->request("answer", answer_to(ask, "reject_once"));
  until([&] { return first->answered(allow) && second->answered(reject); }, "both answers");
  const bool allowed = first->type_of_answer(allow) == "done";
  EXPECT_NE(allowed, second->type_of_answer(reject) == "done") << "exactly one of them counts";
  const json::Value& failed = allowed ? second->answers.at(reject) : first->answers.at(allow);
  EXPECT_EQ(text_at(failed, {"type"}), "failed");
  EXPECT_NE(text_at(failed, {"message"}), "");
  until_turns(*first, id, 1);
  until_turns(*second, id, 1);
  EXPECT_EQ(first->count(id, "ask_settled"), 1U);
  EXPECT_EQ(text_at(first->last(id, "tool_end"), {"state"}), allowed ? "done" : "rejected");
  EXPECT_EQ(std::filesystem::exists(work() + "/notes.txt"), allowed);

  // A digest of another text approves nothing.
  prompt(*first, id, "write notes.txt other");
  json::Value other = open_ask(*first);
  other.object()->set("digest", std::string(64, '0'));
  const std::string forged = first->request("answer", answer_to(other, "allow_once"));
  until([&] { return first->answered(forged); }, "the refusal");
  EXPECT_EQ(first->type_of_answer(forged), "failed");
  EXPECT_FALSE(ask_in_state(*first, "open").is_null());
}

// ---- terminals ---------------------------------------------------------------------------------------------------------------

TEST_F(Conversations, ATerminalUsesTheRunningGateway) {
  start_up();
  until_agent();
  const auto page = connect();
  const auto run_there = [&](Words more) {
    Words words{"run", "parlance", "help", "--state", state()};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(std::move(words), "", {{"PARLANCE_STORE", ""}});
  };
  const Finished shared = run_there({});
  EXPECT_EQ(shared.code, 0) << shared.errors;
  EXPECT_THAT(shared.out, HasSubstr("Anything else gets a friendly answer"));
  until([&] { return page->conversations.size() == 1; }, "the conversation on the page");

  EXPECT_EQ(run_there({"--to", "none"}).code, 0);
  EXPECT_EQ(run_there({"--model", "rehearsal"}).code, 0) << "a setting that the gateway would ignore";
  const Finished chat = parlance({"chat", "parlance", "--state", state()}, "/resume\n/memory\n");
  EXPECT_THAT(chat.errors, testing::AllOf(HasSubstr("help"), HasSubstr("/resume NUMBER"), HasSubstr("Nothing.")))
      << "memories of this machine";
  until([&] { return page->conversations.size() == 1; }, "the removal of the chat's empty conversation");
}

TEST_F(Conversations, PageAndTerminalShowTheSameConversations) {
  std::filesystem::create_directories(work());
  const auto chat = [&](std::string_view typed, Words more = {}) {
    Words words{"chat", "parlance", "--state", state(), "--cwd", work()};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(std::move(words), typed, {{"PARLANCE_STORE", ""}});
  };
  ASSERT_EQ(chat("long 3\n").code, 0);
  ASSERT_EQ(chat("think about rain\n").code, 0);
  std::string first = chat("/search w1 w2\n").errors;
  first = first.substr(first.find("conv_"));
  first = first.substr(0, first.find(' '));
  {
    const auto running = FileLock::take(state() + "/chats/" + first + "/hub.lock");
    ASSERT_TRUE(running);
    start_up();
    EXPECT_EQ(connect()->conversations.size(), 1U) << "a chat that runs stays";
    kill_everything();
  }
  start_up();
  until_agent();
  auto page = connect();
  ASSERT_EQ(page->conversations.size(), 2U);
  EXPECT_TRUE(std::filesystem::is_empty(state() + "/chats"));
  open(*page, first);
  EXPECT_THAT(page->text(first), HasSubstr("w1 w2 w3"));
  prompt(*page, first, "long 2");
  until_turns(*page, first, 2);
  page.reset();
  kill_everything();

  const Finished continued = chat("long 1\n", {"--resume", first});
  EXPECT_EQ(continued.code, 0) << continued.errors;
  EXPECT_THAT(continued.errors, HasSubstr("> long 2"));
  EXPECT_THAT(chat("/resume\n").errors, testing::AllOf(HasSubstr("long 3"), HasSubstr("think about rain")));
  EXPECT_THAT(chat("/search w1 w2\n").errors, HasSubstr(first));
  EXPECT_THAT(chat("/search rain\n").errors, HasSubstr("think about rain")) << "in the store of the gateway";
  const auto prompt_once = [&](Words more) {
    Words words{"run", "parlance", "help", "--state", state(), "--cwd", work()};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(std::move(words), "", {{"PARLANCE_STORE", ""}}).code;
  };
  EXPECT_EQ(prompt_once({}), 0);
  EXPECT_EQ(prompt_once({"--temporary"}), 0);
  EXPECT_THAT(chat("/resume\n").errors, HasSubstr("help"));
  start_up();
  page = connect();
  ASSERT_EQ(page->conversations.size(), 3U) << "one of the prompts is stored";
  open(*page, first);
  EXPECT_EQ(page->count(first, "user_message"), 3U);
}

}  // namespace
}  // namespace parlance::test

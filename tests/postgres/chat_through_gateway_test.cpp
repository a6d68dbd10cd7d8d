// SPDX-License-Identifier: Apache-2.0
// parlance chat and run through a gateway that is not the owner. The log has the person's name, and both continue at the other
// gateway after the death of theirs.
#include <sstream>

#include "tests/postgres/through_gateway.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ChatThroughGateway : public ThroughGatewayTest {
 protected:
  std::unique_ptr<Program> chat(Words more, const std::string& name = "ann") {
    Words words{"chat"};
    words.insert(words.end(), more.begin(), more.end());
    return started(std::move(words), name);
  }
  static std::size_t times(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
  }
  // So many words of `slow`, each once.
  static void expect_each_once(const std::string& text, int words) {
    std::map<std::string, int> count;
    std::istringstream all(text);
    for (std::string word; all >> word;) ++count[word];
    for (int i = 1; i <= words; ++i) EXPECT_EQ(count["w" + std::to_string(i)], 1) << "w" << i << " in " << text;
  }
};

class ChatWithSharedMemory : public ChatThroughGateway {
 protected:
  ChatWithSharedMemory() { memory_is_shared = true; }
};

TEST_F(ChatThroughGateway, ContinuesAnotherGatewaysConversationAndAnswersInThePersonsName) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id, "--approve", "ask"});
  until_line(*one, "Anything else gets a friendly answer");
  say(*one, "write notes.txt hello");
  until_shown(*one, "(y)");
  EXPECT_THAT(one->errors, AllOf(HasSubstr("notes.txt"), HasSubstr("+ hello")));
  say(*one, "y");
  until_file(work() + "/notes.txt", [&] { return std::filesystem::exists(work() + "/notes.txt"); }, "the file");
  until_line(*one, "Created notes.txt.");
  say(*one, "/mode autoEdit");
  until_shown(*one, "mode autoEdit");
  say(*one, "write more.txt bye");
  until_line(*one, "Created more.txt.");
  leave(*one, "/exit");
  EXPECT_EQ(one->child().exit_status()->code, 0) << one->errors;

  until_turns(*annas, id, 3);
  EXPECT_EQ(text_at(annas->last(id, "user_message"), {"by"}), "ann");
  EXPECT_EQ(text_at(annas->last(id, "ask_settled"), {"by"}), "ann");
  EXPECT_EQ(annas->conversations.at(id).text_or("mode", ""), "autoEdit");
  EXPECT_EQ(annas->count(id, "ask_settled"), 1U) << "nothing is asked in a mode that allows it";
  EXPECT_EQ(owned(a), 1);
  EXPECT_EQ(owned(b), 0);
  EXPECT_THAT(command({"log", "export", "--conversation", id}).out, HasSubstr(R"("by":"ann")"));
}

TEST_F(ChatThroughGateway, AQuestionAPlanAndTheList) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--approve", "ask"});
  say(*one, "ask");
  until_shown(*one, "Which colour");
  say(*one, "2");
  until_line(*one, "Your answer was:");
  EXPECT_THAT(said(*one), HasSubstr("Red"));
  say(*one, "/mode plan");
  until_shown(*one, "mode plan");
  say(*one, "plan");
  until_shown(*one, "(f)");
  say(*one, "f\npaint it blue");
  until_line(*one, "paint it blue");
  say(*one, "/resume");
  until_shown(*one, "/resume NUMBER");
  EXPECT_THAT(one->errors, AllOf(HasSubstr("help"), HasSubstr(work())));
  say(*one, "/resume 2");
  until_line(*one, "Anything else gets a friendly answer");
  say(*one, "/agent");
  until_shown(*one, "there are parlance");
  say(*one, "/model of-the-next-turn");
  until_shown(*one, "model of-the-next-turn");
  leave(*one, "/exit");
  until_turns(*annas, id, 1);
}

TEST_F(ChatThroughGateway, TitleArchiveAndAccessReachThePageAndNeedThePermission) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id});
  until_line(*one, "Anything else gets a friendly answer");
  say(*one, "/title shed and garden");
  until_shown(*one, "title shed and garden");
  say(*one, "/access everybody");
  until_shown(*one, "no such access: everybody; there are private, view, team");
  say(*one, "/access view");
  until_shown(*one, "access view");
  say(*one, "/archive");
  until_shown(*one, "archived; /resume archived lists it");
  until([&] { return annas->conversations.at(id).boolean_or("archived", false); }, "the archived conversation on the page");
  EXPECT_EQ(annas->conversations.at(id).text_or("title", ""), "shed and garden");
  EXPECT_EQ(annas->conversations.at(id).text_or("access", ""), "view");
  leave(*one, "/exit");
  Finished reader;
  until_observed(
      [&] {
        reader = done_through({"chat", "--resume=" + id}, "/title bobs\n/access\n", "bob");
        return reader.errors.contains("access view");
      },
      "the conversation at the other gateway");
  EXPECT_THAT(reader.errors, AllOf(HasSubstr("error: "), Not(HasSubstr("title bobs"))));
  EXPECT_EQ(annas->conversations.at(id).text_or("title", ""), "shed and garden");
}

TEST_F(ChatThroughGateway, ASearchFindsReadableConversationsOnlyAndResumesTheFoundOne) {
  const std::string id = conversation_at_a();
  const auto one = chat({});
  say(*one, "/search");
  until_shown(*one, "/search needs words");
  say(*one, "/search friendly ANSWER");
  until_shown(*one, "/resume ID continues");
  EXPECT_THAT(one->errors, AllOf(HasSubstr("  " + id + "  "), HasSubstr("gets a friendly answer")));
  say(*one, "/resume " + id);
  until_line(*one, "Anything else gets a friendly answer");
  way->lead_to("http://127.0.0.1:1");
  b.program->child().signal_group(SIGKILL);
  until_shown(*one, "connecting again");
  say(*one, "/search friendly");
  until_shown(*one, "error: the gateway ");
  leave(*one, "/exit");
  way->lead_to(a.base);
  EXPECT_THAT(done_through({"chat"}, "/search friendly\n", "bob").errors, AllOf(HasSubstr("Nothing."), Not(HasSubstr(id))));
}

TEST_F(ChatThroughGateway, RulesAndTheQueueAreThoseOfTheGateway) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id, "--approve", "ask"});
  until_line(*one, "Anything else gets a friendly answer");
  say(*one, "write notes.txt hello");
  until_shown(*one, "(a)");
  say(*one, "a");
  until_line(*one, "Created notes.txt.");
  say(*one, "/rules");
  until_shown(*one, "/rules revoke NUMBER");
  say(*one, "/rules revoke 1");
  until_shown(*one, "revoked: ");
  say(*one, "/rules");
  until_shown(*one, "No rules: ");
  prompt(*annas, id, "slow 100000 5");
  prompt(*annas, id, "first waiting");
  prompt(*annas, id, "second waiting");
  done(*annas, "stop", R"("conversation":")" + id + "\"");
  until_turns(*annas, id, 3);
  until_shown(*one, "this turn was stopped");  // the chat has all earlier changes
  say(*one, "/queue");
  until_shown(*one, "/queue drop NUMBER");
  EXPECT_THAT(one->errors, AllOf(HasSubstr("  1   first waiting"), HasSubstr("  2   second waiting")));
  say(*one, "/queue drop 1");
  until_shown(*one, "removed: first waiting");
  say(*one, "/queue go");
  until_turns(*annas, id, 4);
  EXPECT_EQ(text_at(annas->last(id, "user_message"), {"text"}), "second waiting");
  leave(*one, "/exit");
}

TEST_F(ChatThroughGateway, UsageAndLimitsAreThoseOfTheGateway) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id});
  until_line(*one, "Anything else gets a friendly answer");
  say(*one, "/usage");
  until_shown(*one, "No limits: ");
  EXPECT_THAT(one->errors, HasSubstr("  help  (" + id + ")"));
  say(*one, "/limit conversation 500000");
  until_shown(*one, "error: ");
  expect_done(command({"users", "role", "ann", "admin"}));
  until_observed([&] { return done_through({"chat"}, "/limit day 2.50 USD\n").errors.contains("  2.50 USD a day"); },
                 "the admin");
  say(*one, "/limit conversation 500000");
  until_shown(*one, "  500,000 tokens for a conversation");
  say(*one, "/limit day off");
  until_shown(*one, "Limits\n  500,000 tokens for a conversation");
  say(*one, "/limit day much");
  until_shown(*one, "needs an amount");
  leave(*one, "/exit");
  const Finished shown = done_through({"usage"}, "");
  EXPECT_THAT(shown.out, AllOf(HasSubstr("  help  (" + id + ")"), HasSubstr("\n  500,000 tokens for a conversation\n"),
                               Not(HasSubstr("a day"))));
  EXPECT_EQ(parlance::test::at(parsed(done_through({"usage", "--json"}, "").out), {"limits", "conversation_tokens"}),
            json::Value(500'000));
  EXPECT_THAT(done_through({"usage"}, "", "bob").out, Not(HasSubstr(id)));
}

TEST_F(ChatWithSharedMemory, MemoriesAndDeletionAreThoseOfTheGateway) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id, "--approve", "all"});
  until_line(*one, "Anything else gets a friendly answer");
  say(*one, "remember the shed is green");
  until_line(*one, "Stored: the shed is green");
  say(*one, "/memory shed");
  until_shown(*one, "  the shed is green\n/memory forget ID");
  const std::string memory = one->errors.substr(one->errors.find("mem_"), one->errors.find("  20") - one->errors.find("mem_"));
  say(*one, "/memory forget " + memory);
  until_shown(*one, "The memory " + memory + " is deleted.");
  say(*one, "/memory");
  until_shown(*one, "Nothing.");
  say(*one, "/delete yes");
  until_shown(*one, "The conversation is deleted.");
  until([&] { return !annas->conversations.contains(id); }, "the deletion on the page");
  leave(*one, "/exit");
}

// Edits and messages of a page reach the terminal at once, with their author.
TEST_F(ChatThroughGateway, AMessageOnThePageIsShownBeforeTheNextPrompt) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id});
  until_line(*one, "Anything else gets a friendly answer");
  prompt(*annas, id, "slow 3 1");
  until_shown(*one, "ann: slow 3 1");
  until_line(*one, "w1 w2 w3");
  leave(*one, "/exit");
}

TEST_F(ChatThroughGateway, ARequestOfAnotherTurnIsAskedHereAndApproveAnswersOwnTurnsOnly) {
  const std::string id = conversation_at_a();
  const auto refuses = chat({"--resume=" + id, "--approve", "none"});
  const auto asks = chat({"--resume=" + id, "--approve", "ask"});
  until_line(*refuses, "Anything else gets a friendly answer");
  until_line(*asks, "Anything else gets a friendly answer");
  prompt(*annas, id, "write notes.txt hello");
  until_shown(*refuses, "write_file");
  until_shown(*asks, "(y)");
  say(*refuses, "write more.txt bye");
  until_shown(*refuses, "waits for the running turn; --approve does not answer");
  EXPECT_FALSE(ask_in_state(*annas, "open").is_null()) << "the request of the page's turn stays open";
  say(*asks, "y");
  until([&] { return times(asks->errors, "(y)") == 2; }, "the request of the queued prompt");
  say(*asks, "n");
  until_turns(*annas, id, 3);
  EXPECT_EQ(read_file(work() + "/notes.txt"), "hello\n");
  EXPECT_FALSE(std::filesystem::exists(work() + "/more.txt"));
  say(*refuses, "write last.txt bye");
  until_turns(*annas, id, 4);
  EXPECT_FALSE(std::filesystem::exists(work() + "/last.txt")) << "--approve none answers the turn of its own prompt";
  leave(*refuses, "/exit");
  leave(*asks, "/exit");
}

TEST_F(ChatThroughGateway, CtrlCStopsTheRemoteTurn) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id});
  say(*one, "slow 100000 5");
  until_line(*one, "w1 w2");
  ::kill(one->child().pid(), SIGINT);
  until_shown(*one, "(stopped)");
  until_turns(*annas, id, 2);
  EXPECT_EQ(text_at(annas->last(id, "turn_end"), {"stop_reason"}), "cancelled");
  say(*one, "help");
  until_turns(*annas, id, 3);
  leave(*one, "/exit");
}

TEST_F(ChatThroughGateway, AfterAGatewaysKillTheChatContinuesAtTheOtherWithoutLossOrRepetition) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id, "--approve", "ask"});
  say(*one, "slow 120 10");
  until([&] { return annas->text(id).contains("w15 "); }, "the beginning of the text");
  b.program->child().signal_group(SIGKILL);
  until_shown(*one, "connecting again");
  way->lead_to(a.base);
  until_shown(*one, " again)");
  until_turns(*annas, id, 2);
  until_line(*one, "w120");
  say(*one, "write notes.txt hello");
  until_shown(*one, "(y)");
  say(*one, "y");
  until_line(*one, "Created notes.txt.");
  leave(*one, "/exit");
  until_turns(*annas, id, 3);
  expect_each_once(said(*one), 120);
  EXPECT_EQ(times(said(*one), "Created notes.txt."), 1U);
  EXPECT_EQ(annas->count(id, "user_message"), 3U);
  expect_no_gap(*annas, id);
}

TEST_F(ChatThroughGateway, ARequestOpenAtTheGatewaysDeathIsAnsweredAtTheOther) {
  const std::string id = conversation_at_a();
  const auto one = chat({"--resume=" + id, "--approve", "ask"});
  say(*one, "write notes.txt hello");
  until_shown(*one, "(y)");
  b.program->child().signal_group(SIGKILL);
  until_shown(*one, "connecting again");
  way->lead_to(a.base);
  say(*one, "y");
  until_line(*one, "Created notes.txt.");
  until_turns(*annas, id, 2);
  EXPECT_EQ(read_file(work() + "/notes.txt"), "hello\n");
  EXPECT_EQ(times(one->errors, "(y)"), 1U) << "the question is asked once";
  leave(*one, "/exit");
  EXPECT_EQ(annas->count(id, "ask_settled"), 1U);
}

TEST_F(ChatThroughGateway, RunIsASinglePrompt) {
  const Finished one = done_through({"run", "parlance", "write notes.txt hello", "--approve", "all"}, "");
  EXPECT_EQ(one.code, 0) << one.errors;
  EXPECT_THAT(one.out, HasSubstr("Created notes.txt."));
  EXPECT_EQ(read_file(work() + "/notes.txt"), "hello\n");
  const Finished no = done_through({"run", "parlance", "write other.txt hello", "--approve", "none"}, "");
  EXPECT_EQ(no.code, 3) << no.errors;
  EXPECT_FALSE(std::filesystem::exists(work() + "/other.txt"));
  const Finished elsewhere = done_through({"run", "parlance", "help", "--cwd", "/nowhere/at/all"}, "");
  EXPECT_THAT(elsewhere.errors, AllOf(HasSubstr("/nowhere/at/all"), Not(HasSubstr("--cwd: "))));
  until([&] { return !annas->conversations.empty(); }, "what was said, on the page");
}

TEST_F(ChatThroughGateway, PrivateConversationsAreHiddenFromOthersAndAViewerOnlyReads) {
  const std::string id = conversation_at_a();
  const Finished bobs = done_through({"chat", "--resume=" + id}, "help\n", "bob");
  EXPECT_NE(bobs.code, 0);
  EXPECT_THAT(bobs.errors, HasSubstr("there is no conversation " + id + " that you may read"));
  EXPECT_THAT(done_through({"chat"}, "/resume\n", "bob").errors, Not(HasSubstr("help")));

  done(*annas, "set", R"("conversation":")" + id + R"(","access":"view")");
  expect_done(command({"users", "role", "bob", "viewer"}));
  Finished viewer;
  until_observed(
      [&] {
        viewer = done_through({"chat", "--resume=" + id}, "write x.txt y\n", "bob");
        return viewer.errors.contains("parlance users role");
      },
      "a word of what would help");
  EXPECT_THAT(viewer.out, HasSubstr("Anything else gets a friendly answer")) << "it may be read";
  EXPECT_FALSE(std::filesystem::exists(work() + "/x.txt"));
}

TEST_F(ChatThroughGateway, ARevokedTokenEndsTheChatWithAMessage) {
  const auto one = chat({});
  say(*one, "help");
  until_line(*one, "Anything else gets a friendly answer");
  revoke("ann");
  until([&] { return annas->ended; }, "the end of the page");
  say(*one, "help");  // perhaps while the connection is being closed
  until_shown(*one, "error: ");
  say(*one, "help");
  until_shown(*one, "parlance tokens create");
  EXPECT_THAT(one->errors, AllOf(HasSubstr("revoked"), Not(HasSubstr(tokens.at("ann")))));
  leave(*one, "/exit");
}

TEST_F(ChatThroughGateway, ReportsFaultsOfTheGatewaysAddress) {
  const auto tried = [&](const std::string& to, const std::string& shown) {
    return parlance({"chat", "--to=" + to}, "", {{"PARLANCE_TOKEN", shown}});
  };
  const Finished wrong = tried(way->address(), "the-wrong-token-of-somebody-else");
  EXPECT_EQ(wrong.code, 4);
  EXPECT_THAT(wrong.errors, AllOf(HasSubstr("401"), HasSubstr("mistyped"), Not(HasSubstr("the-wrong-token"))));
  EXPECT_THAT(tried("ws://127.0.0.1:1", the_token).errors, HasSubstr("the gateway runs"));
  EXPECT_THAT(tried("http://127.0.0.1:1", the_token).errors, HasSubstr("give wss://HOST[:PORT]"));
  EXPECT_THAT(tried(way->address() + "/nothing", the_token).errors, HasSubstr("is this the address of a parlance gateway"));
  EXPECT_THAT(tried(way->address(), "auto").errors, HasSubstr("wants a token")) << "there is no gateway of this state folder";
  write_file(path("open-token"), the_token);
  std::filesystem::permissions(path("open-token"), std::filesystem::perms(0644));
  EXPECT_THAT(parlance({"chat", "--to=" + way->address(), "--token-file", path("open-token")}).errors, HasSubstr("chmod 600"));
  std::filesystem::permissions(path("open-token"), std::filesystem::perms(0600));
  EXPECT_EQ(parlance({"chat", "--to=" + way->address(), "--token-file", path("open-token")}, "help\n").code, 0);
  EXPECT_THAT(done_through({"chat", "nobody"}, "").errors, HasSubstr("there are parlance"));
  EXPECT_THAT(done_through({"chat", "--cwd", "here"}, "").errors, HasSubstr("begins with a slash"));
}

}  // namespace
}  // namespace parlance::test

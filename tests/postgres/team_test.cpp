// SPDX-License-Identifier: Apache-2.0
// A team at gateways with one PostgreSQL: users and tokens by the commands, what each sees, and that nothing private is in another's frames.
#include "tests/postgres/team.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(TeamTest, FramesOfOthersContainNoPrivateData) {
  const Gateway two = start_gateway("two");
  const auto bobs = page_of("bob", one);
  const auto bobs_elsewhere = page_of("bob", two);
  const auto machines = page_of("machine", one);
  const auto anns = page_of("ann", two);
  const std::string id = new_conversation(*anns);
  prompt(*anns, id, std::string("write ") + marker + ".txt hello");
  const json::Value ask = open_ask(*anns);
  EXPECT_THAT(json::to_text(ask), HasSubstr(marker));
  const std::string attached = R"("conversation":")" + id + R"(","text":")" + marker + R"(","attachments":[{"name":")" + marker +
                               R"(.txt","media_type":"text/plain","data":")" + "emVicmE=" + R"("}])";
  done(*anns, "prompt", attached);
  done(*anns, "answer", answer_to(ask, "allow_once"));
  until_turns(*anns, id, 2);
  const std::string picture = text_at(anns->last(id, "user_message").find("attachments")->array()->front(), {"id"});

  // What bob asks for by name.
  std::string received;
  for (PageClient* page : {bobs.get(), bobs_elsewhere.get()}) {
    for (const std::string& where : {id, std::string("conv_none")}) {
      const std::string members = R"("conversation":")" + where + R"(","after":0)";
      const std::string number = page->request("open", members);
      until([&] { return page->answered(number); }, "an answer");
      EXPECT_EQ(text_at(page->answers.at(number), {"code"}), "not_found");
    }
    for (const char* type : {"prompt", "search", "answer", "delete", "set"}) {
      const std::string number =
          page->request(type, R"("conversation":")" + id + R"(","text":"x","words":"zebra","title":"x","digest":"","ask":")" +
                                  text_at(ask, {"id"}) + "\"");
      until([&] { return page->answered(number); }, type);
    }
  }
  as("bob");
  for (const char* where : {"v1/models", "databases", "memory/list"}) received += answer("GET", where).body;
  EXPECT_EQ(answer("GET", "attachments/" + picture).status, 404);
  as("ann");
  EXPECT_EQ(answer("GET", "attachments/" + picture).status, 200);
  as("bob");
  received += chat("help");
  const std::vector<std::string> asked{
      R"("method":"initialize","params":{"protocolVersion":1})", R"("method":"session/list","params":{})",
      R"("method":"session/load","params":{"cwd":")" + work() + R"(","mcpServers":[],"sessionId":")" + id + "\"}"};
  const std::string editor = replies_over_acp("bob", asked);
  EXPECT_THAT(editor, AllOf(HasSubstr("error"), Not(HasSubstr(marker))));
  EXPECT_THAT(replies_over_acp("ann", asked), HasSubstr(marker));
  loop.run_for(std::chrono::milliseconds(300));
  EXPECT_THAT(received, AllOf(Not(HasSubstr(marker)), Not(HasSubstr(id))));
  for (PageClient* page : {bobs.get(), bobs_elsewhere.get(), machines.get()}) {
    EXPECT_THAT(page->frames, Not(HasSubstr(marker)));
    EXPECT_FALSE(page == machines.get() ? page->frames.contains("\"title\":\"write") : page->conversations.contains(id));
  }
  EXPECT_THAT(anns->frames, HasSubstr(marker)) << "the test can fail";
}

TEST_F(TeamTest, AConversationOpenToTheTeamIsAnsweredThereWithTheAuthor) {
  const auto anns = page_of("ann", one);
  const std::string id = new_conversation(*anns);
  const auto bobs = page_of("bob", one);
  EXPECT_FALSE(bobs->conversations.contains(id));
  done(*anns, "set", R"("conversation":")" + id + R"(","access":"team")");
  until([&] { return bobs->conversations.contains(id); }, "the conversation");
  open(*bobs, id);
  prompt(*bobs, id, "write notes.txt hello");
  done(*anns, "answer", answer_to(open_ask(*anns), "allow_once"));
  until_turns(*bobs, id, 1);
  EXPECT_EQ(text_at(anns->last(id, "user_message"), {"by"}), "bob");
  EXPECT_EQ(text_at(bobs->last(id, "ask_settled"), {"by"}), "ann");
  done(*anns, "set", R"("conversation":")" + id + R"(","access":"private")");
  until([&] { return !bobs->conversations.contains(id); }, "the end of it, for bob");

  const Finished log = command({"log", "export", "--conversation", id});
  EXPECT_THAT(log.out, AllOf(HasSubstr(R"("by":"bob")"), HasSubstr(R"("by":"ann")"), HasSubstr(R"("user":"ann")")));
  EXPECT_EQ(command({"log", "export", "--conversation", "conv_none"}).code, 1);
}

// Who did what, from users to a conversation that is gone, with nothing private and no secret in it.
TEST_F(TeamTest, TheLogNamesAuthorsAndTheAuditTheRest) {
  const Gateway two = start_gateway("two");
  const auto anns = page_of("ann", one);
  const auto bobs = page_of("bob", two);
  const std::string id = new_conversation(*anns);
  done(*anns, "set", R"("conversation":")" + id + R"(","access":"team","title":")" + marker + "\"");
  until([&] { return bobs->conversations.contains(id); }, "the conversation");
  open(*bobs, id);
  prompt(*bobs, id, std::string("write ") + marker + ".txt hello");
  done(*anns, "answer", answer_to(open_ask(*anns), "allow_always"));
  until_turns(*bobs, id, 1);
  done(*page_of("ann", two), "set", R"("conversation":")" + id + R"(","mode":"plan")");
  const Finished log = command({"log", "export", "--conversation", id});
  EXPECT_THAT(log.out, AllOf(HasSubstr(R"("act":{"what":"access","value":"team","by":"ann"})"),
                             HasSubstr(R"("act":{"what":"title","value":")" + std::string(marker) + R"(","by":"ann"})"),
                             HasSubstr(R"("kind":"mode","mode":"plan","by":"ann")"), HasSubstr(R"("rule":"rule_)")));

  done(*anns, "delete", R"("conversation":")" + id + "\"");
  expect_done(command({"users", "role", "bob", "viewer"}));
  const Finished left = command({"log", "export", "--conversation", id});
  EXPECT_EQ(left.code, 0) << left.errors;
  EXPECT_THAT(left.out, AllOf(HasSubstr(R"("what":"rule_added","by":"ann")"),
                              HasSubstr(R"("what":"conversation_deleted","by":"ann")"), Not(HasSubstr(marker))));
  const Finished all = command({"log", "export"});
  EXPECT_THAT(all.out, AllOf(HasSubstr(R"("what":"user_added","by":")"), HasSubstr("token_made"),
                             HasSubstr(R"("detail":"bob, viewer")"), Not(HasSubstr(marker)), Not(HasSubstr(tokens["ann"]))));
  EXPECT_EQ(command({"log", "export", "--conversation", "conv_none"}).code, 1);
}

TEST_F(TeamTest, ARevokedTokenOrDisabledUserIsDisconnectedWithinSeconds) {
  const auto bobs = page_of("bob", one);
  const auto anns = page_of("ann", one);
  expect_done(command({"tokens", "revoke", id_of_token("bob")}));
  until([&] { return bobs->ended; }, "the end of the page");
  EXPECT_FALSE(comes_in("bob"));
  EXPECT_FALSE(anns->ended);
  expect_done(command({"users", "disable", "ann"}));
  until([&] { return anns->ended; }, "the end of the page");
  EXPECT_FALSE(comes_in("ann"));
  expect_done(command({"users", "enable", "ann"}));
  until_observed([&] { return comes_in("ann"); }, "to be let in again");
}

TEST_F(TeamTest, ARunnersTokenOpensNoRouteOfAPerson) {
  tokens["runner"] = token_of("ann", {"--kind", "runner", "--label", "build machine"});
  as("runner");
  until_observed([&] { return answer("GET", "v1/models").status == 403; }, "a gateway that knows the token");
  EXPECT_EQ(answer("GET", "memory/list").status, 403);
  EXPECT_THAT(command({"tokens", "list"}).out, AllOf(HasSubstr("build machine"), Not(HasSubstr(tokens["runner"]))));
}

TEST_F(TeamTest, ARunnerIsItsUsersAlone) {
  const auto runner_of = [&](const std::string& user) { return launch_runner(one.base, runner_token_of(user), "box", user); };
  const auto anns = page_of("ann", one);
  const auto bobs = page_of("bob", one);
  const auto runner = runner_of("ann");
  until_connected(*runner);
  const std::string on_box = R"("agent":"box/parlance","folder":")" + farm() + "\"";
  const std::string id = text_at(done(*anns, "new", on_box), {"conversation", "id"});
  EXPECT_FALSE(bobs->conversations.contains(id));
  const std::string number = bobs->request("new", on_box);
  until([&] { return bobs->answered(number); }, "an answer");
  EXPECT_EQ(text_at(bobs->answers.at(number), {"code"}), "not_found");
  EXPECT_THAT(anns->frames, HasSubstr("\"box/parlance\""));
  EXPECT_THAT(page_of("bob", one)->frames + bobs->frames.substr(0, bobs->frames.find("no such agent")), Not(HasSubstr("box")));

  const auto second = runner_of("bob");
  until([&] { return second->ended(); }, "an end");
  EXPECT_THAT(second->errors, HasSubstr("another user has a runner with the name box"));
  EXPECT_FALSE(runner->ended());
}

TEST_F(TeamTest, MemoriesBelongToTheirUserAlone) {
  agent.reset();
  agent = launch(with_program({"agent", "--agent-socket", socket(), "--state", path("agent-state"), "--rehearsal-pace-ms", pace}),
                 {{"PARLANCE_STORE", store}});
  const auto search = [&](const std::string& name) {
    as(name);
    return answer("GET", "memory/search?query=zebra&minScore=0");
  };
  until_observed([&] { return search("ann").status == 200; }, "an agent");
  as("ann");
  ASSERT_EQ(answer("POST", "memory/store", R"({"text":"The zebra is called )" + std::string(marker) + "\"}").status, 200);
  EXPECT_THAT(search("ann").body, HasSubstr(marker));
  EXPECT_THAT(answer("GET", "storage/stats").body, HasSubstr(R"("memories":1)"));
  for (const char* other : {"bob", "machine"}) {
    EXPECT_THAT(search(other).body, Not(HasSubstr(marker)));
    EXPECT_THAT(answer("GET", "memory/list").body, Not(HasSubstr(marker)));
    EXPECT_THAT(answer("GET", "storage/stats").body, HasSubstr(R"("memories":0)"));
    const auto page = page_of(other, one);
    done(*page, "memory_list", R"("limit":5)");
    EXPECT_THAT(page->frames, Not(HasSubstr(marker)));
  }
  const auto anns = page_of("ann", one);
  done(*anns, "memory_list", R"("limit":5)");
  EXPECT_THAT(anns->frames, HasSubstr(marker));
}

TEST_F(TeamTest, AViewerReadsAndAnAdminAloneAsksHowTheMachineIs) {
  expect_done(command({"users", "role", "bob", "viewer"}));
  until_observed([&] { return comes_in("bob") && answer("GET", "databases").status == 403; }, "a viewer");
  EXPECT_EQ(answer("GET", "doctor").status, 403);
  const auto bobs = page_of("bob", one);
  const std::string number = bobs->request("new", R"("agent":"parlance","folder":")" + work() + "\"");
  until([&] { return bobs->answered(number); }, "an answer");
  EXPECT_EQ(text_at(bobs->answers.at(number), {"code"}), "denied");
  EXPECT_THAT(text_at(bobs->answers.at(number), {"message"}), HasSubstr("parlance users role"));
}

TEST_F(TeamTest, TheCommandsReportFaultsWithRemedies) {
  EXPECT_THAT(parlance({"users", "list"}).errors, HasSubstr("--store=postgresql://"));
  for (const char* name : {"ann", "Ann", "ANN"})
    EXPECT_THAT(command({"users", "add", name}).errors, HasSubstr("taken by the user ann"));
  EXPECT_EQ(command({"users", "add", "person"}).code, 2);
  EXPECT_THAT(command({"tokens", "create", "eve"}).errors, HasSubstr("parlance users list"));
  EXPECT_THAT(command({"tokens", "revoke", "token_none"}).errors, HasSubstr("parlance tokens list"));
  const json::Value users = parsed(command({"users", "list", "--json"}).out);
  ASSERT_EQ(users.array()->size(), 2U);
  EXPECT_EQ(text_at(users.array()->front(), {"name"}), "ann");
}

}  // namespace
}  // namespace parlance::test

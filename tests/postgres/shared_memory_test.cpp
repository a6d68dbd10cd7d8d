// SPDX-License-Identifier: Apache-2.0
// A memory on PostgreSQL for programs: `parlance memory` from a shell, the move from a file into a team's database and back, and
// agents on two machines.
#include <algorithm>

#include "tests/postgres/server.h"
#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SharedMemoryCommands : public ConversationsTest {
 protected:
  void SetUp() override {
    PARLANCE_NEEDS_POSTGRES();
    store = postgres().new_database();
  }
  Finished in_file(Words words) {
    words.insert(words.begin(), "memory");
    words.insert(words.end(), {"--state", state()});
    return parlance(std::move(words));
  }
  // As another machine would: with a state folder of its own.
  Finished shared(Words words, const std::string& machine = "one") {
    words.insert(words.begin(), "memory");
    words.insert(words.end(), {"--state", path(machine)});
    return parlance(std::move(words), "", {{"PARLANCE_STORE", store}});
  }
  static constexpr const char* the_token = "the-token-of-this-test-is-long-enough";
  std::string store;
};

TEST_F(SharedMemoryCommands, AMachineFindsAndForgetsAnothersMemories) {
  ASSERT_EQ(shared({"store", "We deploy on Tuesdays."}).code, 0);
  EXPECT_THAT(shared({"search", "when do we deploy?"}, "two").out, HasSubstr("We deploy on Tuesdays."));
  EXPECT_THAT(shared({"search", "when do we deploy?", "--user", "u_ada"}, "two").out, HasSubstr("No memory scores"));
  EXPECT_FALSE(std::filesystem::exists(path("one") + "/memory.db"));
  const Finished stats = shared({"stats"}, "two");
  EXPECT_THAT(stats.out, HasSubstr("memories   1 (other 1)"));
  EXPECT_THAT(stats.out, HasSubstr("postgresql://parlance@127.0.0.1:"));
  const std::string id = text_at(parsed(shared({"list", "--json"}).out), {"memories", "0", "id"});
  EXPECT_EQ(shared({"delete", id}, "two").code, 0);
  EXPECT_THAT(shared({"search", "when do we deploy?"}).out, HasSubstr("No memory scores"));
}

TEST_F(SharedMemoryCommands, MemoriesMoveFromAFileIntoTheDatabaseAndBack) {
  for (const char* text : {"We deploy on Tuesdays.", "用户喜欢深色主题", "It's \"quoted\" \\ {a}"})
    ASSERT_EQ(in_file({"store", text}).code, 0);
  ASSERT_EQ(in_file({"export", path("out.jsonl")}).code, 0);
  EXPECT_THAT(shared({"import", path("out.jsonl")}).out, HasSubstr("3 stored, 0 existed already"));
  EXPECT_THAT(shared({"import", path("out.jsonl")}, "two").out, HasSubstr("0 stored, 3 existed already"));
  EXPECT_THAT(shared({"search", "深色主题"}).out, HasSubstr("用户喜欢深色主题"));
  ASSERT_EQ(shared({"export", path("back.jsonl")}).code, 0);
  EXPECT_EQ(read_file(path("back.jsonl")), read_file(path("out.jsonl"))) << "ids, times and order included";
}

TEST_F(SharedMemoryCommands, AnUnresponsiveDatabaseIsReportedWithoutItsPassword) {
  store = "postgresql://a:geheim@127.0.0.1:1/db";
  const Finished search = shared({"search", "anything"});
  EXPECT_NE(search.code, 0);
  EXPECT_THAT(search.errors, HasSubstr("the memory: PostgreSQL:"));
  EXPECT_THAT(search.errors, Not(HasSubstr("geheim")));
  store = "mysql://h/db";
  EXPECT_EQ(shared({"search", "anything"}).code, 2);
}

// The earlier file is unused now, whatever its state.
TEST_F(SharedMemoryCommands, TheDoctorLooksAtTheMemoryOfTheDatabase) {
  std::filesystem::create_directories(path("one"));
  std::filesystem::permissions(path("one"), std::filesystem::perms::owner_all);
  write_file(path("one/memory.db"), "this is no database, whatever its name says, and long enough to look like one");
  const auto doctor = [&](Words more = {}) {
    Words words{"doctor", "--state", path("one")};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(std::move(words), "", {{"PARLANCE_STORE", store}}).out;
  };
  EXPECT_THAT(doctor(), AllOf(HasSubstr("no memories yet"), Not(HasSubstr("memory.db"))));
  ASSERT_EQ(shared({"store", "We deploy on Tuesdays."}).code, 0);
  ASSERT_EQ(shared({"store", "I like tea.", "--user", "u_ada"}).code, 0);
  EXPECT_THAT(doctor(), HasSubstr("memories: 2, of people: 2"));
  EXPECT_THAT(doctor({"--language", "zh"}), HasSubstr("记忆：2 条，属于 2 人"));
}

// Two machines: memories stored on the first are found on the second, through gateway and agent.
TEST_F(SharedMemoryCommands, AgentsOfTwoMachinesShareAMemory) {
  const auto start = [&](const std::string& name) {
    std::filesystem::create_directories(work());
    return launch(with_program({"up", "--listen", "127.0.0.1:0", "--embed-listen", "127.0.0.1:0", "--agent-socket",
                                path(name + ".sock"), "--state", path(name), "--folder", work(), "--ready-file",
                                path(name + ".json"), "--rehearsal-pace-ms", "0"}),
                  {{"PARLANCE_STORE", store}, {"PARLANCE_TOKEN", the_token}});
  };
  const auto first = start("one");
  const auto second = start("two");
  token = the_token;
  const auto at_machine = [&](const std::string& name) {
    until_file(
        path(name + ".json"), [&] { return !read_file(path(name + ".json")).empty() || first->ended() || second->ended(); },
        "what is ready");
    ready = parsed(read_file(path(name + ".json")));
    base = text_at(ready, {"services", "gateway", "address"});
    const std::string words = read_file("/proc/" + std::to_string(service_pid("agent")) + "/cmdline");
    EXPECT_THAT(words, HasSubstr("agent"));
    EXPECT_THAT(words, Not(HasSubstr("postgresql"))) << "every user of the machine reads it there";
  };
  at_machine("one");
  EXPECT_EQ(answer("POST", "memory/store", R"({"text":"We deploy on Tuesdays."})").status, 200);
  const auto page = connect();
  const std::string id = new_conversation(*page);
  prompt(*page, id, "remember I like green tea");
  until_turns(*page, id, 1);
  at_machine("two");
  EXPECT_THAT(answer("GET", "memory/search?query=when+do+we+deploy").body, HasSubstr("We deploy on Tuesdays."));
  const json::Value found = parsed(shared({"search", "green tea", "--json"}, "two").out);
  const Finished why = shared({"why", text_at(found, {"hits", "0", "id"})}, "two");
  EXPECT_THAT(why.out, HasSubstr("Z: remember I like green tea"));
  EXPECT_THAT(why.out, HasSubstr(id));
}

// The agent's database is away, and not the gateway's.
TEST_F(SharedMemoryCommands, AnAgentWithoutItsDatabaseAnswersWithoutMemoryAndSaysSo) {
  std::filesystem::create_directories(work());
  const auto agent = launch(with_program({"agent", "--agent-socket", socket(), "--state", path("a"), "--rehearsal-pace-ms", "0"}),
                            {{"PARLANCE_STORE", "postgresql://a:geheim@127.0.0.1:1/db"}});
  const auto gateway = launch(
      with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--state", path("g"), "--folder", work()}),
      {{"PARLANCE_TOKEN", the_token}});
  token = the_token;
  // Its line, in the form of all services.
  const auto ready_line = [](const std::string& line) { return line.contains("ready on "); };
  until([&] { return std::ranges::any_of(gateway->lines, ready_line) || gateway->ended(); }, "a gateway that is ready");
  ASSERT_FALSE(gateway->ended()) << gateway->errors;
  const std::string line = *std::ranges::find_if(gateway->lines, ready_line);
  base = line.substr(line.find("http://"));
  if (!base.ends_with('/')) base += '/';
  until_observed([&] { return agent_state() == "ready"; }, "the agent");
  EXPECT_THAT(chat("help"), HasSubstr("I am the **rehearsal**"));
  const HttpResponse refused = answer("GET", "memory/search?query=anything");
  EXPECT_NE(refused.status, 200);
  EXPECT_THAT(refused.body, HasSubstr("PostgreSQL"));
  EXPECT_THAT(refused.body + agent->errors, Not(HasSubstr("geheim")));
}

}  // namespace
}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Sessions on a runner's machine: deleted with their conversation, also if the runner is away, and by age if the gateway no
// longer wants them; and the report of `parlance doctor` about runners.
#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/system/runner.h"

namespace parlance::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class RunnerSessions : public RunnerTest {
 protected:
  void begin() {
    start_up();
    runner = launch_runner(base, token);
    until_connected(*runner);
    page = connect();
  }
  std::string talked() {
    const std::string id = on_runner(*page);
    prompt(*page, id, "help");
    until_turns(*page, id, 1);
    return id;
  }
  void stop_runner() {
    ::kill(runner->child().pid(), SIGTERM);
    until_no_process_of("box");
  }
  void start_runner(const Words& more = {}) {
    Words words = runner_words(base, "box");
    words.insert(words.end(), more.begin(), more.end());
    runner = launch(words, {{"PARLANCE_TOKEN", token}, {runner_mark, folder() + "box"}});
    until_connected(*runner);
  }
  void remove(const std::string& id) { done(*page, "delete", R"("conversation":")" + id + "\""); }
  // Sets the age to `days`, including all contents.
  static void make_old(const std::string& session, int days) {
    const auto then = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days);
    for (const auto& entry : std::filesystem::directory_iterator(session)) std::filesystem::last_write_time(entry, then);
  }
  std::string old_one(const std::string& name, const std::string& gateway) {
    const std::string at = path("runner-box") + "/runner-sessions/" + name;
    std::filesystem::create_directories(at);
    std::ofstream(at + "/hub.db") << "x";
    if (!gateway.empty()) std::ofstream(at + "/gateway") << gateway << "\n";
    make_old(at, 100);
    return at;
  }

  std::unique_ptr<Program> runner;
  std::unique_ptr<PageClient> page;
};

TEST_F(RunnerSessions, GoWithTheirConversation) {
  begin();
  const std::string id = talked();
  const std::string other = talked();
  EXPECT_THAT(sessions_of(), SizeIs(2));
  remove(id);
  until([&] { return sessions_of().size() == 1; }, "the end of its session");
  prompt(*page, other, "help");
  until_turns(*page, other, 2);
  EXPECT_EQ(page->count(other, "error"), 0U);
  prompt(*page, other, "slow 400 50");
  until([&] { return page->text(other).find("1") != std::string::npos; }, "a turn that runs");
  remove(other);
  until([&] { return sessions_of().empty(); }, "the end of one in the midst of a turn");
}

TEST_F(RunnerSessions, SessionsDeletedDuringAnAbsenceAreRemovedAfterTheReturn) {
  begin();
  const std::string id = talked();
  const std::string other = talked();
  stop_runner();
  EXPECT_THAT(sessions_of(), SizeIs(2));
  remove(id);
  ::kill(service_pid("gateway"), SIGKILL);  // the gateway's death loses no session
  until([&] { return page->ended; }, "the end of the gateway");
  until_agent();
  start_runner();
  until([&] { return sessions_of().size() == 1; }, "the end of its session");
  page = connect();
  open(*page, other);
  prompt(*page, other, "help");
  until_turns(*page, other, 2);
  EXPECT_EQ(page->count(other, "tool_confirmation"), 0U) << "the other session was resumed";
}

TEST_F(RunnerSessions, OldSessionsAreDeletedOnlyForTheirOwnGateway) {
  begin();
  const std::string id = talked();
  stop_runner();
  ASSERT_THAT(sessions_of(), SizeIs(1));
  const std::string wanted = sessions_of().front();
  make_old(wanted, 100);
  const std::string here = "ws" + base.substr(4) + "runner";
  const std::string unwanted = old_one("session_unwanted", read_file(wanted + "/gateway").substr(0, here.size()));
  const std::string others = old_one("session_others", "wss://other.example.org/runner");
  const std::string nobodys = old_one("session_nobodys", "");
  const std::string young = old_one("session_young", here);
  make_old(young, 80);
  start_runner({"--keep-days", "0"});
  prompt(*page, id, "help");
  until_turns(*page, id, 2);
  EXPECT_THAT(sessions_of(), SizeIs(5)) << "0: never";
  stop_runner();
  make_old(wanted, 100);
  start_runner();
  until_file(unwanted, [&] { return !std::filesystem::exists(unwanted); }, "the end of the one that nobody wants");
  EXPECT_THAT(sessions_of(), testing::UnorderedElementsAre(wanted, others, nobodys, young));
  prompt(*page, id, "help");
  until_turns(*page, id, 3);
  EXPECT_EQ(page->count(id, "tool_confirmation"), 0U) << "a wanted session is resumed at any age";
}

class DoctorOfRunners : public RunnerSessions {
 protected:
  Finished doctor(Words more, const std::string& with_token) {
    Words words = with_program({"doctor", "--listen", base.substr(7, base.size() - 8), "--state", path("state")});
    words.insert(words.end(), more.begin(), more.end());
    return run(words, "", {{"PARLANCE_TOKEN", with_token}});
  }
  std::string address() const { return "ws" + base.substr(4) + "runner"; }
};

TEST_F(DoctorOfRunners, TheGatewayListsEachWithItsOfferAndState) {
  begin();
  EXPECT_THAT(doctor({}, token).out,
              AllOf(HasSubstr("runner box"), HasSubstr("connected since 20"), HasSubstr("with parlance in " + farm())));
  stop_runner();
  const Finished away = doctor({}, token);
  EXPECT_THAT(away.out, AllOf(HasSubstr("not connected since 20"), HasSubstr("parlance runner --name box")));
  EXPECT_NE(away.code, 0);
}

TEST_F(DoctorOfRunners, OnItsMachineTheWayToTheGatewayIsTried) {
  begin();
  EXPECT_THAT(doctor({"--to", address()}, token).out, HasSubstr("lets a runner in with this token"));
  const Finished wrong = doctor({"--to", address()}, "the-wrong-token-of-somebody-else");
  EXPECT_NE(wrong.code, 0);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("parlance tokens create NAME --kind runner"), Not(HasSubstr("the-wrong-token"))));
  EXPECT_THAT(doctor({"--to", "ws://127.0.0.1:1"}, token).out,
              AllOf(HasSubstr("127.0.0.1:1"), HasSubstr("can be reached from here")));
  EXPECT_THAT(doctor({"--to", "http://x"}, token).out, HasSubstr("give wss://HOST[:PORT]/runner"));
  EXPECT_FALSE(runner->ended()) << "it is in nobody's way";
}

}  // namespace
}  // namespace parlance::test
